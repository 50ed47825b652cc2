import type { Unavailable } from "@launch-registry/domain/http/Unavailable"
import type { SwapProblem, SwapSimulation } from "@launch-registry/domain/launch/Pool"
import { type Base64EncodedWireTransaction, getBase64Encoder, getTransactionDecoder } from "@solana/kit"
import { Effect } from "effect"
import type { Rpc } from "../rpc/Rpc.ts"
import { failureOf } from "../submissions/TransactionFailure.ts"
import { readMessage } from "../submissions/TransactionMessage.ts"
import { chainUnavailable } from "../accounts/AccountReads.ts"
import type { UnsignedTransaction } from "../build/UnsignedTransaction.ts"

/** Simulates the transaction on an RPC node, without the wallet's signature, and adds the outcome to the checks. */
export const simulated = Effect.fn("simulated")(function* (
  rpc: Rpc["Service"],
  { transaction }: UnsignedTransaction,
  checked: SwapSimulation,
): Effect.fn.Return<SwapSimulation, Unavailable> {
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
      : [...checked.problems, yield* Effect.promise(() => problemOf(transaction, value.err, value.logs ?? []))]
  return {
    willSucceed: problems.length === 0,
    problems,
    isSimulated: true,
    unitsConsumed: value.unitsConsumed === undefined ? null : Number(value.unitsConsumed),
    logs: value.logs ?? [],
  }
})

/** Programs of the instructions, in their order; none of them comes from a lookup table. */
const programsOf = (transaction: string): ReadonlyArray<string> => {
  const { messageBytes } = getTransactionDecoder().decode(getBase64Encoder().encode(transaction))
  const { instructions, staticAccounts } = readMessage(messageBytes)
  return instructions.map(({ programAddressIndex }) => String(staticAccounts[programAddressIndex]))
}

/** The program's error in words. */
const problemOf = async (transaction: string, err: unknown, logs: ReadonlyArray<string>): Promise<SwapProblem> => {
  const { code, instruction, message } = await failureOf(err, programsOf(transaction), logs)
  const where = instruction === null ? "" : ` at instruction ${instruction}`
  return { code: "simulation_failed", message: `it would fail${where}: ${message} (${code})` }
}
