import type { ServerResponse } from "node:http"
import type { RawTransaction } from "@launch-registry/chain/transactions/RawTransaction"
import { Effect, type Scope } from "effect"
import { jsonServer } from "../../chain/test/JsonServer.ts"
import type { GeneratedBlock } from "../fixtures/GeneratedModel.ts"
import {
  blockParams,
  contextOf,
  listingParams,
  NodeError,
  slotParam,
  statusParams,
  transactionParams,
} from "./NodeParams.ts"

interface JsonRpcCall {
  readonly jsonrpc: unknown
  readonly id: unknown
  readonly method: string
  readonly params: ReadonlyArray<unknown>
}

/** A fault instead of an answer. */
export type NodeFault =
  | { readonly result: unknown }
  | { readonly status: number }
  | { readonly code: number; readonly message?: string }
  | "hang"

export interface FaultOptions {
  /** By default all methods except probes. */
  readonly method?: string
  /** How many calls; by default all until `recover`. */
  readonly times?: number
}

type Block = Pick<GeneratedBlock, "slot" | "transactions">

const BLOCKHASH = "4QjEBrJnATvydaCoPb7j4cneA5vSJNFsAYHQwRAjAjmQ"
/** Other programs' transactions in each block. */
const VOTE = "1".repeat(64)
const RECENT_SLOTS = 150

export const signatureOf = (transaction: RawTransaction): string => transaction.transaction.signatures[0]!

/**
 * A node over blocks that tests define. It validates parameters as nodes do (agave, rpc.rs), has confirmed and
 * finalized blocks, and tests can make it lie, prune and fail.
 */
export class StandInCluster {
  genesisHash = "StandinGenesisHash1111111111111111111111111"
  confirmedSlot = 0
  finalizedSlot = 0
  /** Older slots are pruned. */
  firstAvailableSlot = 0
  /** Newer nodes return a transaction's index in its block. */
  tellsIndex = false
  /** Maximum length of listings, whatever is requested. */
  listedMax = Number.POSITIVE_INFINITY
  isDisordered = false
  /** The same for some addresses. */
  disordered: (address: string) => boolean = () => false
  /** Left out of listings. */
  readonly omitted = new Set<string>()
  /** Listed, but not available. */
  readonly withheld = new Set<string>()
  /** What is answered for a transaction instead of it, by signature; an error is one of the node. */
  readonly answered = new Map<string, unknown>()
  /** Told which addresses are listed. */
  onListing: (address: string) => void = () => undefined
  /** By method, without probes. */
  readonly calls = new Map<string, number>()
  url = ""
  readonly #blocks = new Map<number, ReadonlyArray<RawTransaction>>()
  #newestFirst: ReadonlyArray<RawTransaction> | undefined
  #faults: Array<{ readonly fault: NodeFault; readonly method: string | undefined; times: number }> = []

  /** Adds blocks, replacing those in their slots; they are visible once their slots are confirmed. */
  put(blocks: Iterable<Block>): this {
    for (const { slot, transactions } of blocks) this.#blocks.set(slot, transactions)
    this.#newestFirst = undefined
    return this
  }

  /** Forgets blocks of earlier slots. */
  prune(beforeSlot: number): this {
    for (const slot of this.#blocks.keys()) if (slot < beforeSlot) this.#blocks.delete(slot)
    this.firstAvailableSlot = Math.max(this.firstAvailableSlot, Math.min(beforeSlot, ...this.#blocks.keys()))
    this.#newestFirst = undefined
    return this
  }

  finalize(slot: number): this {
    this.finalizedSlot = slot
    this.confirmedSlot = Math.max(this.confirmedSlot, slot)
    return this
  }

  fail(fault: NodeFault, { method, times = Number.POSITIVE_INFINITY }: FaultOptions = {}): void {
    this.#faults.push({ fault, method, times })
  }

  /** Removes all faults. */
  recover(): void {
    this.#faults = []
    this.omitted.clear()
    this.withheld.clear()
    this.answered.clear()
    this.isDisordered = false
    this.disordered = () => false
    this.listedMax = Number.POSITIVE_INFINITY
    this.firstAvailableSlot = 0
  }

  callsOf(method: string): number {
    return this.calls.get(method) ?? 0
  }

  answer(call: JsonRpcCall, response: ServerResponse): void {
    const { id, method, params } = call
    if (!String(id).startsWith("probe-")) {
      this.calls.set(method, this.callsOf(method) + 1)
      const fault = this.#faultOf(method)
      if (fault === "hang") return
      if (fault !== undefined && "result" in fault) return respond(response, id, fault)
      if (fault !== undefined && "status" in fault) return void response.writeHead(fault.status).end("stand-in")
      if (fault !== undefined) return respond(response, id, { error: { message: "stand-in", ...fault } })
    }
    try {
      if (call.jsonrpc !== "2.0" || typeof method !== "string") throw new NodeError(-32600, "Invalid request")
      respond(response, id, { result: this.#result(method, params ?? []) })
    } catch (error) {
      const { code, data, message } = error as NodeError
      respond(response, id, { error: { code: code ?? -32603, message, ...(data && { data }) } })
    }
  }

  #faultOf(called: string): NodeFault | undefined {
    const found = this.#faults.find(({ method = called, times }) => method === called && times > 0)
    if (found !== undefined) found.times--
    return found?.fault
  }

  #result(method: string, params: ReadonlyArray<unknown>): unknown {
    switch (method) {
      case "getGenesisHash":
        return this.genesisHash
      case "getLatestBlockhash":
        return this.#inContext({
          blockhash: BLOCKHASH,
          lastValidBlockHeight: this.#reached(contextOf(params[0])) + 150,
        })
      case "getSlot":
        return this.#reached(contextOf(params[0]))
      case "getFirstAvailableBlock":
        return slotParam(this.firstAvailableSlot)
      case "getSignaturesForAddress":
        return this.#signatures(listingParams(params))
      case "getTransaction":
        return this.#transaction(transactionParams(params))
      case "getBlock":
        return this.#block(blockParams(params))
      case "getSignatureStatuses":
        return this.#statuses(statusParams(params))
      default:
        throw new NodeError(-32601, "Method not found")
    }
  }

  #inContext(value: unknown): unknown {
    return { context: { slot: this.confirmedSlot, apiVersion: "3.0.6" }, value }
  }

  /** The slot that a commitment has reached. */
  #reached({ commitment, minContextSlot = 0 }: ReturnType<typeof contextOf>): number {
    const slot = commitment === "finalized" ? this.finalizedSlot : this.confirmedSlot
    if (slot < minContextSlot)
      throw new NodeError(-32016, "Minimum context slot has not been reached", { contextSlot: slot })
    return slot
  }

  /** Up to a slot, without pruned ones. */
  #landed(upTo: number): ReadonlyArray<RawTransaction> {
    this.#newestFirst ??= [...this.#blocks.values()]
      .flat()
      .sort((one, other) => other.slot - one.slot || other.indexWithinBlock! - one.indexWithinBlock!)
    return this.#newestFirst.filter(({ slot }) => slot <= upTo && slot >= this.firstAvailableSlot)
  }

  #signatures({ address, before, limit, until, ...context }: ReturnType<typeof listingParams>): unknown {
    this.onListing(address)
    const landed = this.#landed(this.#reached(context))
    const start = before === undefined ? -1 : landed.findIndex((one) => signatureOf(one) === before)
    // For an unknown `before` nodes list nothing; for an unknown `until`, everything.
    if (before !== undefined && start === -1) return []
    const end = until === undefined ? -1 : landed.findIndex((one) => signatureOf(one) === until)
    const page = landed
      .slice(start + 1, end === -1 ? undefined : end)
      .filter((one) => mentions(one, address) && !this.omitted.has(signatureOf(one)))
      .slice(0, Math.min(limit, this.listedMax))
      .map((one) => ({
        signature: signatureOf(one),
        slot: one.slot,
        err: one.meta.err,
        memo: null,
        blockTime: one.blockTime,
        confirmationStatus: this.#statusOf(one),
        ...(this.tellsIndex && { transactionIndex: one.indexWithinBlock }),
      }))
    return this.isDisordered || this.disordered(address) ? [...page.slice(1), ...page.slice(0, 1)] : page
  }

  #statusOf({ slot }: RawTransaction): "confirmed" | "finalized" {
    return slot <= this.finalizedSlot ? "finalized" : "confirmed"
  }

  #transaction({ signature, versionMax, ...context }: ReturnType<typeof transactionParams>): unknown {
    const found = this.#landed(this.#reached(context)).find((one) => signatureOf(one) === signature)
    if (found === undefined || this.withheld.has(signature)) return null
    const answered = this.answered.get(signature)
    if (answered instanceof NodeError) throw answered
    if (answered !== undefined) return answered
    const { indexWithinBlock, ...rest } = found
    const { version = "legacy" } = rest as { readonly version?: number | "legacy" }
    if (version !== "legacy" && (versionMax === undefined || version > versionMax))
      throw new NodeError(-32015, `Transaction version (${version}) is not supported by the requesting client.`)
    return this.tellsIndex ? { ...rest, transactionIndex: indexWithinBlock } : rest
  }

  #block({ slot, ...context }: ReturnType<typeof blockParams>): unknown {
    if (slot > this.#reached(context)) throw new NodeError(-32004, `Block not available for slot ${slot}`)
    if (slot < this.firstAvailableSlot) throw new NodeError(-32001, `Block ${slot} cleaned up, does not exist on node.`)
    const transactions = this.#blocks.get(slot)
    if (transactions === undefined) throw new NodeError(-32007, `Slot ${slot} was skipped, or missing`)
    const signatures: Array<string> = []
    for (const one of transactions) signatures[one.indexWithinBlock!] = signatureOf(one)
    const blockTime = transactions[0]?.blockTime ?? null
    const { length } = signatures
    return {
      blockHeight: slot,
      blockTime,
      blockhash: BLOCKHASH,
      parentSlot: slot - 1,
      previousBlockhash: BLOCKHASH,
      signatures: Array.from({ length }, (_, index) => signatures[index] ?? VOTE),
    }
  }

  #statuses({ searchesHistory, signatures }: ReturnType<typeof statusParams>): unknown {
    const landed = new Map(this.#landed(this.confirmedSlot).map((one) => [signatureOf(one), one]))
    const value = signatures.map((signature) => {
      const found = landed.get(signature)
      if (found === undefined || (!searchesHistory && found.slot < this.confirmedSlot - RECENT_SLOTS)) return null
      const { err } = found.meta
      const confirmationStatus = this.#statusOf(found)
      const confirmations = confirmationStatus === "finalized" ? null : this.confirmedSlot - found.slot
      return {
        slot: found.slot,
        confirmations,
        err,
        status: err === null ? { Ok: null } : { Err: err },
        confirmationStatus,
      }
    })
    return this.#inContext(value)
  }
}

const respond = (response: ServerResponse, id: unknown, answer: object): void =>
  void response.end(JSON.stringify({ jsonrpc: "2.0", id, ...answer }))

const mentions = ({ meta: { loadedAddresses }, transaction: { message } }: RawTransaction, address: string): boolean =>
  [message.accountKeys, loadedAddresses?.writable ?? [], loadedAddresses?.readonly ?? []].some((keys) =>
    keys.includes(address),
  )

/** A node with these blocks, all of them finalized, for the length of a test. */
export const standInCluster = (blocks: ReadonlyArray<Block> = []): Effect.Effect<StandInCluster, never, Scope.Scope> =>
  Effect.gen(function* () {
    const cluster = new StandInCluster().put(blocks).finalize(blocks.at(-1)?.slot ?? 0)
    cluster.url = yield* jsonServer<JsonRpcCall>((call, response) => cluster.answer(call, response))
    return cluster
  })
