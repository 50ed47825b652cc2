import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Cause, Effect, Exit, Layer } from "effect"
import { logged, loggingLifecycle, type ProcessLog, reportFatal } from "./ProcessLog.ts"
import { service } from "./Service.ts"
import { readSettings } from "./Settings.ts"

/** Exit code: 0 after a graceful stop, 1 after a failure. */
const exitCode = (exit: Exit.Exit<unknown, unknown>): number =>
  Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause) ? 0 : 1

/** Also for what is wrong with the settings themselves. */
const log: ProcessLog = { isJson: process.env.RUN_MODE === "production", level: "Info" }

const main = Effect.gen(function* () {
  const settings = yield* readSettings(process.env)
  const warn = Effect.forEach(settings.misspelt, (one) => Effect.logWarning(one), { discard: true })
  yield* Effect.andThen(warn, loggingLifecycle(Layer.launch(service(settings)))).pipe(
    logged({ isJson: settings.runMode === "production", level: settings.logLevel }),
  )
}).pipe(Effect.tapCause(reportFatal(log)))

NodeRuntime.runMain(main, { disableErrorReporting: true, teardown: (exit, onExit) => onExit(exitCode(exit)) })
