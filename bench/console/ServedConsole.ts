import * as Database from "@launch-registry/postgres/Database"
import { ofProcess } from "@launch-registry/postgres/SharedClock"
import { Effect, Layer, type Scope } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { startedChromium } from "../../packages/console/test/Chromium.ts"
import { TestServer } from "../../packages/service/test/TestServer.ts"
import { BenchDatabase } from "../ingest/BenchDatabase.ts"

export const say = (text: string): void => void process.stdout.write(`${text}\n`)

export const does = <A>(work: () => Promise<A>): Effect.Effect<A> => Effect.promise(work)

/** A started Chromium. */
export type Browser = Awaited<ReturnType<typeof startedChromium>>

/** Rows of one table, at most so many at once. */
export const INSERTED_AT_ONCE = 500

/** Runs with a service on a database and a local chain of its own, and Chromium, all of them on this machine. */
export const withConsole = async <E>(
  work: (browser: Browser, url: string) => Effect.Effect<void, E, SqlClient | Scope.Scope>,
): Promise<void> => {
  const database = await BenchDatabase.start()
  try {
    await database.renew()
    const stored = Layer.provideMerge(Database.layer(database.address), ofProcess)
    const program = Effect.gen(function* () {
      const { url } = yield* TestServer
      const browser = yield* Effect.acquireRelease(does(startedChromium), (one) => does(() => one.close()))
      yield* work(browser, url)
    })
    await Effect.runPromise(
      program.pipe(Effect.scoped, Effect.provide(TestServer.layer({ database: stored as never }))),
    )
  } finally {
    await database.stop()
  }
}
