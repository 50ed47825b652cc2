import type { RawTransaction } from "@launch-registry/chain/transactions/RawTransaction"
import { DBC_PROGRAM } from "@launch-registry/chain/accounts/Programs"
import type { Rpc } from "@launch-registry/chain/rpc/Rpc"
import { Effect, Layer, Logger } from "effect"
import type { ChainHistory } from "../../src/sources/ChainHistory.ts"
import { involves } from "../../src/finality/Judgement.ts"
import { Reconciler } from "../../src/finality/Reconciler.ts"
import { PoolReconciler } from "../../src/finality/PoolReconciler.ts"
import { HeliusRefused, type HeliusUnavailable } from "../../src/helius/HeliusErrors.ts"
import { HeliusHistory, type HistoryRequest } from "../../src/helius/HeliusHistory.ts"
import type { HistoryDetails } from "../../src/helius/HistoryPage.ts"
import type { IngestLog } from "../../src/inbox/IngestLog.ts"
import { heliusChainHistory } from "../../src/sources/HeliusChainHistory.ts"
import { rpcHistory } from "../../src/sources/RpcHistory.ts"
import type { StandInCluster } from "../StandInCluster.ts"
import { testIndex } from "../TestIndex.ts"
import { rpcOver } from "./ReconciledIndex.ts"

/** Pages of these transactions, oldest first, like the bulk call's; a token says where the next page begins. */
export class Bulk {
  pages = 0
  /** Of a version that is not asked for: its page is refused, or fails otherwise. */
  newer: RawTransaction | undefined
  failure: HeliusRefused | HeliusUnavailable = new HeliusRefused({ status: 200, code: -32015 })
  readonly #all: ReadonlyArray<RawTransaction>
  readonly #size: number

  constructor(all: ReadonlyArray<RawTransaction>, size: number) {
    this.#all = all
    this.#size = size
  }

  page({ address = DBC_PROGRAM, details, fromSlot, toSlot, token }: HistoryRequest<HistoryDetails>) {
    this.pages++
    const within = this.#all.filter((one) => one.slot >= fromSlot && one.slot <= toSlot && involves(one, address))
    const start = Number(token ?? 0)
    const end = start + this.#size
    const [items, next] = [within.slice(start, end), end < within.length ? String(end) : undefined]
    if (details === "full")
      return items.includes(this.newer!) ? Effect.fail(this.failure) : Effect.succeed({ items, next })
    return Effect.succeed({
      next,
      items: items.map(({ indexWithinBlock: transactionIndex, meta: { err }, slot, transaction: { signatures } }) => ({
        ...{ signature: signatures[0]!, slot, err, transactionIndex },
      })),
    })
  }
}

/** Whole transactions from pages, and everything else from a node. */
export const bulkHistory = heliusChainHistory.pipe(Layer.provide(rpcHistory()))

/** An index that is reconciled with these pages and this node. */
export const reconciledBy = (
  bulk: Bulk,
  cluster: StandInCluster,
  history: Layer.Layer<ChainHistory, never, HeliusHistory | Rpc | IngestLog> = bulkHistory,
) => {
  const helius = {
    page: (request: HistoryRequest<HistoryDetails>) => bulk.page(request),
  } as unknown as HeliusHistory["Service"]
  return Layer.mergeAll(Reconciler.layer, PoolReconciler.layer).pipe(
    Layer.provideMerge(history),
    Layer.provideMerge(Layer.succeed(HeliusHistory, helius)),
    Layer.provideMerge(rpcOver([cluster])),
    Layer.provideMerge(testIndex),
    Layer.provideMerge(Logger.layer([])),
  )
}
