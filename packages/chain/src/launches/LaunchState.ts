import { refuseIssues } from "../build/RefuseIssues.ts"
import { Effect } from "effect"
import { isFreeAddress, type RawAccount } from "../accounts/AccountReads.ts"
import { NATIVE_DECIMALS, type Pools } from "../pools/Pools.ts"
import { NATIVE_MINT, TOKEN_PROGRAM } from "../accounts/Programs.ts"
import { type RentOf, rentOf, SYSVAR_RENT } from "../accounts/Rent.ts"
import { type MintAccount, mintOf } from "../accounts/TokenLayouts.ts"

const PROGRAM_SIGNER = { path: "body.signer", message: "expected a wallet: this account belongs to a program" }
const EXISTING_MINT = { path: "body.baseMint", message: "expected the key of a new mint: this account exists" }

/** The mint of SOL needs no looking up. */
const NATIVE: MintAccount = { program: TOKEN_PROGRAM, supply: 0n, decimals: NATIVE_DECIMALS }

/** What a launch is checked against. */
export interface LaunchState<Name extends string> {
  /** Balance of the wallet. */
  readonly lamports: bigint
  readonly rent: RentOf
  /** `undefined` when there is no such mint. */
  readonly quote: MintAccount | undefined
  readonly accounts: Readonly<Record<Name, RawAccount | undefined>>
}

/**
 * Reads the wallet, the rent and the quote mint, and what else is named, in one request. Fails where the network takes no fees from the
 * wallet, because it is the account of a program, or where there is an account at the address of the new `mint`.
 */
export const readLaunchState = Effect.fn("readLaunchState")(function* <Name extends string>(
  pools: Pools["Service"],
  { quoteMint, signer }: { readonly signer: string; readonly quoteMint: string },
  named: Readonly<Record<Name, string>>,
) {
  const names = Object.keys(named) as ReadonlyArray<string> as ReadonlyArray<Name>
  const quoteMints = quoteMint === NATIVE_MINT ? [] : [quoteMint]
  const others = names.map((name) => named[name])
  const read = yield* pools.readAccounts([signer, SYSVAR_RENT, ...quoteMints, ...others])
  const [wallet, sysvar, ...rest] = read.accounts
  const more = rest.slice(quoteMints.length)
  const accounts = Object.fromEntries(names.map((name, index) => [name, more[index]]))
  yield* refuseIssues([
    ...(isFreeAddress(wallet) ? [] : [PROGRAM_SIGNER]),
    ...(isFreeAddress(accounts.mint) ? [] : [EXISTING_MINT]),
  ])
  const state: LaunchState<Name> = {
    lamports: wallet?.lamports ?? 0n,
    rent: yield* rentOf(sysvar),
    quote: quoteMint === NATIVE_MINT ? NATIVE : mintOf(rest[0]),
    accounts: accounts as LaunchState<Name>["accounts"],
  }
  return state
})
