import { TestServer } from "../../packages/service/test/TestServer.ts"
import { compareAll, manyLaunches } from "../../packages/server/test/launch/ManyLaunches.ts"
import { startedChromium, withoutChromium } from "../../packages/console/test/Chromium.ts"
import { consoleChunks } from "../../bundle/ConsoleChunks.ts"
import { consoleFiles } from "../../packages/console/src/ConsoleFiles.ts"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Migrate from "@launch-registry/migrations/Migrate"
import * as Database from "@launch-registry/postgres/Database"
import { embeddedPostgres } from "@launch-registry/postgres/embedded/EmbeddedPostgres"
import { ofProcess } from "@launch-registry/postgres/SharedClock"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** A service with so many launches, a browser of its own, and the newest mints first. Runs until the scope closes. */
export const filledConsole = Effect.fnUntraced(function* (launches: number) {
  if (withoutChromium !== undefined) return yield* Effect.die(new Error(withoutChromium))
  const { url } = yield* TestServer
  yield* manyLaunches(launches)
  yield* compareAll
  const sql = yield* SqlClient
  const newest = yield* sql<{ readonly baseMint: string; readonly pool: string }>`
    select base_mint, pool from dbc_pools order by created_at desc limit 500`
  const browser = yield* Effect.acquireRelease(Effect.promise(startedChromium), (started) =>
    Effect.promise(() => started.close()),
  )
  return { url, browser, newest }
})

/** A database in a folder that is deleted afterwards. */
const database = Layer.unwrap(
  Effect.gen(function* () {
    const folder = yield* Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "registry-console-"))),
      (made) => Effect.sync(() => rmSync(made, { recursive: true, force: true })),
    )
    const { address } = yield* embeddedPostgres({ folder })
    return Layer.provideMerge(Migrate.layer, Database.layer(address))
  }),
).pipe(Layer.orDie, Layer.provideMerge(ofProcess))

/** The layer that it needs, with the console's modules as the container image has them, or each as a file of its own. */
export const consoleServer = (modules: "joined" | "apart" = "joined") =>
  Layer.unwrap(
    Effect.gen(function* () {
      const files = consoleFiles()
      const served = modules === "joined" ? yield* Effect.promise(() => consoleChunks(files)) : files
      return TestServer.layer({ database, consoleFiles: () => served })
    }),
  )

const median = (sorted: ReadonlyArray<number>): number => sorted[Math.floor(sorted.length / 2)]!

/** Median, and the worst of all. */
export const summary = (values: ReadonlyArray<number>): string => {
  const sorted = values.toSorted((a, b) => a - b)
  return `median ${median(sorted).toFixed(1)}, worst ${sorted.at(-1)!.toFixed(1)}`
}
