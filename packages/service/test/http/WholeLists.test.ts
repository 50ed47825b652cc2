import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Option, Schedule, Stream } from "effect"
import { HttpServerRequest } from "effect/http"
import { SqlClient } from "effect/sql/SqlClient"
import { makeAddressCaps } from "@launch-registry/http/listener/AddressCaps"
import { answerList, type Paging, type RowRange } from "@launch-registry/http/answers/AnswerList"
import { cursorOf, numberPart } from "@launch-registry/http/answers/Cursor"
import { HTTP_LIMITS } from "@launch-registry/http/listener/HttpLimits"
import { LIST_CHUNK_BYTES, makeWholeLists } from "@launch-registry/http/answers/WholeLists"
import { sampleAddress } from "../Samples.ts"
import { TestServer } from "../TestServer.ts"
import { openRaw, requestText } from "../../../http/test/RawConnection.ts"

const request = HttpServerRequest.fromWeb(new Request("http://localhost/api/tokens"))

/** A list by number. */
interface Numbered {
  readonly rank: number
}

const numbered = cursorOf<Numbered>({ rank: numberPart(1_000_000) })("numbered")

/** A list of so many rows of a size, as it is answered; `reads` counts the reads. */
const listOf = (count: number, rowBytes: (index: number) => number, paging: Paging = {}) =>
  Effect.gen(function* () {
    const reads: Array<RowRange<Numbered>> = []
    const read = (range: RowRange<Numbered>) =>
      Effect.sync(() => {
        reads.push(range)
        const start = range.after === undefined ? range.offset : range.after.rank + 1
        return Array.from({ length: Math.max(0, Math.min(range.limit, count - start)) }, (_, at) => {
          const rank = start + at
          return {
            item: { rank, text: "x".repeat(rowBytes(rank)) },
            position: { rank },
          }
        })
      })
    const { body } = yield* answerList({ key: "data", paging, cursor: numbered, read }, true)
    const chunks =
      body._tag === "Stream"
        ? Stream.orDie(body.stream)
        : body._tag === "Uint8Array"
          ? Stream.make(body.body)
          : Stream.empty
    return { body, chunks, reads }
  }).pipe(Effect.provideService(HttpServerRequest.HttpServerRequest, request), Effect.scoped)

describe("A whole list", () => {
  it.effect("is sent in chunks by size, each read after the client took the one before", () =>
    Effect.gen(function* () {
      for (const [count, rowBytes] of [
        [3_000, () => 5_000],
        [3_000, () => 100],
        [100, () => 10],
        [101, () => 10],
        [2_000, (index: number) => (index < 1_000 ? 3_000 : 6_000)],
      ] as const) {
        const { chunks, reads } = yield* listOf(count, rowBytes)
        const sizes: Array<number> = []
        const readsAt: Array<number> = []
        let text = ""
        yield* Stream.runForEach(chunks, (chunk) =>
          Effect.sync(() => {
            sizes.push(chunk.length)
            readsAt.push(reads.length)
            text += Buffer.from(chunk).toString()
          }),
        )
        const { data } = JSON.parse(text) as { readonly data: ReadonlyArray<{ readonly rank: number }> }
        assert.deepStrictEqual(
          data.map(({ rank }) => rank),
          Array.from({ length: count }, (_, index) => index),
        )
        // The first chunk has a fixed number of rows, because their size is unknown; later ones may deviate as rows grow.
        assert.isAtMost(Math.max(...sizes), 2.1 * LIST_CHUNK_BYTES)
        assert.isAtMost(Math.max(...reads.map(({ limit }) => limit)), 501)
        assert.isTrue(readsAt.every((reads, index) => reads <= index + 1))
      }
    }),
  )

  it.effect("is partitioned by pages of any length, and long pages are sent in chunks too", () =>
    Effect.gen(function* () {
      for (const limit of [1, 7, 100, 101, 350, 999, 1_000]) {
        const ranks: Array<number> = []
        let cursor: string | null | undefined
        while (cursor !== null) {
          const paging: Paging = cursor === undefined ? { limit } : { limit, cursor }
          const { chunks, reads } = yield* listOf(1_000, () => 3_000, paging)
          let text = ""
          let largest = 0
          yield* Stream.runForEach(chunks, (chunk) =>
            Effect.sync(() => {
              text += Buffer.from(chunk).toString()
              largest = Math.max(largest, chunk.length)
            }),
          )
          const page = JSON.parse(text)
          assert.deepStrictEqual(Object.keys(page), ["success", "data", "pagination"])
          assert.strictEqual(page.pagination.limit, limit)
          assert.isAtMost(page.data.length, limit)
          ranks.push(...page.data.map(({ rank }: { readonly rank: number }) => rank))
          cursor = page.pagination.nextCursor
          if (cursor !== null) assert.strictEqual(page.data.length, limit)
          assert.isAtMost(largest, 2.1 * LIST_CHUNK_BYTES)
          assert.isAtMost(Math.max(...reads.map(({ limit }) => limit)), 501)
        }
        assert.deepStrictEqual(
          ranks,
          Array.from({ length: 1_000 }, (_, index) => index),
        )
      }
    }),
  )
})

/** Twice the kernel buffers of an answer that nobody reads. */
const COUNT = 2_000

const manyTokens = Effect.gen(function* () {
  const sql = yield* SqlClient
  const mints = Array.from({ length: COUNT }, sampleAddress)
  yield* sql`
    insert into tokens
      (id, mint_address, name, symbol, description, total_supply, decimals, owner, launchpad, created_at, updated_at)
    select gen_random_uuid(), mint, 'Large', 'LRG', repeat('long text ', 500), 1, 6, ${sampleAddress()}, 'launchpad_a', now(), now()
    from jsonb_array_elements_text(${JSON.stringify(mints)}::text::jsonb) mint`
})

layer(TestServer.layer({ limits: { http: { listBytesMax: LIST_CHUNK_BYTES, stallMillis: 3_000 } } }), {
  excludeTestServices: true,
})("A whole list that the client does not read", (it) => {
  it.effect("occupies a slot until it is aborted; meanwhile others get 503, and pages are served", () =>
    Effect.gen(function* () {
      const { fetch, request, url } = yield* TestServer
      yield* manyTokens
      // On a busy machine the unread response may be aborted before the next request is sent.
      const refused = yield* Effect.repeat(
        Effect.gen(function* () {
          const unread = yield* openRaw(url, requestText("GET", "/api/tokens", {}))
          yield* unread.until(/ 200 OK/)
          unread.socket.pause()
          return yield* request("/api/tokens")
        }),
        { until: ({ status }) => status !== 200 },
      )
      assert.deepInclude(refused.body, { success: false, code: "busy", details: { resource: "lists" } })
      assert.strictEqual(refused.status, 503)
      assert.match(refused.headers.get("retry-after") ?? "", /^\d+$/)
      assert.strictEqual((yield* request("/api/tokens?limit=10")).status, 200)
      yield* fetch("/api/tokens").pipe(
        Effect.tap(({ body }) => Effect.promise(() => body!.cancel())),
        Effect.filterOrFail(({ status }) => status === 200),
        Effect.retry(Schedule.spaced("20 millis")),
      )
    }),
  )
})

describe("The whole lists of an address", () => {
  it.effect("are limited, independently of other addresses", () =>
    Effect.gen(function* () {
      const lists = makeWholeLists(HTTP_LIMITS, makeAddressCaps({ lists: 2 }))
      const from = (address: string) =>
        Effect.provideService(
          lists.hold,
          HttpServerRequest.HttpServerRequest,
          request.modify({ remoteAddress: Option.some(address) }),
        )
      yield* from("198.51.100.1")
      yield* Effect.scoped(from("198.51.100.1"))
      yield* from("198.51.100.1")
      assert.strictEqual((yield* Effect.flip(from("198.51.100.1")))._tag, "Busy")
      yield* from("198.51.100.2")
    }),
  )
})
