import { Effect } from "effect"
import { TestServer } from "../TestServer.ts"

/** What `/metrics` says. */
export interface MetricsText {
  readonly text: string
  /** Values by series, as it is written. */
  readonly values: ReadonlyMap<string, number>
  /** Types and help by name of the metric. */
  readonly families: ReadonlyMap<string, { readonly type: string; readonly help: string | undefined }>
}

const LINE =
  /^([a-zA-Z_:][\w:]*(?:\{(?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\["\\n])*",?)*\})?) (\+Inf|-?\d+(?:\.\d+)?(?:e[+-]\d+)?)$/

/** Fails on a line that Prometheus would not take. */
export const parseMetrics = (text: string): MetricsText => {
  const values = new Map<string, number>()
  const helps = new Map<string, string>()
  const families = new Map<string, { type: string; help: string | undefined }>()
  for (const line of text.trimEnd().split("\n")) {
    const [, kind, name, rest] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? []
    if (kind === "HELP") helps.set(name!, rest!)
    else if (kind === "TYPE") families.set(name!, { type: rest!, help: helps.get(name!) })
    else {
      const [, series, value] = LINE.exec(line) ?? []
      if (series === undefined) throw new Error(`Not a line of metrics: ${line}`)
      if (values.has(series)) throw new Error(`Twice: ${series}`)
      values.set(series, value === "+Inf" ? Number.POSITIVE_INFINITY : Number(value))
    }
  }
  return { text, values, families }
}

/** Asks the server for its metrics. */
export const readMetrics = Effect.gen(function* () {
  const { fetch } = yield* TestServer
  const response = yield* fetch("/metrics")
  return parseMetrics(yield* Effect.promise(() => response.text()))
})
