import { setTimeout as sleep } from "node:timers/promises"
import { contractFault } from "../ContractCheck.ts"
import type { Kind, Ledger } from "./Ledger.ts"

/** Longer than a request waits for another one with its key. After that there will be no answer. */
const DEADLINE_MILLIS = 120_000
const PAUSE_MILLIS = 100
/** The longest Retry-After that is honoured: the service should be busy when it is killed. */
const PATIENCE_MILLIS = 250
const TEXT_LENGTH_MAX = 500

export interface Answer {
  readonly status: number
  readonly bytes: Buffer
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any
}

export interface WriteRequest {
  readonly method?: "POST" | "PATCH" | "DELETE"
  readonly path: string
  /** Sent as JSON. */
  readonly json?: unknown
  /** Sent as it is. */
  readonly text?: string
  /** Created again for each attempt, as in a browser. */
  readonly form?: () => FormData
  readonly headers?: Readonly<Record<string, string>>
  /** For a POST: the key that its attempts share. */
  readonly key?: string
  /** The meaning of an error status after the first attempt; `undefined` if it has none. */
  readonly onRepeat?: (answer: Answer) => Promise<Answer | undefined> | undefined
}

/** A dApp that retries every write with the same key and body until it is acknowledged. */
export class DurableClient {
  readonly url: string
  readonly ledger: Ledger
  readonly #signal: AbortSignal

  constructor(url: string, ledger: Ledger, signal: AbortSignal) {
    this.url = url
    this.ledger = ledger
    this.#signal = signal
  }

  async write(kind: Kind, request: WriteRequest): Promise<Answer> {
    const { headers, json, key, method = "POST", onRepeat, path, text } = request
    const sent = {
      ...((json !== undefined || text !== undefined) && { "content-type": "application/json" }),
      ...(key !== undefined && { "idempotency-key": key }),
      ...headers,
    }
    for (let attempt = 1; ; attempt++) {
      const body = request.form?.() ?? text ?? (json === undefined ? null : JSON.stringify(json))
      const answer = await this.#attempt(path, { method, headers: sent, body })
      const isRefused = answer !== undefined && answer.status >= 300 && answer.status < 500
      const meant = isRefused && attempt > 1 ? await onRepeat?.(answer) : undefined
      const acknowledged = meant ?? (answer !== undefined && answer.status < 300 ? answer : undefined)
      if (acknowledged !== undefined) {
        this.ledger.acknowledge(kind)
        return acknowledged
      }
      // Another attempt with this key is in flight, in a process that may have been killed.
      if (isRefused && !isUnderWay(answer))
        throw new Error(`${method} ${path} (attempt ${attempt}) answered ${answer.status} ${answer.bytes}`)
    }
  }

  /** The answer to a read, once there is one. */
  async read(path: string, init: RequestInit = {}): Promise<Answer> {
    for (;;) {
      const answer = await this.#attempt(path, init)
      if (answer !== undefined && answer.status < 500) return answer
    }
  }

  /** One attempt; waits a little when the answer only asks for a retry. */
  async #attempt(path: string, init: RequestInit): Promise<Answer | undefined> {
    this.#signal.throwIfAborted()
    const deadline = AbortSignal.timeout(DEADLINE_MILLIS)
    const signal = AbortSignal.any([deadline, this.#signal])
    const found = await fetch(`${this.url}${path}`, { ...init, signal })
      .then(async (response) => ({ response, bytes: Buffer.from(await response.arrayBuffer()) }))
      .catch(() => undefined)
    if (deadline.aborted)
      this.ledger.faults.push(`${init.method ?? "GET"} ${path}: no answer within ${DEADLINE_MILLIS} ms`)
    const answer = found && { status: found.response.status, bytes: found.bytes, body: jsonOf(found) }
    this.#count(answer)
    if (answer !== undefined) this.#judge(init.method ?? "GET", path, answer, found!.response.headers)
    if (answer === undefined || answer.status >= 500 || isUnderWay(answer)) {
      const seconds = Number(found?.response.headers.get("retry-after") ?? 0)
      await sleep(Math.min(PATIENCE_MILLIS, Math.max(PAUSE_MILLIS, seconds * 1_000)))
    }
    return answer
  }

  #count(answer: Answer | undefined): void {
    const name = answer === undefined ? "broken" : `${answer.status} ${answer.body?.code ?? ""}`.trim()
    this.ledger.answers.set(name, (this.ledger.answers.get(name) ?? 0) + 1)
  }

  #judge(method: string, path: string, { bytes, status }: Answer, headers: Headers): void {
    const said = `${method} ${path} answered ${status} ${bytes.subarray(0, TEXT_LENGTH_MAX)}`
    const contentType = headers.get("content-type")
    const fault = contractFault({ method, url: path, status, contentType, text: bytes.toString() })
    if (fault !== undefined) this.ledger.faults.push(fault)
    if (status === 500) this.ledger.serverErrors.push(said)
    else if (status > 500 && status !== 503) this.ledger.faults.push(said)
    else if (status === 503 && !(Number(headers.get("retry-after")) > 0))
      this.ledger.faults.push(`${said}, without saying when to try again`)
  }
}

const jsonOf = ({ bytes, response }: { readonly response: Response; readonly bytes: Buffer }): unknown => {
  if (!response.headers.get("content-type")?.startsWith("application/json")) return undefined
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return undefined
  }
}

const isUnderWay = ({ body, status }: Answer): boolean => status === 409 && body?.code === "request_in_flight"
