import { createServer } from "node:http"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { assert, it } from "@effect/vitest"
import { Context, Effect, Exit, Layer, Logger, Queue } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { answerList } from "../src/answers/AnswerList.ts"
import { compressAnswers } from "../src/answers/Compression.ts"
import { cursorOf, numberPart } from "../src/answers/Cursor.ts"

const numbers = cursorOf<{ readonly n: number }>({ n: numberPart(1_000) })("numbers")

/** A list of which only the first rows can be read: the next read fails when it is told to. */
const listUpTo = (failing: Effect.Effect<void>) =>
  HttpRouter.add(
    "GET",
    "/",
    answerList(
      {
        ...{ key: "data", paging: {}, cursor: numbers },
        read: ({ after, limit }) =>
          after === undefined
            ? Effect.succeed(Array.from({ length: limit }, (_, n) => ({ item: n, position: { n } })))
            : Effect.andThen(failing, Effect.die(new Error("away"))),
      },
      true,
    ),
  )

it.effect("A list that cannot be read to its end is cut and not ended, compressed or not", () =>
  Effect.gen(function* () {
    const received = yield* Queue.unbounded<void>()
    const context = yield* HttpRouter.serve(listUpTo(Queue.take(received)).pipe(Layer.provide(compressAnswers)), {
      ...{ disableLogger: true, disableListenLog: true },
    }).pipe(
      Layer.provideMerge(NodeHttpServer.layer(() => createServer(), { host: "127.0.0.1", port: 0 })),
      Layer.provide(Logger.layer([])),
      Layer.build,
    )
    const { address } = Context.get(context, HttpServer.HttpServer)
    const url = `http://127.0.0.1:${"port" in address ? address.port : 0}/`
    for (const [accepted, coding] of [
      ["gzip", "gzip"],
      ["identity", null],
    ] as const) {
      const answer = yield* Effect.promise(() => fetch(url, { headers: { "accept-encoding": accepted } }))
      assert.strictEqual(answer.headers.get("content-encoding"), coding)
      yield* Queue.offer(received, undefined)
      const read = yield* Effect.exit(Effect.tryPromise(() => answer.text()))
      assert.isTrue(Exit.isFailure(read), accepted)
    }
  }),
)
