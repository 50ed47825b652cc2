import { assert, describe, it } from "@effect/vitest"
import type { StreamEvent } from "@launch-registry/client"
import type { BoardView } from "../src/board/BoardList.ts"
import { type BoardRows, boardRows, ROWS_MAX } from "../src/board/BoardRows.ts"
import { type Row, rowOfToken } from "../src/board/Row.ts"
import { shownImage } from "../src/design/ShownImage.ts"

const row = (mint: string, fields: Partial<Row> = {}): Row => ({
  ...rowOfToken({
    ...{ mintAddress: mint, name: mint, symbol: mint, verified: false, createdAt: "2026-11-23T12:00:00.000Z" },
  }),
  ...fields,
})
/** An event with the fields that a board reads. */
const event = (type: StreamEvent["event"], data: object) => ({ event: type, data }) as StreamEvent
const trade = (mintAddress: string, price: string | null, time = "2026-11-23T12:00:05.000Z") =>
  event("trade", { mintAddress, price, time, marketCap: price, quoteProgress: 0.5 })
const launch = (mintAddress: string) =>
  event("token", { mintAddress, quoteMint: "SOL", name: "New", symbol: "NEW", time: "2026-11-23T12:00:06.000Z" })
const revert = (...mintAddresses: ReadonlyArray<string>) => event("revert", { mintAddresses })

const of = (view: BoardView, listed = [row("a", { price: "0.1" }), row("b", { price: "0.1" })]): BoardRows => {
  const board = boardRows(view)
  board.list(listed)
  return board
}
const mints = (board: BoardRows) => board.shown.get().map((one) => one.get().mint)
const find = (board: BoardRows, mint: string) =>
  board.shown
    .get()
    .find((one) => one.get().mint === mint)
    ?.get()

describe("A board", () => {
  it("changes the row of a trade and nothing else", () => {
    const board = of("new")
    const [shown, b] = [board.shown.get(), find(board, "b")]
    for (const one of [trade("a", "0.09"), trade("a", "0.0900000000001"), trade("x", "1")]) board.event(one)
    assert.deepInclude(find(board, "a"), { price: "0.0900000000001", moved: "up", progress: 0.5 })
    assert.strictEqual(find(board, "b"), b)
    assert.strictEqual(board.shown.get(), shown)
    board.event(trade("a", "0.01"))
    assert.strictEqual(find(board, "a")!.moved, "down")
    board.event(trade("a", null))
    assert.deepInclude(find(board, "a"), { price: "0.01", moved: "down" })
  })

  it("does not go back to an older trade, neither by the stream nor by a list that was read before it", () => {
    const board = of("new")
    board.event(trade("a", "0.3"))
    board.event(trade("a", "0.2", "2026-11-23T12:00:04.000Z"))
    assert.strictEqual(find(board, "a")!.price, "0.3")
    board.list([row("a", { price: "0.1", holders: 7 })])
    assert.deepInclude(find(board, "a"), { price: "0.3", holders: 7 })
    assert.deepStrictEqual(mints(board), ["a"])
  })

  it("keeps rows that were read again and are the same", () => {
    const board = of("new")
    const b = find(board, "b")
    board.list([row("b", { price: "0.1" }), row("c")])
    assert.strictEqual(find(board, "b"), b)
    assert.deepStrictEqual(mints(board), ["b", "c"])
    const shown = board.shown.get()
    board.list([row("b", { price: "0.1" }), row("c")])
    assert.strictEqual(board.shown.get(), shown)
  })

  it("shows a launch first, once, and only among new ones", () => {
    const board = of("new")
    for (const one of [launch("c"), launch("c"), launch("d"), trade("c", "2")]) board.event(one)
    assert.deepStrictEqual(mints(board), ["d", "c", "a", "b"])
    assert.strictEqual(find(board, "c")!.price, "2")
    const other = of("progress")
    other.event(launch("c"))
    assert.deepStrictEqual(mints(other), ["a", "b"])
  })

  it("keeps a streamed launch until the list has it or later ones, and drops one that is rolled back", () => {
    const launches = () => {
      const board = of("new")
      for (const mint of ["c", "d"]) board.event(launch(mint))
      return board
    }
    const listed = (...rows: ReadonlyArray<Row>) => {
      const board = launches()
      board.list(rows)
      return mints(board)
    }
    assert.deepStrictEqual(listed(row("a")), ["d", "c", "a"])
    assert.deepStrictEqual(listed(row("c"), row("a")), ["d", "c", "a"])
    assert.deepStrictEqual(listed(row("e", { launchedAt: "2026-11-23T12:00:07.000Z" })), ["e"])
    const board = launches()
    board.event(revert("d", "x"))
    assert.deepStrictEqual(mints(board), ["c", "a", "b"])
  })

  it("marks what graduates, and says when its list has to be read again", () => {
    const graduation = event("graduation", { mintAddress: "a", stage: "completed" })
    const board = of("new")
    assert.isFalse(board.event(graduation))
    assert.deepInclude(find(board, "a"), { stage: "completed", progress: 1 })
    assert.isTrue(of("graduated").event(graduation))
    assert.isFalse(board.event(trade("x", "1")))
    assert.isTrue(board.event(launch("c")))
    assert.isTrue(of("progress").event(trade("x", "1")))
    assert.isFalse(of("progress").event(launch("c")))
    assert.isFalse(of("rising").event(trade("a", "1")))
    for (const one of [revert(), event("reset", { reason: "unknown_id" })]) assert.isTrue(of("rising").event(one))
  })

  it("has a bound", () => {
    const many = Array.from({ length: ROWS_MAX + 50 }, (_, index) => row(`m${index}`))
    const board = of("new", many)
    assert.lengthOf(mints(board), ROWS_MAX)
    for (const mint of ["c", "d"]) board.event(launch(mint))
    assert.lengthOf(mints(board), ROWS_MAX)
    assert.deepStrictEqual(mints(board).slice(0, 3), ["d", "c", "m0"])
  })

  it("shows images over TLS, of the service, or that are here already", () => {
    const shown = (uri: string | null) => shownImage(uri, "http://localhost:3001")
    assert.strictEqual(shown("https://example.com/a.png"), "https://example.com/a.png")
    assert.strictEqual(shown("http://localhost:3001/ipfs/x"), "http://localhost:3001/ipfs/x")
    assert.strictEqual(shown("http://127.0.0.1:9/ipfs/x"), "http://localhost:3001/ipfs/x")
    assert.strictEqual(shown("data:image/png,x"), "data:image/png,x")
    for (const uri of ["http://example.com/a.png", "javascript:alert(1)", "", "a.png", null])
      assert.isUndefined(shown(uri))
  })
})
