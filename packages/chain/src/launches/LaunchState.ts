import { refuseIssues } from "../build/RefuseIssues.ts"
import { Effect } from "effect"
import { isFreeAddress, type RawAccount } from "../accounts/AccountReads.ts"
import { NATIVE_DECIMALS, type Pools } from "../pools/Pools.ts"
import { NATIVE_MINT, TOKEN_PROGRAM } from "../accounts/Programs.ts"
import { type RentOf, rentOf, SYSVAR_RENT } from "../accounts/Rent.ts"
import { tokenBadgeAddress } from "../accounts/DerivedAddresses.ts"
import { type QuoteMint, quoteMintOf } from "../accounts/QuoteMint.ts"

const PROGRAM_SIGNER = { path: "body.signer", message: "expected a wallet: this account belongs to a program" }
const EXISTING_MINT = { path: "body.mintAddress", message: "expected the key of a new mint: this account exists" }

/** The mint of SOL needs no looking up. */
const NATIVE: QuoteMint = {
  ...{ program: TOKEN_PROGRAM, supply: 0n, decimals: NATIVE_DECIMALS },
  ...{ fault: undefined, badge: undefined },
}

/** What a launch is checked against. */
export interface LaunchState<Name extends string> {
  /** Balance of the wallet. */
  readonly lamports: bigint
  readonly rent: RentOf
  /** `undefined` when there is no such mint. */
  readonly quote: QuoteMint | undefined
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
  const badge = yield* Effect.promise(() => tokenBadgeAddress(quoteMint))
  const quoteMints = quoteMint === NATIVE_MINT ? [] : [quoteMint, badge]
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
    quote: quoteMint === NATIVE_MINT ? NATIVE : quoteMintOf(quoteMint, rest[0], { address: badge, account: rest[1] }),
    accounts: accounts as LaunchState<Name>["accounts"],
  }
  return state
})
