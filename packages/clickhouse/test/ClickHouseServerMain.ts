import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { buffer } from "node:stream/consumers"
import { gunzipSync, gzipSync } from "node:zlib"
import { EngineError, EngineSessions } from "./EngineSessions.ts"

/**
 * `refuse`: nobody listens. `hang`: no answer. `error`: status 500 with a sentence of ClickHouse. `page`: status 200 with HTML.
 * `gateway`: status 502 with HTML. `cut`: runs the statement and ends the connection within the answer. `drop`: runs the
 * statement and ends the connection before the answer.
 */
export type FailureMode = "refuse" | "hang" | "error" | "page" | "gateway" | "cut" | "drop"

export type ServerOrder =
  | { readonly kind: "fail"; readonly mode: FailureMode; readonly times?: number | undefined }
  | { readonly kind: "heal" | "statements" }
  | { readonly kind: "run"; readonly statement: string }

export interface ServerAnswer {
  readonly id: number
  readonly value?: unknown
  readonly error?: string
}

const [engine, folder, sessions, USER, PASSWORD, DATABASE] = process.argv.slice(2) as [
  ...[string, string, string],
  ...[string, string, string],
]

const PAGE = "<!doctype html><html><body>Sign in</body></html>"
/** Codes whose status is not 500; Server/HTTP/exceptionCodeToHTTPStatus.cpp. */
const STATUSES: Readonly<Record<number, number>> = {
  ...Object.fromEntries([6, 26, 27, 38, 41, 43, 53, 62, 69, 70, 72, 457].map((code) => [code, 400])),
  ...Object.fromEntries([16, 46, 47, 50, 60, 81, 115].map((code) => [code, 404])),
  ...{ 48: 501, 159: 408, 194: 401, 497: 403, 516: 403 },
}
/** Parameters of the interface that are no settings of a statement. */
const RESERVED =
  /^(query|database|user|password|query_id|session_id|role|wait_end_of_query|buffer_size|compress|decompress|default_format|quota_key|enable_http_compression)$/

const pool = new EngineSessions(engine, folder, Number(sessions))
await pool.run(`create database if not exists ${DATABASE}`, { database: "default" })

const statements: Array<string> = []
let failing: { mode: FailureMode; times: number } | undefined

const nextFailure = (): FailureMode | undefined => {
  if (failing === undefined) return undefined
  failing.times -= 1
  const { mode } = failing
  if (failing.times <= 0) failing = undefined
  return mode
}

const FIELD_LENGTH_MAX = 131_072

const isKnown = ({ headers }: IncomingMessage, parameters: URLSearchParams): boolean => {
  const basic = `Basic ${Buffer.from(`${USER}:${PASSWORD}`).toString("base64")}`
  if (headers.authorization !== undefined) return headers.authorization === basic
  const user = headers["x-clickhouse-user"] ?? parameters.get("user")
  return user === USER && (headers["x-clickhouse-key"] ?? parameters.get("password")) === PASSWORD
}

const refuse = (response: ServerResponse, { code, message }: EngineError, status = STATUSES[code] ?? 500): void => {
  response.writeHead(status, { "content-type": "text/plain; charset=UTF-8", "x-clickhouse-exception-code": `${code}` })
  response.end(`${message} (version 26.7.2.1 (official build))\n`)
}

const answer = (response: ServerResponse, text: string, isCompressed: boolean, isCut: boolean): void => {
  const plain = Buffer.from(text)
  const body = isCompressed ? gzipSync(plain) : plain
  response.writeHead(200, {
    "content-type": "application/x-ndjson; charset=UTF-8",
    "x-clickhouse-server-display-name": "stand-in",
    "content-length": isCut ? body.length + 1 : body.length,
    ...(isCompressed && { "content-encoding": "gzip" }),
  })
  if (!isCut) return void response.end(body)
  response.write(body.subarray(0, body.length / 2), () => response.destroy())
  response.flushHeaders()
}

const notSet = (name: string): string =>
  `Code: 456. DB::Exception: Substitution \`${name}\` is not set. (UNKNOWN_QUERY_PARAMETER)`

const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const { pathname, searchParams } = new URL(request.url!, "http://server")
  if (pathname === "/ping") return void response.end("Ok.\n")
  const sent = await buffer(request)
  const body = (request.headers["content-encoding"] === "gzip" ? gunzipSync(sent) : sent).toString("utf8")
  const query = searchParams.get("query")
  const statement = query ?? body
  statements.push(statement)
  const mode = nextFailure()
  if (mode === "hang") return
  if (mode === "page" || mode === "gateway") {
    response.writeHead(mode === "page" ? 200 : 502, { "content-type": "text/html" })
    return void response.end(PAGE)
  }
  if (mode === "error")
    return refuse(
      response,
      new EngineError(241, "Code: 241. DB::Exception: Memory limit exceeded. (MEMORY_LIMIT_EXCEEDED)"),
    )
  if (!isKnown(request, searchParams)) {
    const sentence = `Code: 516. DB::Exception: ${USER}: Authentication failed: password is incorrect, or there is no user with such name. (AUTHENTICATION_FAILED)`
    return refuse(response, new EngineError(516, sentence))
  }
  // `http_max_field_value_size`, of a value as it is in the URL.
  const long = request.url!.split("&").find((one) => one.slice(one.indexOf("=") + 1).length > FIELD_LENGTH_MAX)
  if (long !== undefined)
    throw new EngineError(1000, "Code: 1000. DB::Exception: HTML Form Exception: Field value too long")
  const settings = [...searchParams].filter(([name]) => !RESERVED.test(name))
  // Sessions keep the parameters of earlier statements.
  for (const [, name] of statement.matchAll(/\{(\w+):/g)) {
    if (!searchParams.has(`param_${name}`)) throw new EngineError(456, notSet(name!))
  }
  const database = searchParams.get("database") ?? "default"
  const text = await pool.run(query === null ? body : `${query}\n${body}`, { database, settings })
  if (mode === "drop") return void response.destroy()
  const isCompressed =
    searchParams.get("enable_http_compression") === "1" && /\bgzip\b/.test(request.headers["accept-encoding"] ?? "")
  answer(response, text, isCompressed, mode === "cut")
}

const server = createServer({ maxHeaderSize: 1_048_576 }, (request, response) => {
  handle(request, response).catch((error: unknown) => {
    if (response.headersSent) response.destroy()
    else
      refuse(
        response,
        error instanceof EngineError ? error : new EngineError(1001, `Code: 1001. DB::Exception: ${error}`),
      )
  })
})

const listen = (port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once("error", reject)
    server.listen(port, "127.0.0.1", () => resolve((server.address() as AddressInfo).port))
  })
const port = await listen(0)

const obey = async (order: ServerOrder): Promise<unknown> => {
  if (order.kind === "statements") return statements
  if (order.kind === "run") {
    const text = await pool.run(order.statement, { database: DATABASE })
    return text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]))
  }
  failing = order.kind === "fail" ? { mode: order.mode, times: order.times ?? Number.POSITIVE_INFINITY } : undefined
  const isRefusing = failing?.mode === "refuse"
  if (isRefusing && server.listening) {
    server.close()
    server.closeAllConnections()
  }
  if (!isRefusing && !server.listening) await listen(port)
  return undefined
}

process.on("message", ({ id, order }: { readonly id: number; readonly order: ServerOrder }) => {
  obey(order).then(
    (value) => process.send!({ id, value } satisfies ServerAnswer),
    (error: unknown) => process.send!({ id, error: String(error) } satisfies ServerAnswer),
  )
})
process.on("disconnect", () => process.exit())
process.send!({ id: 0, value: port } satisfies ServerAnswer)
