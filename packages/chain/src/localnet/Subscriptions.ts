import type { WebSocket } from "ws"
import { accountJson, addressParam, passes } from "./AccountMethods.ts"
import { accountsOf } from "./HistoryMethods.ts"
import { invalidParams } from "./JsonRpcFault.ts"
import { type Account, goneAccount } from "./Account.ts"
import type { Ledger } from "./Ledger.ts"
import type { Outcome } from "./Outcome.ts"

/** More than any wallet needs; stops a client that subscribes in an endless loop. */
const SUBSCRIPTIONS_MAX = 1_000

type Subscription =
  | { readonly kind: "signature"; readonly signature: string }
  | { readonly kind: "account"; readonly address: string; readonly options: unknown; last: string }
  | { readonly kind: "program"; readonly program: string; readonly options: unknown }
  | { readonly kind: "logs"; readonly mentions: string | undefined }
  | { readonly kind: "slot" }
  | { readonly kind: "root" }

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
    this.#stop = ledger.onOutcome((outcome, written) => this.#happened(outcome, written))
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
        if (account !== undefined) accountJson(this.#ledger, account, options)
        const last = fingerprint(account)
        return this.#add({ kind: "account", address: wanted, options, last })
      },
      programSubscribe: ([program, options]) => this.#add({ kind: "program", program: addressParam(program), options }),
      logsSubscribe: ([filter]) => this.#add({ kind: "logs", mentions: mentionsOf(filter) }),
      slotSubscribe: () => this.#addOfSlots("slot"),
      rootSubscribe: () => this.#addOfSlots("root"),
      signatureUnsubscribe: unsubscribe,
      accountUnsubscribe: unsubscribe,
      programUnsubscribe: unsubscribe,
      logsUnsubscribe: unsubscribe,
      slotUnsubscribe: unsubscribe,
      rootUnsubscribe: unsubscribe,
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

  #addOfSlots(kind: "slot" | "root"): number {
    this.#slots ??= setInterval(() => this.#tellSlot(), this.#ledger.clock.slotMillis)
    return this.#add({ kind })
  }

  #remove(id: unknown): true {
    if (typeof id !== "number" || !this.#subscriptions.delete(id)) throw invalidParams("no such subscription")
    return true
  }

  #happened(outcome: Outcome, written: ReadonlyArray<string>): void {
    for (const [id, subscription] of this.#subscriptions) {
      if (subscription.kind === "signature" && subscription.signature === outcome.signature)
        this.#tellSignature(id, outcome)
      if (subscription.kind === "account") this.#tellAccount(id, subscription)
      if (subscription.kind === "program") this.#tellProgram(id, subscription, written)
      if (subscription.kind === "logs" && isMentioned(outcome, subscription.mentions)) this.#tellLogs(id, outcome)
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
      this.#withContext(accountJson(this.#ledger, account ?? goneAccount(subscription.address), subscription.options)),
    )
  }

  /** Each account of the program that the transaction may have changed. */
  #tellProgram(
    id: number,
    { options, program }: Subscription & { readonly kind: "program" },
    written: ReadonlyArray<string>,
  ): void {
    for (const address of written) {
      const account = this.#ledger.account(address)
      if (account?.owner !== program || !passes(account.data, options)) continue
      const value = { pubkey: address, account: accountJson(this.#ledger, account, options) }
      this.#notify("programNotification", id, this.#withContext(value))
    }
  }

  #tellLogs(id: number, { err, logs, signature, slot }: Outcome): void {
    this.#notify("logsNotification", id, this.#withContext({ signature, err, logs }, slot))
  }

  #tellSlot(): void {
    const slot = Number(this.#ledger.slot)
    for (const [id, { kind }] of this.#subscriptions)
      if (kind === "slot") this.#notify("slotNotification", id, { slot, parent: slot - 1, root: slot - 32 })
      else if (kind === "root") this.#notify("rootNotification", id, slot - 32)
  }

  #withContext(value: unknown, slot: bigint = this.#ledger.slot) {
    return { context: { slot: Number(slot) }, value }
  }

  #notify(method: string, subscription: number, result: unknown): void {
    this.#socket.send(JSON.stringify({ jsonrpc: "2.0", method, params: { result, subscription } }))
  }
}

/** `all`, or the one address that transactions have to name. */
const mentionsOf = (filter: unknown): string | undefined => {
  if (filter === "all" || filter === "allWithVotes") return undefined
  const { mentions } = (filter ?? {}) as { readonly mentions?: unknown }
  if (!Array.isArray(mentions) || mentions.length !== 1)
    throw invalidParams('expected "all" or one address in mentions')
  return addressParam(mentions[0])
}

const isMentioned = (outcome: Outcome, mentions: string | undefined): boolean =>
  mentions === undefined || accountsOf(outcome).includes(mentions)

const fingerprint = (account: Account | undefined): string =>
  account === undefined ? "" : `${account.owner} ${account.lamports} ${Buffer.from(account.data).toString("base64")}`
