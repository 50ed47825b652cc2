import { Readable } from "node:stream"
import type { ClickHouseClient, ClickHouseSettings } from "@clickhouse/client"
import { Effect, Redacted, type Scope } from "effect"
import type { ClickHouse, ClickHouseParameters, SelectOptions } from "./ClickHouse.ts"
import { ClickHouseFailed, clickHouseFailed } from "./ClickHouseFailed.ts"
import { exceptionOf, faultOfAnswer, faultOfConnection, isMarkup } from "./ClickHouseFault.ts"
import type { HistoryUrl } from "./HistoryUrl.ts"

export interface ClickHouseOptions {
  /** Most bytes of an answer, uncompressed; 64 MiB unless told. */
  readonly bytesMax?: number
  /** Connections that are open at a time; 10 unless told. */
  readonly connectionsMax?: number
}

const BYTES_MAX = 64 * 1024 * 1024
/** Enough for any error; the rest is not read. */
const ERROR_BYTES_MAX = 16_384
const CONNECTIONS_MAX = 10
const ROWS_MAX = 100_000
const SELECT_MILLIS = 10_000
const WRITE_MILLIS = 60_000
/** Of a silent socket: only what the deadline of a statement has missed. */
const SOCKET_MILLIS = 3_600_000

const OK = 200

/** What every statement is sent with. */
const SETTINGS: ClickHouseSettings = {
  // The status of an answer is that of the whole: no error after rows.
  wait_end_of_query: 1,
}

const READ_SETTINGS: ClickHouseSettings = {
  ...SETTINGS,
  result_overflow_mode: "throw",
  timeout_overflow_mode: "throw",
  output_format_json_quote_64bit_integers: 1,
  cancel_http_readonly_queries_on_client_close: 1,
  // What was sent twice is in one partition: partitions are functions of the key.
  do_not_merge_across_partitions_select_final: 1,
}

const INSERT_SETTINGS: ClickHouseSettings = {
  ...SETTINGS,
  // An answer means stored.
  async_insert: 0,
  // Tables take a row twice; an insert that is skipped as known would not reach what is filled from its table.
  insert_deduplicate: 0,
  input_format_null_as_default: 0,
}

interface Sent {
  readonly statement: string
  readonly values?: Readable
  readonly parameters?: ClickHouseParameters
  readonly settings: ClickHouseSettings
  readonly timeoutMillis: number
}

interface Answer {
  readonly stream: Readable
  readonly status: number
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
}

/** A client of a server's HTTP interface, closed with its scope. */
export const clickHouseClient = (
  url: HistoryUrl,
  options: ClickHouseOptions = {},
): Effect.Effect<ClickHouse, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { bytesMax = BYTES_MAX } = options
    const client = yield* Effect.acquireRelease(
      Effect.promise(() => openClient(url, options)),
      (client) => Effect.promise(() => client.close()),
    )

    /** Sends a statement and reads a successful answer with `read`. */
    const send = <A>(
      { parameters, settings, statement, timeoutMillis, values }: Sent,
      read: (answer: Answer) => Promise<A>,
    ) =>
      Effect.tryPromise({
        try: async (signal) => {
          const { http_status_code, response_headers, stream } = await client.exec({
            query: statement,
            ...(values && { values }),
            ...(parameters && { query_params: { ...parameters } }),
            clickhouse_settings: { ...settings, max_execution_time: Math.ceil(timeoutMillis / 1_000) },
            // Its own reading of an error has no bound.
            ignore_error_response: true,
            abort_signal: signal,
          })
          const abort = () => stream.destroy()
          signal.addEventListener("abort", abort)
          stream.on("error", () => undefined)
          try {
            if (signal.aborted) throw clickHouseFailed("ClickHouse was not waited for", false)
            return await refusingErrors(url, { stream, status: http_status_code ?? 0, headers: response_headers }, read)
          } finally {
            signal.removeEventListener("abort", abort)
            // What was not read to its end holds the connection.
            if (!stream.readableEnded) stream.destroy()
          }
        },
        catch: (error) => (error instanceof ClickHouseFailed ? error : faultOfConnection(error)),
      }).pipe(
        Effect.timeoutOrElse({
          duration: timeoutMillis,
          orElse: () =>
            Effect.fail(clickHouseFailed(`ClickHouse did not answer within ${timeoutMillis / 1_000} s`, false)),
        }),
      )

    const select = Effect.fn("ClickHouse.select")(function* (
      statement: string,
      parameters: ClickHouseParameters = {},
      { rowsMax = ROWS_MAX, timeoutMillis = SELECT_MILLIS }: SelectOptions = {},
    ) {
      const settings = { ...READ_SETTINGS, max_result_rows: `${rowsMax}`, max_result_bytes: `${bytesMax}` }
      const text = yield* send(
        { statement: `${statement}\nformat JSONEachRow`, parameters, settings, timeoutMillis },
        (answer) => wholeText(answer, bytesMax),
      )
      return yield* rowsOf(url, text, rowsMax)
    })

    const insert: ClickHouse["insert"] = Effect.fn("ClickHouse.insert")(function* (table, columns, rows) {
      if (rows.length === 0) return
      const statement = `insert into ${table} (${columns.join(", ")}) format JSONCompactEachRow`
      const values = Readable.from([Buffer.from(rows.map(lineOf).join(""))], { objectMode: false })
      yield* send({ statement, values, settings: INSERT_SETTINGS, timeoutMillis: WRITE_MILLIS }, acknowledged)
    })

    const command: ClickHouse["command"] = Effect.fn("ClickHouse.command")(function* (
      statement,
      parameters = {},
      { timeoutMillis = WRITE_MILLIS } = {},
    ) {
      yield* send({ statement, parameters, settings: SETTINGS, timeoutMillis }, acknowledged)
    })

    // The statement says what its rows are.
    return { select: select as ClickHouse["select"], insert, command }
  })

/** Loaded where history is configured: the client takes memory in every process. */
const openClient = async (url: HistoryUrl, options: ClickHouseOptions): Promise<ClickHouseClient> => {
  const { ClickHouseLogLevel, createClient } = await import("@clickhouse/client")
  return createClient({
    url: url.origin,
    username: url.user,
    password: Redacted.value(url.password),
    database: url.database,
    request_timeout: SOCKET_MILLIS,
    max_open_connections: options.connectionsMax ?? CONNECTIONS_MAX,
    keep_alive: { eagerly_destroy_stale_sockets: true },
    // It would write statements and errors with the URL.
    log: { level: ClickHouseLogLevel.OFF },
  })
}

const lineOf = (row: ReadonlyArray<unknown>): string =>
  `${JSON.stringify(row.map((value) => (typeof value === "bigint" ? `${value}` : value)))}\n`

const refusingErrors = async <A>(url: HistoryUrl, answer: Answer, read: (answer: Answer) => Promise<A>): Promise<A> => {
  const { status } = answer
  const exceptionCode = headerOf(answer, "x-clickhouse-exception-code")
  if (status === OK && exceptionCode === undefined) return read(answer)
  const text = (await bytesOf(answer.stream, ERROR_BYTES_MAX)).bytes.toString("utf8")
  throw faultOfAnswer(url, { status, exceptionCode, contentType: headerOf(answer, "content-type"), text })
}

const headerOf = ({ headers }: Answer, name: string): string | undefined => {
  const value = headers[name]
  return typeof value === "string" ? value : value?.[0]
}

const NOT_CLICKHOUSE = clickHouseFailed("Not ClickHouse but a page answers at HISTORY_URL", false)

const NOT_EMPTY = clickHouseFailed("ClickHouse answered something where a statement has no answer", false)

/** ClickHouse answers what returns no rows with an empty body; anything else does not say that it was done. */
const acknowledged = async (answer: Answer): Promise<void> => {
  const { bytes } = await bytesOf(answer.stream, ERROR_BYTES_MAX)
  const text = bytes.toString("utf8")
  if (isMarkup({ contentType: headerOf(answer, "content-type"), text })) throw NOT_CLICKHOUSE
  if (text !== "") throw NOT_EMPTY
}

const wholeText = async (answer: Answer, bytesMax: number): Promise<string> => {
  const contentType = headerOf(answer, "content-type")
  if (isMarkup({ contentType, text: "" })) throw NOT_CLICKHOUSE
  // Without one of them the end of an answer is that of its connection, which can be cut.
  if (headerOf(answer, "content-length") === undefined && headerOf(answer, "transfer-encoding") === undefined)
    throw clickHouseFailed("The answer of ClickHouse does not say where it ends", false)
  const { bytes, isCut } = await bytesOf(answer.stream, bytesMax)
  if (isCut) throw clickHouseFailed(`ClickHouse answered more than ${bytesMax} bytes`, true)
  return bytes.toString("utf8")
}

/** The first bytes of a body; `isCut` when there were more. */
const bytesOf = async (
  stream: Readable,
  bytesMax: number,
): Promise<{ readonly bytes: Buffer; readonly isCut: boolean }> => {
  const pieces: Array<Buffer> = []
  let length = 0
  for await (const piece of stream) {
    pieces.push(piece)
    length += piece.length
    if (length > bytesMax) return { bytes: Buffer.concat(pieces).subarray(0, bytesMax), isCut: true }
  }
  return { bytes: Buffer.concat(pieces), isCut: false }
}

const rowsOf = (
  url: HistoryUrl,
  text: string,
  rowsMax: number,
): Effect.Effect<ReadonlyArray<object>, ClickHouseFailed> => {
  const lines = text.split("\n")
  const rest = lines.pop()
  if (lines.length > rowsMax)
    return Effect.fail(clickHouseFailed(`ClickHouse answered more than ${rowsMax} rows`, true))
  const rows: Array<object> = []
  for (const line of lines) {
    const row = objectOf(line)
    if (row === undefined) return Effect.fail(malformed(url, text))
    rows.push(row)
  }
  return rest === "" ? Effect.succeed(rows) : Effect.fail(malformed(url, text))
}

const objectOf = (line: string): object | undefined => {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** A server or proxy may write an error after rows that it had sent. */
const malformed = (url: HistoryUrl, text: string): ClickHouseFailed => {
  if (isMarkup({ text })) return NOT_CLICKHOUSE
  const end = text.slice(-ERROR_BYTES_MAX)
  return exceptionOf(end) === undefined
    ? clickHouseFailed("The answer of ClickHouse is cut short or holds no rows of JSON", false)
    : faultOfAnswer(url, { status: OK, text: end })
}
