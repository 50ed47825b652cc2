import { setTimeout } from "node:timers/promises"
import { openApiText } from "../../packages/service/fixtures/OpenApiExamples.ts"
import type { RecordedExchange } from "../../packages/service/fixtures/RecordedExchange.ts"

/** Finality compares what was received once a minute, and history sends what was compared. */
const DEADLINE_MILLIS = 150_000
const LOOK_MILLIS = 100

/** A request to record. */
export interface Asked {
  readonly name: string
  readonly summary: string
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  /** Sent without credentials. */
  readonly isStranger?: true
  /** Sent as JSON. */
  readonly body?: unknown
  /** Sent as a form; a file is recorded as base64. */
  readonly form?: Readonly<Record<string, string | File>>
  /** Expected status, 200 by default. */
  readonly status?: number
  /** Turns the start of a body that is not JSON into what is recorded; `undefined` to read on. */
  readonly text?: (soFar: string) => string | undefined
}

/** Calls a running service, and records requests and responses as examples of its operations. */
export class ExampleRecorder {
  readonly recorded: Record<string, Array<RecordedExchange>> = {}
  readonly #url: string
  readonly #credentials: Readonly<Record<string, string>>
  readonly #lines = new Map<string, string>()

  /** `credentials`: headers of every request, which are not recorded. */
  constructor(url: string, credentials: Readonly<Record<string, string>>) {
    this.#url = url
    this.#credentials = credentials
    const { paths } = JSON.parse(openApiText) as {
      readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>
    }
    for (const [path, operations] of Object.entries(paths))
      for (const [method, { operationId }] of Object.entries(operations))
        this.#lines.set(operationId, `${method.toUpperCase()} ${path}`)
  }

  /** The parsed body of a request that is not recorded. */
  // oxlint-disable-next-line typescript/no-explicit-any
  async read(path: string): Promise<any> {
    return (await fetch(`${this.#url}${path}`, { headers: this.#credentials })).json()
  }

  /** Reads it again until `find` finds something in its body, which is returned. */
  // oxlint-disable-next-line typescript/no-explicit-any
  async readUntil(path: string, find: (body: any) => any): Promise<any> {
    for (const before = Date.now(); Date.now() - before < DEADLINE_MILLIS; await setTimeout(LOOK_MILLIS)) {
      const found = find(await this.read(path))
      if (found !== undefined && found !== null) return found
    }
    throw new Error(`${path} never had what was waited for`)
  }

  /** Returns the parsed body. Fails if the status is not the expected one. */
  // oxlint-disable-next-line typescript/no-explicit-any
  async ask(operationId: string, asked: Asked): Promise<any> {
    const line = this.#lines.get(operationId)
    if (line === undefined) throw new Error(`There is no operation ${operationId}`)
    const [method = "", template = ""] = line.split(" ")
    const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(asked.path![name]!))
    const query = asked.query === undefined ? "" : `?${new URLSearchParams(asked.query).toString()}`
    const { mediaType, recordedBody, ...init } = await sent(asked)
    const headers = {
      ...(asked.isStranger === undefined && this.#credentials),
      ...asked.headers,
      ...(mediaType === "application/json" && { "content-type": mediaType }),
    }
    const abort = new AbortController()
    const signal = AbortSignal.any([abort.signal, AbortSignal.timeout(DEADLINE_MILLIS)])
    process.stdout.write(`${method} ${path}${query}\n`)
    const response = await fetch(`${this.#url}${path}${query}`, {
      ...{ ...init, method, signal, headers },
    })
    const text = asked.text === undefined ? await response.text() : await readUntil(response, asked.text)
    abort.abort()
    if (response.status !== (asked.status ?? 200)) throw new Error(`${line} is ${response.status}: ${text}`)
    const type = (response.headers.get("content-type") ?? "").split(";")[0]!
    const body: unknown = asked.text === undefined && type === "application/json" ? JSON.parse(text) : text
    const kept = (this.recorded[operationId] ??= [])
    kept.push({
      name: asked.name,
      summary: asked.summary,
      request: {
        line: `${method} ${path}${query}`,
        parameters: { ...asked.path, ...asked.query, ...asked.headers },
        ...(mediaType !== undefined && { mediaType, body: recordedBody }),
      },
      response: { status: response.status, mediaType: type, body },
    })
    return body
  }
}

const sent = async ({ body, form }: Asked) => {
  if (form !== undefined) {
    const parts = new FormData()
    for (const [name, part] of Object.entries(form)) parts.append(name, part)
    const recorded = Object.entries(form).map(async ([name, part]) => [
      name,
      typeof part === "string" ? part : Buffer.from(await part.arrayBuffer()).toString("base64"),
    ])
    const recordedBody: unknown = Object.fromEntries(await Promise.all(recorded))
    return { mediaType: "multipart/form-data", recordedBody, body: parts }
  }
  if (body === undefined) return { mediaType: undefined, recordedBody: undefined }
  return { mediaType: "application/json", recordedBody: body, body: JSON.stringify(body) }
}

/** Reads until `take` returns something. */
const readUntil = async (response: Response, take: (soFar: string) => string | undefined): Promise<string> => {
  let text = ""
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    text += Buffer.from(chunk).toString()
    const taken = take(text)
    if (taken !== undefined) return taken
  }
  throw new Error(`The body ended early: ${text}`)
}
