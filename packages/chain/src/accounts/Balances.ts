import type { Unavailable } from "@launch-registry/domain/http/Unavailable"
import { Effect } from "effect"
import type { AccountsAtSlot } from "./AccountReads.ts"
import { associatedTokenAddress } from "./DerivedAddresses.ts"
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from "./Programs.ts"
import { tokenAccountOf } from "./TokenLayouts.ts"

/** What a wallet holds, in smallest units. */
export interface Balances {
  readonly slot: bigint
  readonly lamports: bigint
  /** Of each mint that was asked for, in its associated token account. */
  readonly amounts: ReadonlyArray<bigint>
}

/** Reads what a wallet has of SOL and of these mints, at one slot. Of which program a mint is need not be known: it has accounts of one alone. */
export const readBalances = Effect.fn("readBalances")(function* (
  read: (addresses: ReadonlyArray<string>) => Effect.Effect<AccountsAtSlot, Unavailable>,
  wallet: string,
  mints: ReadonlyArray<string>,
): Effect.fn.Return<Balances, Unavailable> {
  const held = yield* Effect.promise(() =>
    Promise.all(
      mints.flatMap((mint) =>
        [TOKEN_PROGRAM, TOKEN_2022_PROGRAM].map((program) => associatedTokenAddress(wallet, mint, program)),
      ),
    ),
  )
  const { accounts, slot } = yield* read([wallet, ...held])
  const [owner, ...found] = accounts
  const tokens = found.flatMap((account) => (account && tokenAccountOf(account)) ?? [])
  return {
    slot,
    lamports: owner?.lamports ?? 0n,
    amounts: mints.map((mint) => tokens.find((token) => token.mint === mint && token.owner === wallet)?.amount ?? 0n),
  }
})
