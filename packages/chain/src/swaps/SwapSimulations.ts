import type { Unavailable } from "@launch-registry/domain/http/Unavailable"
import type { SwapProblem, SwapSimulation } from "@launch-registry/domain/pools/Pool"
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
  { transaction }: Pick<UnsignedTransaction, "transaction">,
  checked: ReadonlyArray<SwapProblem>,
): Effect.fn.Return<Simulated, Unavailable> {
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
      ? checked
      : [...checked, yield* Effect.promise(() => problemOf(transaction, value.err, value.logs ?? []))]
  const { loadedAccountsDataSize: loaded, unitsConsumed } = value
  const willSucceed = problems.length === 0
  return {
    simulation: {
      ...{ willSucceed, problems, isSimulated: true },
      unitsConsumed: unitsConsumed === undefined ? null : Number(unitsConsumed),
      logs: value.logs ?? [],
    },
    limits:
      willSucceed && unitsConsumed !== undefined
        ? {
            computeUnitLimit: withRoom(Number(unitsConsumed)) + 5_000,
            loadedBytesLimit: loaded === undefined ? undefined : Math.ceil(withRoom(loaded) / PAGE_BYTES) * PAGE_BYTES,
          }
        : undefined,
  }
})

/** What a run says, and the limits that are made of it: `undefined` where it failed. */
export interface Simulated {
  readonly simulation: SwapSimulation
  readonly limits: { readonly computeUnitLimit: number; readonly loadedBytesLimit: number | undefined } | undefined
}

/** Accounts are charged for in pages of so many bytes. */
const PAGE_BYTES = 32 * 1024

/** Room above what a run used: prices and accounts change between now and then. */
const withRoom = (used: number): number => Math.ceil(used * 1.2)

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
