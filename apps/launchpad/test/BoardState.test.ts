import { assert, describe, it } from "@effect/vitest"
import {
  type BoardEvent,
  EMPTY_BOARD,
  readingDue,
  type Row,
  ROWS_MAX,
  rowOfToken,
  withEvents,
  withList,
} from "../src/board/BoardState.ts"
import { shownImage } from "../src/design/ShownImage.ts"

const row = (mint: string, fields: Partial<Row> = {}): Row => ({
  ...rowOfToken({ mintAddress: mint, name: mint, symbol: mint, createdAt: "2026-11-23T12:00:00.000Z" }),
  ...fields,
})
const trade = (mintAddress: string, price: string | null, time = "2026-11-23T12:00:05.000Z"): BoardEvent => ({
  ...{ type: "trade", mintAddress, price, time },
  ...{ marketCap: price, quoteProgress: 0.5 },
})
const launch = (mintAddress: string): BoardEvent => ({
  ...{ type: "token", mintAddress, quoteMint: "SOL", name: "New", symbol: "NEW", time: "2026-11-23T12:00:06.000Z" },
})

describe("A board", () => {
  const board = withList(EMPTY_BOARD, [row("a", { price: "0.1" }), row("b", { price: "0.1" })])

  it("changes the row of a trade and no other", () => {
    const next = withEvents(board, "new", [trade("a", "0.09"), trade("a", "0.1000000000000000001"), trade("x", "1")])
    assert.deepInclude(next.rows.get("a"), { price: "0.1000000000000000001", moved: "up", progress: 0.5 })
    assert.strictEqual(next.rows.get("b"), board.rows.get("b"))
    assert.strictEqual(next.order, board.order)
    assert.strictEqual(withEvents(next, "new", [trade("a", "0.01")]).rows.get("a")!.moved, "down")
    assert.deepInclude(withEvents(next, "new", [trade("a", null)]).rows.get("a"), { moved: "up" })
  })

  it("stays the same object where nothing changes", () => {
    assert.strictEqual(withEvents(board, "new", [trade("x", "1"), { type: "revert", mintAddresses: [] }]), board)
  })

  it("does not go back to an older trade, neither by the stream nor by a list that was read before it", () => {
    const next = withEvents(board, "new", [trade("a", "0.3")])
    assert.strictEqual(withEvents(next, "new", [trade("a", "0.2", "2026-11-23T12:00:04.000Z")]), next)
    const read = withList(next, [row("a", { price: "0.1", trades24h: 7 })])
    assert.deepInclude(read.rows.get("a"), { price: "0.3", trades24h: 7 })
    assert.deepStrictEqual(read.order, ["a"])
  })

  it("keeps rows that were read again and are the same", () => {
    const again = withList(board, [row("b", { price: "0.1" }), row("c")])
    assert.strictEqual(again.rows.get("b"), board.rows.get("b"))
    assert.deepStrictEqual(again.order, ["b", "c"])
  })

  it("shows a launch first, once, and only among new ones", () => {
    const next = withEvents(board, "new", [launch("c"), launch("c"), launch("d"), trade("c", "2")])
    assert.deepStrictEqual(next.order, ["d", "c", "a", "b"])
    assert.strictEqual(next.rows.get("c")!.price, "2")
    assert.strictEqual(withEvents(board, "progress", [launch("c")]), board)
  })

  it("keeps a streamed launch until the list has it or later ones, and drops one that is rolled back", () => {
    const next = withEvents(board, "new", [launch("c"), launch("d")])
    assert.deepStrictEqual(withList(next, [row("a")]).order, ["d", "c", "a"])
    assert.deepStrictEqual(withList(next, [row("c"), row("a")]).order, ["d", "c", "a"])
    assert.deepStrictEqual(withList(next, [row("e", { launchedAt: "2026-11-23T12:00:07.000Z" })]).order, ["e"])
    const reverted = withEvents(next, "new", [{ type: "revert", mintAddresses: ["d", "x"] }])
    assert.deepStrictEqual([reverted.order, reverted.rows.has("d")], [["c", "a", "b"], false])
    assert.deepStrictEqual(withEvents(board, "new", [launch("c"), { type: "revert", mintAddresses: ["c"] }]).order, [
      "a",
      "b",
    ])
  })

  it("marks what graduates, and reads the lists again that this changes", () => {
    const graduation: BoardEvent = { type: "graduation", mintAddress: "a", stage: "completed" }
    assert.deepInclude(withEvents(board, "new", [graduation]).rows.get("a"), { stage: "completed", progress: 1 })
    assert.strictEqual(readingDue(board, "graduated", [graduation]), "soon")
    assert.isUndefined(readingDue(board, "new", [graduation, trade("x", "1")]))
    assert.strictEqual(readingDue(board, "new", [launch("c")]), "soon")
    assert.strictEqual(readingDue(board, "progress", [trade("x", "1"), launch("c")]), "later")
    assert.isUndefined(readingDue(board, "rising", [trade("a", "1")]))
    assert.strictEqual(readingDue(board, "rising", [{ type: "revert", mintAddresses: [] }]), "soon")
  })

  it("has a bound", () => {
    const many = Array.from({ length: ROWS_MAX + 50 }, (_, index) => row(`m${index}`))
    const full = withList(EMPTY_BOARD, many)
    assert.lengthOf(full.order, ROWS_MAX)
    const next = withEvents(full, "new", [launch("c"), launch("d")])
    assert.lengthOf(next.order, ROWS_MAX)
    assert.strictEqual(next.rows.size, ROWS_MAX)
    assert.isFalse(next.rows.has(`m${ROWS_MAX - 1}`))
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
