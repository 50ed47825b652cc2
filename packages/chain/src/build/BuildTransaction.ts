import type { Unavailable } from "@launch-registry/domain/http/Unavailable"
import { Effect } from "effect"
import type { Rpc } from "../rpc/Rpc.ts"
import { chainUnavailable } from "../accounts/AccountReads.ts"
import { type TransactionPlan, type UnsignedTransaction, unsignedTransaction } from "./UnsignedTransaction.ts"

/** Builds a transaction on the latest blockhash. One that would not fit a packet is a defect: `TransactionTooLarge`. */
export const buildTransaction = (
  rpc: Rpc["Service"],
  plan: TransactionPlan,
): Effect.Effect<UnsignedTransaction, Unavailable> =>
  Effect.flatMap(Effect.catch(rpc.getLatestBlockhash, chainUnavailable), (latest) =>
    Effect.promise(() => unsignedTransaction(plan, latest)),
  )
