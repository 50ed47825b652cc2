import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Cause, Effect, Exit, Layer, Logger, References } from "effect"
import { service } from "./Service.ts"
import { readSettings } from "./Settings.ts"

/** Exit code: 0 after a graceful stop, 1 after a failure. */
const exitCode = (exit: Exit.Exit<unknown, unknown>): number =>
  Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause) ? 0 : 1

const main = Effect.gen(function* () {
  const settings = yield* readSettings(process.env)
  const logger = Logger.layer([settings.runMode === "production" ? Logger.consoleJson : Logger.consoleLogFmt])
  const warn = Effect.forEach(settings.misspelt, (one) => Effect.logWarning(one), { discard: true })
  yield* Effect.andThen(warn, Layer.launch(service(settings))).pipe(
    Effect.provide(logger),
    Effect.provideService(References.MinimumLogLevel, settings.logLevel),
  )
}).pipe(
  // Only the message: a stack trace would bury it.
  Effect.tapCause((cause) =>
    Cause.hasInterruptsOnly(cause)
      ? Effect.void
      : Effect.sync(() => process.stderr.write(`${messageOf(Cause.squash(cause))}\n`)),
  ),
)

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

NodeRuntime.runMain(main, { disableErrorReporting: true, teardown: (exit, onExit) => onExit(exitCode(exit)) })
