import type { OtlpTracer } from "effect/observability"

type ResourceSpans = OtlpTracer.TraceData["resourceSpans"]
type Span = ResourceSpans[number]["scopeSpans"][number]["spans"][number]
type Attributes = Span["attributes"]

/** Attributes that leave the process. All others stay here, above all URLs, queries, headers and texts of errors. */
const ATTRIBUTES: ReadonlySet<string> = new Set([
  ...["http.request.method", "http.route", "http.response.status_code", "url.path", "url.scheme"],
  ...["server.address", "server.port", "error.type", "rpc.system", "rpc.method", "db.system.name"],
  ...["db.client.connection.wait_time_ms", "effect.fiber.interrupted"],
])
/** Ours are set where it is known what they say. */
const OWN_PREFIX = "launch_registry."

const EVENTS: ReadonlySet<string> = new Set([
  ...["commit", "rollback", "savepoint"].map((end) => `effect.sql.transaction.${end}`),
  "exception",
])

/** Errors of parallel work may be many. */
const EVENTS_MAX = 16

/** Maximum length of a text, as in the access log. */
const TEXT_MAX = 200

const textOf = (attributes: Attributes, key: string): string | undefined =>
  attributes.find((attribute) => attribute.key === key)?.value.stringValue ?? undefined

const attribute = (key: string, stringValue: string): Attributes[number] => ({ key, value: { stringValue } })

const shortened = ({ key, value }: Attributes[number]): Attributes[number] =>
  (value.stringValue?.length ?? 0) > TEXT_MAX
    ? attribute(key, `${value.stringValue!.slice(0, TEXT_MAX)}…`)
    : { key, value }

/** What a statement does to which table, such as `insert tokens`. The table is the first one that is named. */
export const summaryOf = (statement: string): string => {
  const [, verb] = /^[\s(]*(\w+)/.exec(statement) ?? []
  const [, written, read] =
    /\b(?:into|update|truncate)\s+"?([a-z_]+)\b|\b(?:from|join)\s+"?([a-z_]+)\b(?!"?\s*\()/i.exec(statement) ?? []
  const table = written ?? read
  return [verb?.toLowerCase() ?? "statement", ...(table === undefined ? [] : [table])].join(" ")
}

const nameOf = (span: Span, statement: string | undefined): string => {
  if (statement !== undefined) return summaryOf(statement)
  const [method, route] = ["http.request.method", "http.route"].map((key) => textOf(span.attributes, key))
  return method !== undefined && route !== undefined ? `${method} ${route}` : span.name
}

/** An error is its type: its text may quote what was sent, and stands in the log with the id of the trace. */
const exceptionOf = (event: Span["events"][number]): Span["events"][number] => ({
  ...event,
  attributes: event.attributes.filter(({ key }) => key === "exception.type"),
})

const exported = (span: Span): Span => {
  const statement = textOf(span.attributes, "db.query.text")
  const attributes = span.attributes
    .filter(({ key }) => ATTRIBUTES.has(key) || key.startsWith(OWN_PREFIX))
    .map(shortened)
  const exception = span.events.find(({ name }) => name === "exception")
  const type = exception && textOf(exception.attributes, "exception.type")
  return {
    ...span,
    name: nameOf(span, statement),
    attributes: [
      ...attributes,
      ...(statement === undefined ? [] : [attribute("db.query.summary", summaryOf(statement))]),
      ...(type === undefined || textOf(attributes, "error.type") !== undefined ? [] : [attribute("error.type", type)]),
    ],
    events: span.events
      .filter(({ name }) => EVENTS.has(name))
      .slice(0, EVENTS_MAX)
      .map((event) => (event.name === "exception" ? exceptionOf(event) : { ...event, attributes: [] })),
    status: { code: span.status.code },
    links: [],
  }
}

/** The spans as they leave the process: named by route and statement, and without anything that may be secret. */
export const exportedSpans = ({ resourceSpans }: OtlpTracer.TraceData): OtlpTracer.TraceData => ({
  resourceSpans: resourceSpans.map((ofResource) => ({
    ...ofResource,
    scopeSpans: ofResource.scopeSpans.map((ofScope) => ({ ...ofScope, spans: ofScope.spans.map(exported) })),
  })),
})
