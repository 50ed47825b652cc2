import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect } from "effect"
import { answerHistory, type FakeHistory } from "./FakeHistory.ts"
import { faultOfWebhook } from "./WebhookRequest.ts"

export const API_KEY = "CANARY-api-key-7f3c"

export interface StoredWebhook {
  readonly webhookID: string
  readonly webhookURL: string
  readonly webhookType: string
  readonly transactionTypes: ReadonlyArray<string>
  readonly accountAddresses: ReadonlyArray<string>
  readonly txnStatus?: string
  readonly encoding?: string
  readonly authHeader?: string
  readonly active: boolean
}

/** Faults of the next calls. */
type Trouble = number | "hang" | "cut" | "html" | "none"

const LISTED_ADDRESSES_MAX = 100

/**
 * Stand-in for Helius on loopback: accepts what Helius is documented to accept and refuses everything else as it does,
 * keeps webhooks in memory, and can be told to fail. Its errors quote request, key and secret, so that any leak
 * is detected.
 */
export class FakeHelius {
  url = ""
  webhooks: ReadonlyArray<StoredWebhook> = []
  /** Answered or not, without the key. */
  calls: Array<string> = []
  /** Which parts of a webhook answers show. */
  shows: { header: "plain" | "masked" | "not"; status: boolean; active: boolean } = {
    header: "plain",
    status: true,
    active: true,
  }
  /** Fields that it accepts and does not store. */
  forgets: ReadonlyArray<keyof StoredWebhook> = []
  history: FakeHistory = { landed: [], finalizedSlot: 0, fullMax: 1_000, asked: [] }
  #troubles: Array<Trouble> = []
  #waiting: Array<() => void> = []
  #made = 0

  failNext(calls: number, trouble: Trouble): void {
    this.#troubles.push(...Array.from({ length: calls }, () => trouble))
  }

  /** Resolves when the next call has arrived. */
  nextCall(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  /** As after many failed deliveries, or a change at the dashboard. */
  change(changes: Partial<StoredWebhook>, index = 0): void {
    this.webhooks = this.webhooks.map((one, at) => (at === index ? { ...one, ...changes } : one))
  }

  add(webhook: Omit<StoredWebhook, "webhookID">): void {
    const webhookID = `${String(++this.#made).padStart(8, "0")}-e89b-42d3-a456-426614174000`
    this.webhooks = [...this.webhooks, { ...webhook, webhookID }]
  }

  answer(request: IncomingMessage, text: string, response: ServerResponse): void {
    const { pathname, searchParams } = new URL(request.url!, "http://helius")
    this.calls.push(`${request.method} ${pathname}`)
    for (const resolve of this.#waiting.splice(0)) resolve()
    const say = (status: number, body: unknown) =>
      void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
    const refuse = (status: number, why: string) =>
      say(status, { error: { code: -32602, message: `${why}: ${request.url} ${text}` } })

    const trouble = this.#troubles.shift()
    if (trouble === "hang") return
    if (trouble === "cut") return void request.socket.destroy()
    if (trouble === "html") return void response.end(`<html>${request.url} ${text}</html>`)
    if (trouble !== undefined && trouble !== "none") {
      if (trouble === 302) response.setHeader("location", `${this.url}/elsewhere`)
      return refuse(trouble, "told to")
    }
    if (searchParams.get("api-key") !== API_KEY) return refuse(401, "Unauthorized")
    if (pathname === "/" && request.method === "POST") return answerHistory(this.history, text, say)
    const [, version, noun, id, ...rest] = pathname.split("/")
    if (version !== "v0" || noun !== "webhooks" || rest.length > 0) return refuse(404, "Not found")
    this.#answerWebhooks(request, id, text, say, refuse)
  }

  #answerWebhooks(
    request: IncomingMessage,
    id: string | undefined,
    text: string,
    say: (status: number, body: unknown) => void,
    refuse: (status: number, why: string) => void,
  ): void {
    const { headers, method } = request
    const hasBody = method === "POST" || method === "PUT" || method === "PATCH"
    // A type without a body is 400 (helius-labs/core-ai, f33486f), and so is the reverse.
    if (
      hasBody !== headers["content-type"]?.startsWith("application/json") &&
      (hasBody || text !== "" || headers["content-type"])
    )
      return refuse(400, "Content type")
    const body: unknown = hasBody ? JSON.parse(text) : undefined
    if (id === undefined) {
      if (method === "GET")
        return say(
          200,
          this.webhooks.map((one) => this.#shown(one, LISTED_ADDRESSES_MAX)),
        )
      if (method !== "POST") return refuse(404, "Not found")
      const fault = faultOfWebhook(body)
      if (fault !== undefined) return refuse(400, fault)
      this.add({ ...(body as StoredWebhook), active: true })
      return say(200, this.#shown(this.webhooks.at(-1)!))
    }
    const index = this.webhooks.findIndex(({ webhookID }) => webhookID === decodeURIComponent(id))
    const found = this.webhooks[index]
    if (found === undefined) return refuse(404, "Not found")
    if (method === "GET") return say(200, this.#shown(found))
    if (method === "DELETE") {
      this.webhooks = this.webhooks.filter((one) => one !== found)
      return say(200, { message: "deleted" })
    }
    if (method === "PATCH") {
      const { active, ...more } = body as { readonly active?: unknown }
      if (typeof active !== "boolean" || Object.keys(more).length > 0) return refuse(400, "active")
      if (!this.forgets.includes("active")) this.change({ active }, index)
      return say(200, this.#shown(this.webhooks[index]!))
    }
    const fault = faultOfWebhook(body)
    if (fault !== undefined) return refuse(400, fault)
    // Replaces the webhook: fields that are not sent are gone, except those that requests cannot have.
    const { active, webhookID } = found
    const forgotten = Object.fromEntries(this.forgets.map((name) => [name, found[name]]))
    const replaced = { ...(body as StoredWebhook), ...forgotten, webhookID, active }
    this.webhooks = this.webhooks.map((one) => (one === found ? replaced : one))
    say(200, this.#shown(replaced))
  }

  #shown({ active, authHeader, encoding, txnStatus, ...rest }: StoredWebhook, addressesMax = Infinity) {
    const { header, ...shows } = this.shows
    return {
      ...rest,
      wallet: "wallet-of-the-account",
      accountAddresses: rest.accountAddresses.slice(0, addressesMax),
      ...(header === "plain" && authHeader !== undefined ? { authHeader } : {}),
      ...(header === "masked" ? { authHeader: "••••••••" } : {}),
      ...(shows.status ? { txnStatus, encoding } : {}),
      ...(shows.active ? { active } : {}),
    }
  }
}

/** A Helius of its own for the duration of a test. */
export const fakeHelius = Effect.acquireRelease(
  Effect.promise(
    () =>
      new Promise<{ readonly helius: FakeHelius; readonly close: () => void }>((resolve) => {
        const helius = new FakeHelius()
        const server = createServer((request, response) => {
          let text = ""
          request.on("data", (chunk) => (text += chunk))
          request.on("end", () => helius.answer(request, text, response))
        })
        server.listen(0, "127.0.0.1", () => {
          helius.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
          const close = () => {
            server.close()
            server.closeAllConnections()
          }
          resolve({ helius, close })
        })
      }),
  ),
  ({ close }) => Effect.sync(close),
).pipe(Effect.map(({ helius }) => helius))
