/** A CPU profile as V8 writes it. */
interface Profile {
  readonly nodes: ReadonlyArray<{
    readonly id: number
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number }
  }>
  /** The node at the top of the stack, of each sample. */
  readonly samples: ReadonlyArray<number>
  /** Microseconds between samples. */
  readonly timeDeltas: ReadonlyArray<number>
}

/** A function with the time that it was at the top of the stack. */
export interface ProfiledFunction {
  readonly functionName: string
  /** Of its file; empty for what V8 and Node.js do outside of JavaScript. */
  readonly url: string
  /** Of a request. */
  readonly micros: number
}

/** Starting a profile is in it. */
const NO_WORK: ReadonlySet<string> = new Set(["(idle)", "startCpuProfile"])

/** Shares of the samples, in microseconds of a request that takes `micros` of CPU. */
export const functionsOf = (profile: Profile, micros: number): ReadonlyArray<ProfiledFunction> => {
  const frames = new Map(profile.nodes.map(({ callFrame, id }) => [id, callFrame]))
  const spent = new Map<string, { functionName: string; url: string; micros: number }>()
  let total = 0
  for (const [at, id] of profile.samples.entries()) {
    const { functionName, lineNumber, url } = frames.get(id)!
    if (NO_WORK.has(functionName)) continue
    const delta = Math.max(0, profile.timeDeltas[at]!)
    const key = `${functionName} ${url} ${lineNumber}`
    const one = spent.get(key) ?? { functionName, url, micros: 0 }
    one.micros += delta
    total += delta
    spent.set(key, one)
  }
  return [...spent.values()].map((one) => ({ ...one, micros: (one.micros * micros) / total }))
}

/** Of what is compared with `<function> <file>`, the first that matches names the part. */
const RULES: ReadonlyArray<readonly [string, RegExp]> = [
  ["garbage collection", /^\(garbage collector\) /],
  ["system calls of writes", /^(write\w*|shutdown|consoleCall) $/],
  ["V8 and Node.js outside of JavaScript", /^\(program\) $/],
  ["hashes of ETags and ids", /^(oneShotDigest|Hash|update|digest|randomUUID|randomFillSync) |internal\/crypto\//],
  ["log lines", /\/(Logger|Formatter)\.js$|\/(ProcessLog|AccessLog)\.ts$|internal\/console\//],
  ["`node:http`", / node:(_http|http|internal\/http)/],
  ["Node.js' sockets and streams", / node:(net|stream|internal\/(stream|js_stream|net))|^\w* $/],
  ["Node.js' timers, events, URLs", / node:/],
  ["Effect: router, middleware, requests, responses", /\/effect\/dist\/(http|http-api)\/|\/platform-node/],
  ["Effect: schemas", /\/effect\/dist\/(Schema|internal\/schema)/],
  ["SQL client and rows", /\/effect\/dist\/sql\/|\/sql-pg\/|\/packages\/postgres\/|\/pg[^/]*\//],
  [
    "spans and metrics",
    /\/effect\/dist\/(Tracer|Metric)|\/packages\/\w+\/src\/(telemetry|\w*\/?\w*(Trace|Metrics|Observe))/,
  ],
  ["Effect: fibers, context", /\/effect\/dist\//],
  ["ours: the edge of requests, limits, caps", /\/packages\/http\/src\/(listener|requests|limits|access)/],
  ["ours: answers", /\/packages\/http\//],
  ["ours: handlers", /\/packages\//],
]
const REST = "the rest"

export const PARTS: ReadonlyArray<string> = [...RULES.map(([part]) => part), REST]

export const partOf = ({ functionName, url }: ProfiledFunction): string =>
  RULES.find(([, pattern]) => pattern.test(`${functionName || "(anonymous)"} ${url}`))?.[0] ?? REST
