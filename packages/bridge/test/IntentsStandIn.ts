import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect } from "effect"
import { type IntentsCall, type IntentsTrouble, makeTrouble, tampered } from "./IntentsFaults.ts"
import { type AskedQuote, quoteKey, quoteResponse, signed } from "./IntentsQuoteMaker.ts"
import { isJsonObject, quoteFaults, quoteRefusal, submissionFaults } from "./IntentsRequestChecks.ts"
import { statusBody, stateOf, type StandInSwap, type TimelineStep } from "./IntentsTimeline.ts"
import { STAND_IN_TOKENS } from "./IntentsTokens.ts"

/** A received request, answered or not. */
export interface SeenCall {
  readonly atMillis: number
  readonly call: IntentsCall | "other"
  readonly path: string
  readonly headers: IncomingMessage["headers"]
  /** The body as JSON, or the query. */
  readonly asked: Readonly<Record<string, unknown>>
}

interface Trouble {
  readonly trouble: IntentsTrouble
  readonly call: IntentsCall | undefined
  readonly address: string | undefined
  left: number
}

export interface StandInOptions {
  /** Without one no call may carry a key. */
  readonly apiKey?: string
  /** Whether calls without the key are refused; they cost more otherwise. */
  readonly isKeyRequired?: boolean
  /** Its clock, in milliseconds since 1970. */
  readonly now?: () => number
}

const CALLS: ReadonlyMap<string, IntentsCall> = new Map([
  ["GET /v0/tokens", "tokens"],
  ["POST /v0/quote", "quote"],
  ["POST /v0/deposit/submit", "submit"],
  ["GET /v0/status", "status"],
])

const KEYED_FEE_BPS = 1
const UNKEYED_FEE_BPS = 20

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Stand-in for the swap service on loopback. It refuses what the service refuses, signs its quotes with its own key,
 * gives every quote a unique deposit address, keeps swaps whose course tests define, and can be told to fail.
 */
export class IntentsStandIn {
  readonly key = quoteKey()
  /** The key that quotes are to be checked with. */
  readonly publicKey = this.key.publicKey
  readonly seen: Array<SeenCall> = []
  readonly swaps: Array<StandInSwap> = []
  /** The most requests that were open at once. */
  openMax = 0
  /** Every connection is reset when a request arrives. */
  isAway = false
  /** Called with every quote that is not dry, before it is answered. */
  onQuote: (swap: StandInSwap) => void = () => undefined
  /** The fault of a call that no configured fault matches. */
  chance: (call: IntentsCall, asked: unknown) => IntentsTrouble | undefined = () => undefined
  readonly usdMinimum = new Map<string, number>()
  readonly #options: StandInOptions
  #troubles: Array<Trouble> = []
  #waiting: Array<{ readonly isDone: () => boolean; readonly resolve: () => void }> = []
  #server: Server | undefined
  #port = 0
  #open = 0

  constructor(options: StandInOptions = {}) {
    this.#options = options
  }

  /** A running one; it stops with the scope. */
  static readonly make = (options: StandInOptions = {}) =>
    Effect.acquireRelease(
      Effect.promise(async () => {
        const standIn = new IntentsStandIn(options)
        await standIn.start()
        return standIn
      }),
      (standIn) => Effect.promise(() => standIn.stop()),
    )

  get url(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  /** A second start uses the same port. */
  async start(): Promise<void> {
    const server = createServer((request, response) => this.#take(request, response))
    this.#server = server
    await new Promise<void>((resolve) => server.listen(this.#port, "127.0.0.1", resolve))
    this.#port = (server.address() as AddressInfo).port
  }

  async stop(): Promise<void> {
    const server = this.#server
    this.#server = undefined
    if (server === undefined) return
    const closed = new Promise((resolve) => server.close(resolve))
    server.closeAllConnections()
    await closed
  }

  /** Faults for calls, in order; the first match applies. Without `times`, until `recover`. */
  trouble(
    trouble: IntentsTrouble,
    where: { readonly call?: IntentsCall; readonly address?: string; readonly times?: number } = {},
  ): void {
    this.#troubles.push({ trouble, call: where.call, address: where.address, left: where.times ?? Infinity })
  }

  /** Removes every fault, and starts again. */
  recover(): void {
    this.#troubles = []
    this.isAway = false
  }

  /** Defines the course of a swap from now on. */
  tell(depositAddress: string, steps: ReadonlyArray<TimelineStep>, depositMemo?: string): void {
    const swap = this.swapAt(depositAddress, depositMemo)
    swap.steps = steps
    swap.toldAtMillis = this.#now()
    swap.polls = 0
    swap.seen = { step: -1, atMillis: this.#now() }
  }

  swapAt(depositAddress: string, depositMemo?: string): StandInSwap {
    const swap = this.#find(depositAddress, depositMemo)
    if (swap === undefined) throw new Error(`no swap at ${depositAddress}`)
    return swap
  }

  calls(call: IntentsCall): ReadonlyArray<SeenCall> {
    return this.seen.filter((one) => one.call === call)
  }

  /** The most requests that arrived within `millis`. */
  burst(millis: number): number {
    const times = this.seen.map(({ atMillis }) => atMillis)
    return Math.max(0, ...times.map((from) => times.filter((at) => at >= from && at < from + millis).length))
  }

  /** Requests that are neither answered nor aborted. */
  get open(): number {
    return this.#open
  }

  /** Resolves once `isDone` holds, checked whenever a request arrives or ends. */
  until(isDone: (standIn: this) => boolean): Promise<void> {
    if (isDone(this)) return Promise.resolve()
    return new Promise((resolve) => this.#waiting.push({ isDone: () => isDone(this), resolve }))
  }

  #now(): number {
    return this.#options.now?.() ?? Date.now()
  }

  #find(depositAddress: unknown, depositMemo: unknown): StandInSwap | undefined {
    return this.swaps.find((swap) => swap.depositAddress === depositAddress && swap.depositMemo === depositMemo)
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    let text = ""
    this.openMax = Math.max(this.openMax, ++this.#open)
    response.on("close", () => {
      this.#open--
      this.#look()
    })
    request.setEncoding("utf8")
    request.on("data", (chunk) => (text += chunk))
    request.on("end", () => {
      const { pathname, searchParams } = new URL(request.url!, "http://intents")
      const call = CALLS.get(`${request.method} ${pathname}`)
      const body = request.method === "POST" ? parsed(text) : Object.fromEntries(searchParams)
      const asked = isJsonObject(body) ? body : {}
      const atMillis = this.#now()
      this.seen.push({ atMillis, call: call ?? "other", path: request.url!, headers: request.headers, asked })
      if (this.isAway) response.socket?.resetAndDestroy()
      else this.#meet(call, body, request, response)
      this.#look()
    })
  }

  #look(): void {
    const done = this.#waiting.filter(({ isDone }) => isDone())
    this.#waiting = this.#waiting.filter((one) => !done.includes(one))
    for (const { resolve } of done) resolve()
  }

  #meet(call: IntentsCall | undefined, body: unknown, request: IncomingMessage, response: ServerResponse): void {
    const address = isJsonObject(body) ? body.depositAddress : undefined
    const found = this.#troubles.find(
      (one) =>
        one.left > 0 &&
        (one.call === undefined || one.call === call) &&
        (one.address === undefined || one.address === address),
    )
    if (found !== undefined) found.left--
    const trouble = found?.trouble ?? (call && this.chance(call, body))
    if (trouble !== undefined && makeTrouble(trouble, response)) return
    const answer = () => this.#answer(call, body, request, response, trouble)
    if (typeof trouble === "object" && "slowMillis" in trouble) setTimeout(answer, trouble.slowMillis)
    else answer()
  }

  #answer(
    call: IntentsCall | undefined,
    body: unknown,
    request: IncomingMessage,
    response: ServerResponse,
    trouble: IntentsTrouble | undefined,
  ): void {
    const say = (status: number, json: unknown) =>
      void response.writeHead(status, { "content-type": "application/json; charset=utf-8" }).end(JSON.stringify(json))
    const refuse = (status: number, message: string | ReadonlyArray<string>) => say(status, { message })

    if (call === undefined)
      return say(404, { message: `Cannot ${request.method} ${request.url}`, error: "Not Found", statusCode: 404 })
    if (request.method === "POST" && !request.headers["content-type"]?.startsWith("application/json"))
      return refuse(400, "content type must be application/json")
    if (call === "tokens") return say(200, this.#tokens())
    const { apiKey, isKeyRequired } = this.#options
    const { authorization, "x-api-key": alone } = request.headers
    const given = authorization ?? (alone === undefined ? undefined : `Bearer ${String(alone)}`)
    if (given === undefined ? isKeyRequired : given !== `Bearer ${apiKey}`)
      return refuse(401, "API key or JWT token is invalid")

    if (call === "quote") {
      const faults = quoteFaults(body)
      if (faults.length > 0 || !isJsonObject(body)) return refuse(400, faults)
      const refusal = quoteRefusal(body, { usdMinimum: this.usdMinimum }, this.#now())
      if (refusal !== undefined) return refuse(400, refusal)
      const how = typeof trouble === "object" && "tamper" in trouble ? trouble.tamper : undefined
      const quoted = this.#quote(body, given === undefined ? UNKEYED_FEE_BPS : KEYED_FEE_BPS, how !== undefined)
      return say(201, how === undefined ? quoted : tampered(quoted, how, this.key))
    }
    if (call === "submit") {
      const faults = submissionFaults(body)
      if (faults.length > 0 || !isJsonObject(body)) return refuse(400, faults)
      const swap = this.#find(body.depositAddress, body.memo)
      if (swap === undefined) return refuse(404, "Deposit address not found")
      if (!swap.submitted.includes(String(body.txHash))) swap.submitted.push(String(body.txHash))
      return say(201, statusBody(swap, stateOf(swap, this.#now())))
    }
    if (!isJsonObject(body) || typeof body.depositAddress !== "string")
      return refuse(400, ["depositAddress must be a string", "depositAddress should not be empty"])
    const swap = this.#find(body.depositAddress, body.depositMemo)
    if (swap === undefined) return refuse(404, "Deposit address not found")
    const state = stateOf(swap, this.#now())
    swap.polls++
    if (state.status === "404") return refuse(404, "Deposit address not found")
    return say(200, statusBody(swap, state))
  }

  #tokens(): unknown {
    const priceUpdatedAt = new Date(this.#now()).toISOString()
    return STAND_IN_TOKENS.map((token) => ({ ...token, minimum: undefined, priceUpdatedAt }))
  }

  /** The body was validated. */
  #quote(body: Readonly<Record<string, unknown>>, feeBps: number, isTampered: boolean) {
    const asked: AskedQuote = JSON.parse(JSON.stringify(body))
    const now = this.#now()
    const made = quoteResponse(asked, `${this.publicKey} ${this.swaps.length}`, feeBps, now)
    const response = { ...made, ...signed(this.key, made), quote: made.quote }
    const { depositAddress, depositMemo } = made.quote
    if (asked.dry) return response
    const swap: StandInSwap = {
      depositAddress: String(depositAddress),
      depositMemo: typeof depositMemo === "string" ? depositMemo : undefined,
      ...{ response, isTampered, submitted: [], steps: [], toldAtMillis: now, polls: 0 },
      seen: { step: -1, atMillis: now },
    }
    this.swaps.push(swap)
    this.onQuote(swap)
    return response
  }
}
