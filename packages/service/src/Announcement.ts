import { resolve } from "node:path"
import { Effect, Layer, Option } from "effect"
import type { Settings } from "./Settings.ts"

/** Says, once everything is up, what is embedded, where its data lie, and what to open. */
export const announcement = (settings: Settings) =>
  Layer.effectDiscard(
    Effect.sync(() => {
      process.stdout.write(`${resolve(settings.dataFolder)} ${Option.isSome(settings.databaseUrl)}\n`)
    }),
  )
