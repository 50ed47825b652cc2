import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { sampleAddress } from "../../../service/test/Samples.ts"
import { TestServer } from "../../../service/test/TestServer.ts"
import { follow, take } from "./EventReader.ts"
import { commitChanges, sampleChange } from "./IndexChanges.ts"
import { fundedWallet, transferOf } from "../../../chain/test/submissions/SignedTransfers.ts"
import { Rpc } from "@launch-registry/chain/rpc/Rpc"
import { readEvents } from "../../../service/test/StreamReader.ts"
import { SubmissionFigures } from "../../src/submissions/SubmissionFigures.ts"
import { submissionRound } from "../../src/submissions/SubmissionRound.ts"

const TYPES = ["token", "trade", "pool", "graduation", "liquidity", "revert"] as const

layer(TestServer.layer(), { excludeTestServices: true })("The stream of changes", (it) => {
  it.effect("sends what is committed from now on, in order", () =>
    Effect.gen(function* () {
      const mint = sampleAddress()
      const before = yield* commitChanges(sampleChange("trade", mint))
      const reader = yield* follow()
      const { headers } = reader.response
      assert.strictEqual(headers.get("content-type"), "text/event-stream")
      assert.include(headers.get("cache-control"), "no-cache")
      assert.strictEqual(headers.get("x-accel-buffering"), "no")
      const opening = yield* reader.nextBlock
      assert.deepInclude(opening, { retry: "2000", id: String(before), data: undefined })
      const changes = TYPES.map((type) => sampleChange(type, mint))
      const first = yield* commitChanges(...changes.slice(0, 3))
      const second = yield* commitChanges(...changes.slice(3))
      const events = yield* take(reader, TYPES.length)
      for (const [index, change] of changes.entries()) assert.deepInclude(events[index]!.data, change)
      assert.deepStrictEqual(
        events.map(({ event }) => event),
        [...TYPES],
      )
      assert.deepStrictEqual(
        events.map(({ id }) => id),
        [`${first}-0`, `${first}-1`, `${first}-2`, `${second}-0`, `${second}-1`, `${second}-2`],
      )
    }),
  )

  it.effect("sends the requested types and mints, and every revert, which has no mint", () =>
    Effect.gen(function* () {
      const [mint, other] = [sampleAddress(), sampleAddress()]
      const trades = yield* follow("?types=trade,graduation")
      const ofMint = yield* follow(`?mintAddresses=${mint},${sampleAddress()}`)
      const both = yield* follow(`?mintAddresses=${mint}&types=trade`)
      const commit = yield* commitChanges(
        sampleChange("token", other),
        sampleChange("trade", other),
        sampleChange("trade", mint),
        sampleChange("graduation", mint, { mintAddress: null }),
        sampleChange("revert", mint),
        sampleChange("pool", mint),
      )
      const ids = (events: ReadonlyArray<{ readonly id: string | undefined }>) => events.map(({ id }) => id)
      assert.deepStrictEqual(ids(yield* take(trades, 3)), [`${commit}-1`, `${commit}-2`, `${commit}-3`])
      assert.deepStrictEqual(ids(yield* take(ofMint, 3)), [`${commit}-2`, `${commit}-4`, `${commit}-5`])
      const last = yield* commitChanges(sampleChange("trade", mint))
      assert.deepStrictEqual(ids(yield* take(both, 2)), [`${commit}-2`, `${last}-0`])
    }),
  )

  it.effect("resumes after the last event, also within a commit, from the header or the query", () =>
    Effect.gen(function* () {
      const mint = sampleAddress()
      const commit = yield* commitChanges(...TYPES.map((type) => sampleChange(type, mint)))
      const next = yield* commitChanges(sampleChange("trade", mint))
      const expected = [`${commit}-3`, `${commit}-4`, `${commit}-5`, `${next}-0`]
      const streams = [
        yield* follow("", `${commit}-2`),
        yield* follow(`?lastEventId=${commit}-2`),
        yield* follow(`?lastEventId=${next}`, `${commit}-2`),
      ]
      for (const stream of streams) {
        assert.deepStrictEqual(
          (yield* take(stream, expected.length)).map(({ id }) => id),
          expected,
        )
      }
      const whole = yield* follow("", String(commit))
      assert.deepStrictEqual(
        (yield* take(whole, 1)).map(({ id }) => id),
        [`${next}-0`],
      )
    }),
  )

  it.effect("starts with a reset when it cannot resume: id ahead, unknown, or no longer kept", () =>
    Effect.gen(function* () {
      const mint = sampleAddress()
      const sql = yield* SqlClient
      for (let commits = 0; commits < 3; commits++) yield* commitChanges(sampleChange("trade", mint))
      const last = yield* commitChanges(sampleChange("trade", mint), sampleChange("pool", mint))
      yield* sql`delete from index_changes where id < ${last - 1}`
      const cases = [
        [`${last + 1}`, "unknown_id"],
        [`${last}-2`, "unknown_id"],
        [`${last - 1}-1`, "unknown_id"],
        ["999999999999999-0", "unknown_id"],
        [`${last - 2}-0`, "older_than_kept"],
        [`${last - 3}`, "older_than_kept"],
      ] as const
      for (const [id, reason] of cases) {
        const stream = yield* follow("?types=token", id)
        const first = yield* stream.next
        assert.deepInclude(first, { event: "reset", data: { reason }, id: String(last) }, id)
      }
      for (const id of [`${last - 2}`, `${last - 1}-0`]) {
        const stream = yield* follow("", id)
        const event = yield* stream.next
        assert.strictEqual(event.id, id === `${last - 2}` ? `${last - 1}-0` : `${last}-0`)
      }
      const stream = yield* follow("", `${last - 3}`)
      yield* stream.next
      const next = yield* commitChanges(sampleChange("trade", mint))
      assert.strictEqual((yield* stream.next).id, `${next}-0`)
    }),
  )

  it.effect("ends when the log is replaced, and sends a reset to those who reconnect", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const stream = yield* follow()
      const { id } = yield* stream.nextBlock
      yield* sql`delete from index_changes`
      yield* commitChanges(sampleChange("trade", sampleAddress()))
      assert.strictEqual(yield* Effect.flip(stream.next), "ended")
      const again = yield* follow("", id)
      assert.deepInclude(yield* again.next, { event: "reset", id: "1", data: { reason: "unknown_id" } })
    }),
  )

  it.effect("refuses ids that no event has", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      for (const id of ["x", "1-", "-1", "1e3", "9".repeat(16)])
        for (const [query, headers, field] of [
          [`?lastEventId=${id}`, {}, "query.lastEventId"],
          ["", { "last-event-id": id }, "headers.last-event-id"],
        ] as const) {
          const { body, status } = yield* request(`/api/stream${query}`, { headers })
          assert.deepStrictEqual([status, body.code, body.issues[0].path], [400, "invalid_request", field], id)
        }
    }),
  )

  it.effect("tells the states of submissions that it was asked for, from before they are made to the last", () =>
    Effect.gen(function* () {
      const { request, url } = yield* TestServer
      const { getLatestBlockhash } = yield* Rpc
      const wallet = yield* fundedWallet
      const { signature, ...sent } = yield* transferOf(wallet, yield* getLatestBlockhash)
      const { signature: other, ...unasked } = yield* transferOf(wallet, yield* getLatestBlockhash)
      const path = `${url}/api/stream?types=submission&submissions=${signature}`
      const stream = yield* readEvents(path)
      yield* request("/api/launch/submit", { json: unasked })
      yield* request("/api/launch/submit", { json: sent })
      const isIn = (state: string) => (event: { readonly data: { readonly state: string } }) =>
        event.data.state === state
      yield* stream.until(isIn("pending"))
      const sql = yield* SqlClient
      yield* sql`update launch_submissions set next_check_at = '-infinity'`
      const { next } = yield* Effect.provide(submissionRound, SubmissionFigures.layer)
      yield* next
      const events = yield* stream.until(isIn("finalized"))
      assert.deepStrictEqual(
        events.map(({ data, type }) => [type, data.signature, data.state]),
        [
          ["submission", signature, "pending"],
          ["submission", signature, "finalized"],
        ],
      )
      const again = yield* readEvents(`${path},${other}`)
      yield* again.until((event) => event.data.signature === other)
      yield* again.until((event) => event.data.signature === signature)
      const tooMany = yield* request(`/api/stream?submissions=${Array.from({ length: 21 }, () => signature).join(",")}`)
      assert.strictEqual(tooMany.status, 400)
    }),
  )
})
