import { assert, describe, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"
import { answerList, type Paging, type RowRange } from "../src/answers/AnswerList.ts"
import { cursorOf, numberPart } from "../src/answers/Cursor.ts"

const numbers = cursorOf<{ readonly n: number }>({ n: numberPart(1_000) })("numbers")
const request = HttpServerRequest.fromWeb(new Request("http://localhost/"))

const bodyOf = Effect.fn(function* ({ body }: HttpServerResponse.HttpServerResponse) {
  if (body._tag === "Uint8Array") return JSON.parse(Buffer.from(body.body).toString())
  const chunks = yield* Stream.runCollect(body._tag === "Stream" ? body.stream : Stream.empty)
  return JSON.parse(Buffer.concat(chunks).toString())
})

/** A list of those numbers below 1,000, of which a read looks at a hundred at most. */
const listOf = (isOne: (n: number) => boolean, paging: Paging, resumesOffset = true) =>
  answerList(
    {
      key: "data",
      paging,
      cursor: numbers,
      resumesOffset,
      read: ({ after, limit, offset }: RowRange<{ readonly n: number }>) => {
        const start = after === undefined ? 0 : after.n + 1
        const end = Math.min(start + 100, 1_000)
        const all = Array.from({ length: end - start }, (_, at) => start + at).filter(isOne)
        const found = all.slice(offset, offset + limit)
        return Effect.succeed({
          rows: found.map((n) => ({ item: n, position: { n } })),
          end: found.length === limit || end === 1_000 ? undefined : { n: end - 1 },
          toSkip: Math.max(0, offset - all.length),
        })
      },
    },
    true,
  ).pipe(Effect.flatMap(bodyOf), Effect.provideService(HttpServerRequest.HttpServerRequest, request), Effect.scoped)

interface Answer {
  readonly data: ReadonlyArray<number>
  readonly pagination: { readonly nextCursor: string | null }
}

const LISTS: ReadonlyArray<readonly [name: string, isOne: (n: number) => boolean]> = [
  ["nothing", () => false],
  ["all", () => true],
  ["the last", (n) => n === 999],
  ["the first", (n) => n === 0],
  ["some in the middle", (n) => n > 420 && n < 580],
  ["a few everywhere", (n) => n % 37 === 5],
]

describe("A list whose reads may end early", () => {
  it.effect.each(LISTS)("of %s is complete without a limit", ([, isOne]) =>
    Effect.gen(function* () {
      const expected = Array.from({ length: 1_000 }, (_, n) => n).filter(isOne)
      assert.deepStrictEqual(yield* listOf(isOne, {}), { success: true, data: expected })
    }),
  )

  it.effect.each(LISTS)("of %s is in its pages, of which a short one leads to the next", ([, isOne]) =>
    Effect.gen(function* () {
      const expected = Array.from({ length: 1_000 }, (_, n) => n).filter(isOne)
      const found: Array<number> = []
      for (let cursor: string | undefined; ;) {
        const { data, pagination } = yield* listOf(isOne, { limit: 20, ...(cursor !== undefined && { cursor }) })
        assert.isAtMost(data.length, 20)
        found.push(...data)
        if (pagination.nextCursor === null) break
        cursor = pagination.nextCursor
      }
      assert.deepStrictEqual(found, expected)
    }),
  )

  it.effect.each(LISTS)("of %s goes on from an offset that a read did not skip", ([, isOne]) =>
    Effect.gen(function* () {
      const all = Array.from({ length: 1_000 }, (_, n) => n).filter(isOne)
      for (const offset of [1, 5, 150, 1_000]) {
        const expected = all.slice(offset)
        assert.deepStrictEqual(yield* listOf(isOne, { offset }), { success: true, data: expected })
        const found: Array<number> = []
        for (let paging: Paging | undefined = { limit: 20, offset }; paging !== undefined;) {
          const { data, pagination }: Answer = yield* listOf(isOne, paging)
          found.push(...data)
          paging = pagination.nextCursor === null ? undefined : { limit: 20, cursor: pagination.nextCursor }
        }
        assert.deepStrictEqual(found, expected)
      }
    }),
  )

  it.effect("refuses a cursor with rows to skip where its reads skip them all", () =>
    Effect.gen(function* () {
      const isOne = () => true
      const cursor = numbers.encode({ n: 9 }, 5)
      assert.deepStrictEqual((yield* listOf(isOne, { limit: 2, cursor })).data, [15, 16])
      const refusal = yield* Effect.flip(listOf(isOne, { limit: 2, cursor }, false))
      assert.deepInclude(refusal as object, { _tag: "InvalidRequest" })
    }),
  )
})
