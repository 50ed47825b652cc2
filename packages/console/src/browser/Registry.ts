/**
 * All of the console's access to the API. Paths are relative to the page, so that the service may be below a prefix.
 */
import { eventParser, type StreamEvent } from "./EventParser.ts"

/** A request that was not answered with data. */
export class Failure extends Error {
  /** HTTP status; 0 where there was no answer. */
  readonly status: number
  readonly code: string
  readonly requestId: string | undefined

  constructor(status: number, code: string, message: string, requestId?: string) {
    super(message)
    this.status = status
    this.code = code
    this.requestId = requestId
  }
}

/** A page of a list, or all that was asked for. */
export interface Page<A> {
  readonly data: A
  readonly nextCursor: string | null
}

/** Of an operator; it is never stored, and gone with the page. */
let adminKey = ""

export const setAdminKey = (key: string): void => {
  adminKey = key.trim()
}

const REQUEST_MILLIS = 15_000

const send = async (path: string, init: RequestInit): Promise<Response> => {
  const headers = new Headers(init.headers)
  if (adminKey !== "") headers.set("authorization", `Bearer ${adminKey}`)
  try {
    return await fetch(path, { ...init, headers, redirect: "error" })
  } catch (error) {
    if (init.signal?.aborted === true) throw error
    throw new Failure(0, "no_answer", "The service does not answer")
  }
}

const failureOf = (status: number, body: unknown): Failure => {
  const { code, message, requestId } = (body ?? {}) as { code?: unknown; message?: unknown; requestId?: unknown }
  return new Failure(
    status,
    typeof code === "string" ? code : "unexpected_answer",
    typeof message === "string" ? message : `The answer was ${status}, and not of this service`,
    typeof requestId === "string" ? requestId : undefined,
  )
}

/** Reads `data` of the envelope. Fails with a {@link Failure}, or with an `AbortError` when `signal` aborts. */
export const read = async <A>(
  path: string,
  query: Readonly<Record<string, string | undefined>> = {},
  signal?: AbortSignal,
): Promise<Page<A>> => {
  const given = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined)
  const search = new URLSearchParams(given).toString()
  const timeout = AbortSignal.timeout(REQUEST_MILLIS)
  const ended = signal === undefined ? timeout : AbortSignal.any([signal, timeout])
  let answer: { readonly status: number; readonly body: unknown }
  try {
    const response = await send(search === "" ? path : `${path}?${search}`, {
      headers: { accept: "application/json" },
      signal: ended,
    })
    answer = { status: response.status, body: await response.json().catch(() => null) }
  } catch (error) {
    if (timeout.aborted) throw new Failure(0, "timeout", "The service took too long to answer")
    throw error
  }
  const { body, status } = answer
  const envelope = body as { success?: boolean; data?: A; pagination?: { nextCursor?: string | null } } | null
  if (envelope?.success !== true) throw failureOf(status, body)
  return { data: envelope.data as A, nextCursor: envelope.pagination?.nextCursor ?? null }
}

const RETRY_MILLIS_MIN = 1_000
const RETRY_MILLIS_MAX = 30_000
/** Heartbeats come every 15 seconds. */
const SILENT_MILLIS_MAX = 40_000

/** What a reader of the stream is told. */
export interface StreamReader {
  readonly onEvent: (event: StreamEvent) => void
  readonly onState: (isLive: boolean) => void
}

/** Follows `/api/stream` until `signal` aborts: after a cut it resumes after the last event. */
export const follow = async (types: string, { onEvent, onState }: StreamReader, signal: AbortSignal): Promise<void> => {
  let lastId: string | undefined
  let wait = RETRY_MILLIS_MIN
  while (!signal.aborted) {
    const silent = new AbortController()
    let timer = setTimeout(() => silent.abort(), SILENT_MILLIS_MAX)
    try {
      const headers: Record<string, string> = { accept: "text/event-stream" }
      if (lastId !== undefined) headers["last-event-id"] = lastId
      const ended = AbortSignal.any([signal, silent.signal])
      const response = await send(`api/stream?types=${types}`, { headers, signal: ended })
      if (!response.ok || response.body === null) throw failureOf(response.status, null)
      onState(true)
      const parse = eventParser()
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
      for (;;) {
        const { done, value } = await reader.read()
        if (done) break
        wait = RETRY_MILLIS_MIN
        clearTimeout(timer)
        timer = setTimeout(() => silent.abort(), SILENT_MILLIS_MAX)
        const parsed = parse(value)
        lastId = parsed.lastId ?? lastId
        for (const event of parsed.events) onEvent(event)
      }
    } catch {
      // Whatever it was: the next attempt says whether it still is.
    } finally {
      clearTimeout(timer)
    }
    if (signal.aborted) return
    onState(false)
    await new Promise((resolve) => setTimeout(resolve, wait))
    wait = Math.min(wait * 2, RETRY_MILLIS_MAX)
  }
}
