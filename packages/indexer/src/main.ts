import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Database from "@launch-registry/migrations/Database"
import * as Migrate from "@launch-registry/migrations/Migrate"
import { Config, Effect, Layer } from "effect"
import { Indexer } from "./Indexer.ts"
import { Sink } from "./Sink.ts"
import { Source } from "./Source.ts"

const USAGE = `Usage: DATABASE_URL=postgres://... node packages/indexer/src/main.ts replay <file or folder>

Indexes raw transactions (getTransaction with encoding json, or raw webhook bodies) from a JSON file or a folder of
them, after the cursor that the database holds.`

const replay = (path: string) =>
  Effect.gen(function* () {
    const url = yield* Config.Redacted("DATABASE_URL")
    const database = Migrate.layer.pipe(Layer.provideMerge(Database.layer({ url })))
    const indexer = Indexer.layer.pipe(Layer.provide([Source.layerOfFiles(path), Sink.layer]), Layer.provide(database))
    const { blocks, slot } = yield* Effect.provide(
      Effect.flatMap(Indexer, ({ run }) => run),
      indexer,
    )
    yield* Effect.log(blocks === 0 ? "Nothing after the cursor" : `Indexed ${blocks} blocks up to slot ${slot}`)
  })

const [command, path] = process.argv.slice(2)

if (command === "replay" && path !== undefined) NodeRuntime.runMain(replay(path))
else {
  process.stderr.write(`${USAGE}\n`)
  process.exitCode = 2
}
