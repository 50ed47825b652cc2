import { Redacted } from "effect"
import { type Fault, wholeSettings } from "./WholeSetting.ts"

/** How a trace that begins here is decided on, and whether the decision of a caller holds. */
export interface SamplerOptions {
  /** Share of traces that are recorded, from 0 to 1. */
  readonly ratio: number
  /** A trace that a caller began is recorded if the caller records it. */
  readonly isParentBased: boolean
}

/** Where signals are sent, and what of them. */
export interface TelemetryOptions {
  readonly protocol: "http/protobuf" | "http/json"
  /** Absent: no traces are exported. */
  readonly tracesUrl?: string
  /** Absent: no metrics are exported. */
  readonly metricsUrl?: string
  /** May hold keys. */
  readonly headers: Readonly<Record<string, Redacted.Redacted>>
  readonly timeoutMillis: number
  readonly spanDelayMillis: number
  readonly metricIntervalMillis: number
  readonly sampler: SamplerOptions
  /** Whether `traceparent` is read and sent. */
  readonly isPropagating: boolean
  /** Whether a caller's `traceparent` becomes the parent. */
  readonly isCallerTrusted: boolean
  readonly serviceName: string
  readonly attributes: Readonly<Record<string, string>>
}

export const TELEMETRY_NAMES: ReadonlyArray<string> = [
  ...["OTEL_SDK_DISABLED", "OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"],
  ...["OTEL_EXPORTER_OTLP_METRICS_ENDPOINT", "OTEL_EXPORTER_OTLP_PROTOCOL", "OTEL_EXPORTER_OTLP_HEADERS"],
  ...["OTEL_EXPORTER_OTLP_TIMEOUT", "OTEL_SERVICE_NAME", "OTEL_RESOURCE_ATTRIBUTES", "OTEL_TRACES_EXPORTER"],
  ...["OTEL_METRICS_EXPORTER", "OTEL_TRACES_SAMPLER", "OTEL_TRACES_SAMPLER_ARG", "OTEL_BSP_SCHEDULE_DELAY"],
  ...["OTEL_METRIC_EXPORT_INTERVAL", "OTEL_PROPAGATORS", "TRACEPARENT_TRUSTED"],
]

const SERVICE_NAME = "token-launch-registry"
const TIMEOUT_MILLIS = 10_000
const SPAN_DELAY_MILLIS = 5_000
const METRIC_INTERVAL_MILLIS = 60_000

const PROTOCOLS = ["http/protobuf", "http/json"] as const
/** Baggage is never read or sent. */
const PROPAGATORS: ReadonlySet<string> = new Set(["tracecontext", "baggage", "none"])

/** Samplers without and with a caller's decision. */
const RATIOS = { always_on: 1, always_off: 0, traceidratio: undefined } as const
const SAMPLERS = Object.keys(RATIOS).flatMap((name) => [name, `parentbased_${name}`])

const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const HEADER_VALUE = /^[\x20-\x7e]*$/

/** `key=value` pairs, comma-separated and percent-encoded (W3C Baggage without properties); undefined if they are not. */
const pairsOf = (text: string): ReadonlyArray<readonly [key: string, value: string]> | undefined => {
  try {
    return text
      .split(",")
      .filter((pair) => pair.trim() !== "")
      .map((pair) => {
        const at = pair.indexOf("=")
        if (at < 1) throw new URIError()
        return [decodeURIComponent(pair.slice(0, at).trim()), decodeURIComponent(pair.slice(at + 1).trim())] as const
      })
  } catch {
    return undefined
  }
}

/** The URL is used unchanged, and fetch takes none with credentials. */
const isCollector = (text: string): boolean => {
  const url = URL.parse(text)
  return url !== null && /^https?:\/\/[^\s\\?#@]+$/i.test(text)
}

type Values = Readonly<Record<string, string | undefined>>

const readSampler = (values: Values, fault: Fault): SamplerOptions => {
  const name = values.OTEL_TRACES_SAMPLER ?? "parentbased_always_on"
  const isParentBased = name.startsWith("parentbased_")
  const plain = name.replace(/^parentbased_/, "")
  if (!SAMPLERS.includes(name)) fault("OTEL_TRACES_SAMPLER", SAMPLERS.join(", "))
  const text = values.OTEL_TRACES_SAMPLER_ARG ?? "1"
  const share = /^(?:0|1|[01]\.0{1,9}|0?\.\d{1,9})$/.test(text) ? Number(text) : Number.NaN
  if (!(share >= 0 && share <= 1)) fault("OTEL_TRACES_SAMPLER_ARG", "a share from 0 to 1, such as 0.05")
  return { isParentBased, ratio: RATIOS[plain as keyof typeof RATIOS] ?? share }
}

const readHeaders = (values: Values, fault: Fault): TelemetryOptions["headers"] => {
  const name = "OTEL_EXPORTER_OTLP_HEADERS"
  const pairs = pairsOf(values[name] ?? "")
  if (pairs?.every(([key, value]) => HEADER_NAME.test(key) && HEADER_VALUE.test(value)) === true)
    return Object.fromEntries(pairs.map(([key, value]) => [key.toLowerCase(), Redacted.make(value)]))
  fault(name, "comma-separated headers, such as x-api-key=secret, with percent-encoded values")
  return {}
}

/** Settings without which nothing is exported. */
const ENDPOINTS = ["", "TRACES_", "METRICS_"].map((signal) => `OTEL_EXPORTER_OTLP_${signal}ENDPOINT`)

/** The settings of OpenTelemetry among `values`, if anything is exported; faults are reported as name and expectation. */
export const readTelemetrySettings = (values: Values, fault: Fault): TelemetryOptions | undefined => {
  const isOneOf = (name: string, allowed: ReadonlyArray<string>, fallback: string): string => {
    const text = values[name] ?? fallback
    if (!allowed.includes(text)) fault(name, allowed.join(", "))
    return text
  }
  const whole = wholeSettings(values, fault)
  const millis = (name: string, min: number, max: number, fallback: number) =>
    whole(name, "milliseconds", min, max) ?? fallback

  const isDisabled = isOneOf("OTEL_SDK_DISABLED", ["true", "false"], "false") === "true"
  const isCallerTrusted = isOneOf("TRACEPARENT_TRUSTED", ["true", "false"], "true") === "true"
  // A platform may set variables of OpenTelemetry for all that runs on it: where nothing is exported they do not matter.
  if (isDisabled || !ENDPOINTS.some((name) => values[name] !== undefined)) return undefined
  const protocol = values.OTEL_EXPORTER_OTLP_PROTOCOL ?? "http/protobuf"
  if (!PROTOCOLS.some((one) => one === protocol))
    fault("OTEL_EXPORTER_OTLP_PROTOCOL", `${PROTOCOLS.join(" or ")}: OTLP over gRPC is not supported`)
  const [tracesUrl, metricsUrl] = (["TRACES", "METRICS"] as const).map((signal) => {
    const isWanted = isOneOf(`OTEL_${signal}_EXPORTER`, ["otlp", "none"], "otlp") === "otlp"
    const own = values[`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`]
    const common = values.OTEL_EXPORTER_OTLP_ENDPOINT?.replace(/\/+$/, "")
    for (const [name, url] of [
      [`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`, own],
      ...(signal === "TRACES" ? [["OTEL_EXPORTER_OTLP_ENDPOINT", common] as const] : []),
    ] as const)
      if (url !== undefined && !isCollector(url))
        fault(name, "a URL starting with http:// or https://, without credentials and query")
    const url = own ?? (common === undefined ? undefined : `${common}/v1/${signal.toLowerCase()}`)
    return isWanted ? url : undefined
  })
  const propagators = (values.OTEL_PROPAGATORS ?? "tracecontext").split(",").map((text) => text.trim())
  if (!propagators.every((one) => PROPAGATORS.has(one))) fault("OTEL_PROPAGATORS", [...PROPAGATORS].join(", "))
  const attributes = pairsOf(values.OTEL_RESOURCE_ATTRIBUTES ?? "")
  if (attributes === undefined)
    fault("OTEL_RESOURCE_ATTRIBUTES", "comma-separated attributes, such as deployment.environment.name=staging")
  const { "service.name": named, ...others } = Object.fromEntries(attributes ?? [])

  const options: TelemetryOptions = {
    protocol: protocol as TelemetryOptions["protocol"],
    ...(tracesUrl !== undefined && { tracesUrl }),
    ...(metricsUrl !== undefined && { metricsUrl }),
    headers: readHeaders(values, fault),
    timeoutMillis: millis("OTEL_EXPORTER_OTLP_TIMEOUT", 1, 60_000, TIMEOUT_MILLIS),
    spanDelayMillis: millis("OTEL_BSP_SCHEDULE_DELAY", 10, 60_000, SPAN_DELAY_MILLIS),
    metricIntervalMillis: millis("OTEL_METRIC_EXPORT_INTERVAL", 100, 3_600_000, METRIC_INTERVAL_MILLIS),
    sampler: readSampler(values, fault),
    isPropagating: propagators.includes("tracecontext"),
    isCallerTrusted,
    serviceName: values.OTEL_SERVICE_NAME ?? named ?? SERVICE_NAME,
    attributes: others,
  }
  return tracesUrl === undefined && metricsUrl === undefined ? undefined : options
}
