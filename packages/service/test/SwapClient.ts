import { setTimeout as sleep } from "node:timers/promises"
import { assertDeclared } from "./ContractCheck.ts"

/** Longer than a request waits here for another one with its key and for the swap service. */
const DEADLINE_MILLIS = 40_000
const PAUSE_MILLIS = 500
/** The longest Retry-After that the dApp honours. */
const PATIENCE_MILLIS = 1_000

// oxlint-disable-next-line typescript/no-explicit-any
type Data = any

/** The replicas behind a load balancer without health checks: each attempt goes to one of them. */
export interface Replicas {
  readonly next: () => string
  /** Every received answer, as text. */
  readonly transcript: Array<string>
  /** Answers by status and code, and broken connections. */
  readonly counts: Map<string, number>
}

/**
 * The data of an answer: retried after broken connections and 5xx, and while an equal request is in flight.
 */
export const ask = async (replicas: Replicas, path: string, init: RequestInit = {}): Promise<Data> => {
  for (;;) {
    const answer = await fetch(`${replicas.next()}${path}`, { ...init, signal: AbortSignal.timeout(DEADLINE_MILLIS) })
      .then(async (response) => ({ response, text: await response.text() }))
      .catch(() => undefined)
    const body: Data = answer && JSON.parse(answer.text)
    const name = answer === undefined ? "broken" : `${answer.response.status} ${body.code ?? ""}`.trim()
    replicas.counts.set(name, (replicas.counts.get(name) ?? 0) + 1)
    if (answer !== undefined) {
      const { headers, status } = answer.response
      replicas.transcript.push(answer.text)
      assertDeclared({
        ...{ method: init.method ?? "GET", url: path, status, text: answer.text },
        contentType: headers.get("content-type"),
      })
      if (status === 200) return body.data
      if (status < 500 && body.code !== "request_in_flight") throw new Error(`${path} answered ${answer.text}`)
      if (status === 503 && !(Number(headers.get("retry-after")) > 0))
        throw new Error(`${path} does not say when to try again: ${answer.text}`)
    }
    const seconds = Number(answer?.response.headers.get("retry-after") ?? 0)
    await sleep(Math.min(PATIENCE_MILLIS, Math.max(PAUSE_MILLIS, seconds * 1_000)))
  }
}

const json = (body: unknown, headers: Readonly<Record<string, string>> = {}): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json", ...headers },
  body: JSON.stringify(body),
})

/** A dApp with one swap. */
export class SwapClient {
  /** Every payable quote that it received. */
  readonly quotes: Array<Data> = []
  /** Transfers that it reported and that were accepted. */
  readonly reported: Array<string> = []
  /** Its request without an answer yet; of concurrent equal requests, the last. */
  asking: string | undefined
  readonly #replicas: Replicas
  readonly #key: string
  readonly #body: Readonly<Record<string, unknown>>

  constructor(replicas: Replicas, key: string, body: Readonly<Record<string, unknown>>) {
    this.#replicas = replicas
    this.#key = key
    this.#body = body
  }

  async #ask(path: string, init?: RequestInit): Promise<Data> {
    this.asking = path
    const data = await ask(this.#replicas, path, init)
    this.asking = undefined
    return data
  }

  async dry(): Promise<Data> {
    return this.#ask("/api/bridge/quote", json({ ...this.#body, dry: true }))
  }

  async quote(): Promise<void> {
    const body = { ...this.#body, dry: false }
    this.quotes.push(await this.#ask("/api/bridge/quote", json(body, { "idempotency-key": this.#key })))
  }

  async report(txHash: string): Promise<void> {
    const { depositAddress, depositMemo } = this.quotes[0]
    const memo = depositMemo === null ? {} : { memo: depositMemo }
    await this.#ask("/api/bridge/deposit", json({ depositAddress, ...memo, txHash }))
    this.reported.push(txHash)
  }

  async status(): Promise<Data> {
    const { depositAddress, depositMemo } = this.quotes[0]
    const memo = depositMemo === null ? "" : `?memo=${depositMemo}`
    return this.#ask(`/api/bridge/status/${depositAddress}${memo}`)
  }

  async record(): Promise<Data> {
    return this.#ask(`/api/bridge/swaps/${this.quotes[0].id}`)
  }
}
