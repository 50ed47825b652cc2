import type { Unavailable } from "@launch-registry/domain/http/Unavailable"
import type { BuiltLaunch } from "@launch-registry/domain/launch/CreateLaunch"
import { Effect } from "effect"
import type { Rpc } from "../rpc/Rpc.ts"
import type { PlannedTransaction } from "../build/LaunchStep.ts"
import type { NewMint } from "./NewMint.ts"
import { requirements } from "./PackLaunch.ts"
import { buildTransactions } from "../build/UnsignedTransaction.ts"

/** The transactions of a launch, all with one blockhash. */
export type SignedLaunch = Pick<
  BuiltLaunch,
  "transactions" | "blockhash" | "lastValidBlockHeight" | "expiresInSeconds" | "slot"
>

/** Gives the transactions the latest blockhash, and signs with the keys of new accounts; the wallet has yet to sign. */
export const signLaunch = Effect.fnUntraced(function* (
  rpc: Rpc["Service"],
  transactions: ReadonlyArray<PlannedTransaction>,
  keys: { readonly config: string | undefined; readonly baseMint: NewMint },
): Effect.fn.Return<SignedLaunch, Unavailable> {
  const signerOf = (address: string): SignedLaunch["transactions"][number]["signers"][number] => {
    if (address === keys.config) return { address, role: "config", hasSigned: true }
    if (address !== keys.baseMint.address) return { address, role: "wallet", hasSigned: false }
    return { address, role: "mint", hasSigned: keys.baseMint.keyPair !== undefined }
  }
  const required = requirements(transactions.map(({ steps }) => steps))
  const built = yield* buildTransactions(
    rpc,
    transactions.map(({ plan }) => plan),
  )
  return {
    ...built,
    transactions: built.transactions.map(({ signers, ...transaction }, index) => ({
      ...transaction,
      purposes: transactions[index]!.steps.map(({ purpose }) => purpose),
      signers: signers.map(signerOf),
      requires: required[index]!,
    })),
  }
})
