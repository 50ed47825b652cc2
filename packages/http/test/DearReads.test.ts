import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { HttpServerRequest } from "effect/http"
import { answerList, type Paging } from "../src/answers/AnswerList.ts"
import { cursorOf, numberPart } from "../src/answers/Cursor.ts"
import { makeWholeLists, WholeListsOfServer } from "../src/answers/WholeLists.ts"
import { makeAddressCaps } from "../src/listener/AddressCaps.ts"
import { HTTP_LIMITS } from "../src/listener/HttpLimits.ts"

const REQUESTS = 40
/** Of the ten connections to the database. */
const AT_ONCE = 6
const numbered = cursorOf<{ readonly rank: number }>({ rank: numberPart(1_000_000) })("numbered")

/** How many reads of so many requests run at once. */
const runningOf = (paging: Paging, isDear: boolean) =>
  Effect.gen(function* () {
    const isDone = yield* Deferred.make<void>()
    let [running, most] = [0, 0]
    const read = () =>
      Effect.gen(function* () {
        most = Math.max(most, ++running)
        yield* Deferred.await(isDone)
        running--
        return []
      })
    const list = { key: "data", paging, cursor: numbered, isDear, read }
    const asked = yield* Effect.forEach(Array.from({ length: REQUESTS }), (_, nth) =>
      Effect.forkChild(
        Effect.scoped(answerList(list, true)).pipe(
          Effect.provideService(
            HttpServerRequest.HttpServerRequest,
            HttpServerRequest.fromWeb(new Request(`http://localhost/${nth}`)),
          ),
        ),
      ),
    )
    for (let turn = 0; turn < REQUESTS; turn++) yield* Effect.yieldNow
    yield* Deferred.succeed(isDone, undefined)
    yield* Effect.forEach(asked, Fiber.join)
    return most
  }).pipe(Effect.provideService(WholeListsOfServer, makeWholeLists(HTTP_LIMITS, makeAddressCaps())))

describe("Reads of lists", () => {
  it.effect("that take long leave connections to the database for all else", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* runningOf({ limit: 1_000 }, false), AT_ONCE)
      assert.strictEqual(yield* runningOf({ limit: 1, offset: 10_000 }, false), AT_ONCE)
      assert.strictEqual(yield* runningOf({ limit: 1 }, true), AT_ONCE)
      assert.strictEqual(yield* runningOf({}, false), AT_ONCE)
      const byTwo = { limit: 1, userAddress: "somebody", status: "failed" }
      assert.strictEqual(yield* runningOf(byTwo, false), AT_ONCE)
    }),
  )

  it.effect("of a few rows do not wait for each other", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* runningOf({ limit: 20 }, false), REQUESTS)
      const byOne = { limit: 20, userAddress: "somebody", sort: "newest" }
      assert.strictEqual(yield* runningOf(byOne, false), REQUESTS)
    }),
  )
})
