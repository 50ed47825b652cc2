import { Unavailable } from "@launch-registry/domain/http/Unavailable"
import type { Address, Signature } from "@solana/kit"
import { Effect } from "effect"
import type { Rpc } from "../rpc/Rpc.ts"
import type { RpcFault } from "../rpc/RpcError.ts"
import { TRANSACTION_VERSION_MAX } from "../rpc/TransactionVersion.ts"
import { chainUnavailable } from "../accounts/AccountReads.ts"
import { decodeTransaction } from "../events/DecodeTransaction.ts"
import { missingPart } from "../events/MissingPart.ts"
import { toRawTransaction } from "../transactions/ToRawTransaction.ts"
import type { PoolHint } from "./PoolDirectory.ts"

const SIGNATURES_MAX = 25
const TRANSACTIONS_MAX = 3
const HINTS_MAX = 10

/** Endpoints answer so of a transaction of a newer version, or that they do not have. Anybody can send one that names a mint. */
const UNREADABLE: ReadonlySet<RpcFault["_tag"]> = new Set<RpcFault["_tag"]>(["Rejected", "NotHere", "TooLarge"])

/**
 * Finds the pool of a mint in the latest transactions that name the mint: swaps on a curve do. Costs up to four requests,
 * so it is for unknown mints, and none of them scans the accounts of a program.
 */
export const hintsOfTransactions = Effect.fn("hintsOfTransactions")(function* (
  rpc: Rpc["Service"],
  baseMint: string,
): Effect.fn.Return<ReadonlyArray<PoolHint>, Unavailable> {
  const signatures = yield* rpc
    .call((kit) => kit.getSignaturesForAddress(baseMint as Address, { limit: SIGNATURES_MAX, commitment: "confirmed" }))
    .pipe(Effect.catch(chainUnavailable))
  const hints = new Map<string, PoolHint>()
  const landed = signatures.filter(({ err }) => err === null).slice(0, TRANSACTIONS_MAX)
  let isUnknown = false
  for (const { signature } of landed) {
    const answer = yield* rpc
      .call((kit) =>
        kit.getTransaction(signature as Signature, {
          encoding: "json",
          maxSupportedTransactionVersion: TRANSACTION_VERSION_MAX,
          commitment: "confirmed",
        }),
      )
      .pipe(
        Effect.map((transaction) => transaction && toRawTransaction(transaction)),
        // The other transactions may tell all the same.
        Effect.catch(({ reason }) => (UNREADABLE.has(reason._tag) ? Effect.undefined : Effect.succeed(null))),
      )
    if (answer === undefined) continue
    // What an answer leaves out may name the pool, and so may a transaction that is listed and not given.
    if (answer === null || missingPart(answer)?.isCertain === true) {
      isUnknown = true
      continue
    }
    for (const event of decodeTransaction(answer)) {
      // Of an AMM pool nothing says which curve migrated to it.
      if (event.type === "Swapped" && event.venue !== "dbc") continue
      const hint = hintOf(event)
      // One transaction can trade on several curves: which of them is the mint's, its account tells.
      if (hint !== undefined && hints.size < HINTS_MAX) hints.set(hint.pool, hint)
      if ("baseMint" in event && event.baseMint === baseMint) return [hint!]
    }
  }
  if (hints.size === 0 && isUnknown) return yield* new Unavailable({ service: "chain" })
  return [...hints.values()]
})

const hintOf = (event: ReturnType<typeof decodeTransaction>[number]): PoolHint | undefined => {
  if (!("pool" in event)) return undefined
  return "config" in event ? { pool: event.pool, config: event.config } : { pool: event.pool }
}
