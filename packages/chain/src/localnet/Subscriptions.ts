import type { WebSocket } from "ws"
import { accountJson, addressParam } from "./AccountMethods.ts"
import { invalidParams } from "./JsonRpcFault.ts"
import { type Account, goneAccount } from "./Account.ts"
import type { Ledger } from "./Ledger.ts"
import type { Outcome } from "./Outcome.ts"

/** More than any wallet needs; stops a client that subscribes in an endless loop. */
const SUBSCRIPTIONS_MAX = 1_000

type Subscription =
  | { readonly kind: "signature"; readonly signature: string }
  | { readonly kind: "account"; readonly address: string; readonly options: unknown; last: string }
  | { readonly kind: "slot" }

/** The subscriptions of one WebSocket connection: signatures, accounts and slots, as Solana's PubSub has them. */
export class Subscriptions {
  readonly #ledger: Ledger
  readonly #socket: WebSocket
  readonly #subscriptions = new Map<number, Subscription>()
  readonly #stop: () => void
  #next = 1
  #slots: NodeJS.Timeout | undefined

  constructor(ledger: Ledger, socket: WebSocket) {
    this.#ledger = ledger
    this.#socket = socket
    this.#stop = ledger.onOutcome((outcome) => this.#happened(outcome))
  }

  /** Methods of this connection. The answer to a subscription is its number. */
  get methods(): Readonly<Record<string, (params: ReadonlyArray<unknown>) => unknown>> {
    const unsubscribe = ([id]: ReadonlyArray<unknown>) => this.#remove(id)
    return {
      signatureSubscribe: ([signature]) => {
        if (typeof signature !== "string") throw invalidParams("expected a signature")
        const id = this.#add({ kind: "signature", signature })
        const known = this.#ledger.outcome(signature)
        // What has already happened is notified right after the subscription id.
        if (known !== undefined) setImmediate(() => this.#tellSignature(id, known))
        return id
      },
      accountSubscribe: ([address, options]) => {
        const wanted = addressParam(address)
        const account = this.#ledger.account(wanted)
        // Rejects unsupported options now rather than at the first notification.
        if (account !== undefined) accountJson(account, options)
        const last = fingerprint(account)
        return this.#add({ kind: "account", address: wanted, options, last })
      },
      slotSubscribe: () => {
        this.#slots ??= setInterval(() => this.#tellSlot(), this.#ledger.clock.slotMillis)
        return this.#add({ kind: "slot" })
      },
      signatureUnsubscribe: unsubscribe,
      accountUnsubscribe: unsubscribe,
      slotUnsubscribe: unsubscribe,
    }
  }

  close(): void {
    this.#stop()
    clearInterval(this.#slots)
    this.#subscriptions.clear()
  }

  #add(subscription: Subscription): number {
    if (this.#subscriptions.size >= SUBSCRIPTIONS_MAX)
      throw invalidParams(`at most ${SUBSCRIPTIONS_MAX} subscriptions a connection`)
    this.#subscriptions.set(this.#next, subscription)
    return this.#next++
  }

  #remove(id: unknown): true {
    if (typeof id !== "number" || !this.#subscriptions.delete(id)) throw invalidParams("no such subscription")
    return true
  }

  #happened(outcome: Outcome): void {
    for (const [id, subscription] of this.#subscriptions) {
      if (subscription.kind === "signature" && subscription.signature === outcome.signature)
        this.#tellSignature(id, outcome)
      if (subscription.kind === "account") this.#tellAccount(id, subscription)
    }
  }

  /** A signature is notified once, which ends its subscription. */
  #tellSignature(id: number, { err, slot }: Outcome): void {
    if (this.#subscriptions.delete(id)) this.#notify("signatureNotification", id, this.#withContext({ err }, slot))
  }

  #tellAccount(id: number, subscription: Subscription & { readonly kind: "account" }): void {
    const account = this.#ledger.account(subscription.address)
    const now = fingerprint(account)
    if (now === subscription.last) return
    subscription.last = now
    this.#notify(
      "accountNotification",
      id,
      this.#withContext(accountJson(account ?? goneAccount(subscription.address), subscription.options)),
    )
  }

  #tellSlot(): void {
    const slot = Number(this.#ledger.slot)
    for (const [id, { kind }] of this.#subscriptions)
      if (kind === "slot") this.#notify("slotNotification", id, { slot, parent: slot - 1, root: slot - 32 })
  }

  #withContext(value: unknown, slot: bigint = this.#ledger.slot) {
    return { context: { slot: Number(slot) }, value }
  }

  #notify(method: string, subscription: number, result: unknown): void {
    this.#socket.send(JSON.stringify({ jsonrpc: "2.0", method, params: { result, subscription } }))
  }
}

const fingerprint = (account: Account | undefined): string =>
  account === undefined ? "" : `${account.owner} ${account.lamports} ${Buffer.from(account.data).toString("base64")}`
