import type { ChainUnavailable } from "@launch-registry/domain/launch/LaunchErrors"
import type { SwapSimulation } from "@launch-registry/domain/launch/Pool"
import type { Base64EncodedWireTransaction } from "@solana/kit"
import { Effect } from "effect"
import type { Rpc } from "../rpc/Rpc.ts"
import { chainUnavailable } from "./AccountReads.ts"
import type { UnsignedTransaction } from "./UnsignedTransaction.ts"

/** Simulates the transaction on an RPC node, without the wallet's signature, and adds the outcome to the checks. */
export const simulated = Effect.fn("simulated")(function* (
  rpc: Rpc["Service"],
  { transaction }: UnsignedTransaction,
  checked: SwapSimulation,
): Effect.fn.Return<SwapSimulation, ChainUnavailable> {
  const { value } = yield* rpc
    .call((kit) =>
      kit.simulateTransaction(transaction as Base64EncodedWireTransaction, {
        encoding: "base64",
        commitment: "confirmed",
        sigVerify: false,
      }),
    )
    .pipe(Effect.catch(chainUnavailable))
  const problems =
    value.err === null
      ? checked.problems
      : [...checked.problems, { code: "simulation_failed" as const, message: describe(value.err) }]
  return {
    willSucceed: problems.length === 0,
    problems,
    isSimulated: true,
    unitsConsumed: value.unitsConsumed === undefined ? null : Number(value.unitsConsumed),
    logs: value.logs ?? [],
  }
})

/** The error as the network writes it; numbers come as big integers. */
const describe = (error: unknown): string =>
  JSON.stringify(error, (_key, value: unknown) => (typeof value === "bigint" ? Number(value) : value))
