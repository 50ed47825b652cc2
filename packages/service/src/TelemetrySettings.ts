import { Redacted } from "effect"
import type { Fault } from "./WholeSetting.ts"

/** Where signals are sent, and what of them. */
export interface TelemetryOptions {
  readonly protocol: "http/protobuf" | "http/json"
  readonly tracesUrl: string
  /** Absent: no metrics are exported. */
  readonly metricsUrl?: string
  /** May hold keys. */
  readonly headers: Readonly<Record<string, Redacted.Redacted>>
  /** Share of the traces that begin here that are recorded, from 0 to 1. One that a trusted caller began is recorded if the caller records it. */
  readonly recordedShare: number
  /** Whether a caller's `traceparent` becomes the parent. */
  readonly isCallerTrusted: boolean
  readonly serviceName: string
  readonly attributes: Readonly<Record<string, string>>
}

/** Those of OpenTelemetry that an operator needs; the collector does the rest. */
export const TELEMETRY_NAMES: ReadonlyArray<string> = [
  ...["OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_PROTOCOL", "OTEL_EXPORTER_OTLP_HEADERS"],
  ...["OTEL_RESOURCE_ATTRIBUTES", "OTEL_METRICS_EXPORTER", "OTEL_TRACES_SAMPLER_ARG"],
  "TRACEPARENT_TRUSTED",
]

const SERVICE_NAME = "token-launch-registry"

const PROTOCOLS = ["http/protobuf", "http/json"] as const

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

const readShare = (values: Values, fault: Fault): number => {
  const text = values.OTEL_TRACES_SAMPLER_ARG ?? "1"
  const share = /^(?:0|1|[01]\.0{1,9}|0?\.\d{1,9})$/.test(text) ? Number(text) : Number.NaN
  if (!(share >= 0 && share <= 1)) fault("OTEL_TRACES_SAMPLER_ARG", "a share from 0 to 1, such as 0.05")
  return share
}

const readHeaders = (values: Values, fault: Fault): TelemetryOptions["headers"] => {
  const name = "OTEL_EXPORTER_OTLP_HEADERS"
  const pairs = pairsOf(values[name] ?? "")
  if (pairs?.every(([key, value]) => HEADER_NAME.test(key) && HEADER_VALUE.test(value)) === true)
    return Object.fromEntries(pairs.map(([key, value]) => [key.toLowerCase(), Redacted.make(value)]))
  fault(name, "comma-separated headers, such as x-api-key=secret, with percent-encoded values")
  return {}
}

/** The settings of OpenTelemetry among `values`, if anything is exported; faults are reported as name and expectation. */
export const readTelemetrySettings = (values: Values, fault: Fault): TelemetryOptions | undefined => {
  const isOneOf = (name: string, allowed: ReadonlyArray<string>, fallback: string): string => {
    const text = values[name] ?? fallback
    if (!allowed.includes(text)) fault(name, allowed.join(", "))
    return text
  }
  const isCallerTrusted = isOneOf("TRACEPARENT_TRUSTED", ["true", "false"], "true") === "true"
  const endpoint = values.OTEL_EXPORTER_OTLP_ENDPOINT?.replace(/\/+$/, "")
  // A platform may set variables of OpenTelemetry for all that runs on it: where nothing is exported they do not matter.
  if (endpoint === undefined) return undefined
  if (!isCollector(endpoint))
    fault("OTEL_EXPORTER_OTLP_ENDPOINT", "a URL starting with http:// or https://, without credentials and query")
  const protocol = values.OTEL_EXPORTER_OTLP_PROTOCOL ?? "http/protobuf"
  if (!PROTOCOLS.some((one) => one === protocol))
    fault("OTEL_EXPORTER_OTLP_PROTOCOL", `${PROTOCOLS.join(" or ")}: OTLP over gRPC is not supported`)
  const hasMetrics = isOneOf("OTEL_METRICS_EXPORTER", ["otlp", "none"], "otlp") === "otlp"
  const attributes = pairsOf(values.OTEL_RESOURCE_ATTRIBUTES ?? "")
  if (attributes === undefined)
    fault("OTEL_RESOURCE_ATTRIBUTES", "comma-separated attributes, such as deployment.environment.name=staging")
  const { "service.name": named, ...others } = Object.fromEntries(attributes ?? [])

  return {
    protocol: protocol as TelemetryOptions["protocol"],
    tracesUrl: `${endpoint}/v1/traces`,
    ...(hasMetrics && { metricsUrl: `${endpoint}/v1/metrics` }),
    headers: readHeaders(values, fault),
    recordedShare: readShare(values, fault),
    isCallerTrusted,
    serviceName: named ?? SERVICE_NAME,
    attributes: others,
  }
}
