import { recordedSpan } from "@launch-registry/domain/http/TraceContext"
import { Cause, Effect, Formatter, type LogLevel, Logger, References } from "effect"

/** Signals that end the service. */
const SIGNALS = ["SIGTERM", "SIGINT"] as const

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** The log of a process: lines of JSON in production, else of text. */
export interface ProcessLog {
  readonly isJson: boolean
  readonly level: LogLevel.LogLevel
}

/** Lines of JSON, which say to which recorded trace they belong. */
const jsonLines = Logger.withConsoleLog(
  Logger.make((options) => {
    const line = Logger.formatStructured.log(options)
    const span = recordedSpan(options.fiber.context)
    if (span === undefined) return Formatter.formatJson(line)
    const annotations = { ...line.annotations, trace_id: span.traceId, span_id: span.spanId }
    return Formatter.formatJson({ ...line, annotations })
  }),
)

/** Everything that `work` logs is written as `log` says. */
export const logged =
  ({ isJson, level }: ProcessLog) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    work.pipe(
      Effect.provide(Logger.layer([isJson ? jsonLines : Logger.consoleLogFmt])),
      Effect.provideService(References.MinimumLogLevel, level),
    )

/** Logs by which signal the process is ended while `work` runs, what Node.js warns of, and the end of a graceful stop. */
export const loggingLifecycle = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.gen(function* () {
    const run = Effect.runForkWith(yield* Effect.context<never>())
    const warn = (warning: Error) => void run(Effect.logWarning(`Node.js: ${messageOf(warning)}`))
    const stops = SIGNALS.map((signal) => {
      const stop = () =>
        void run(Effect.annotateLogs(Effect.logInfo("Stopping: requests in flight are finished"), { signal }))
      return [signal, stop] as const
    })
    // The listener of Node.js writes text to stderr.
    process.removeAllListeners("warning")
    process.on("warning", warn)
    for (const [signal, stop] of stops) process.once(signal, stop)
    return yield* Effect.onExit(work, (exit) =>
      exit._tag === "Failure" && Cause.hasInterruptsOnly(exit.cause) ? Effect.logInfo("Stopped") : Effect.void,
    )
  })

/** Writes why the process ends. Only the message: a stack trace would bury it. */
export const reportFatal =
  ({ isJson, level }: ProcessLog) =>
  (cause: Cause.Cause<unknown>): Effect.Effect<void> => {
    if (Cause.hasInterruptsOnly(cause)) return Effect.void
    const message = messageOf(Cause.squash(cause))
    return isJson
      ? logged({ isJson, level })(Effect.logFatal(message))
      : Effect.sync(() => void process.stderr.write(`${message}\n`))
  }
