import type { RawAccount } from "../accounts/AccountReads.ts"
import { DAMM_V1_PROGRAM, DYNAMIC_VAULT_PROGRAM } from "../accounts/Programs.ts"
import { mintOf, tokenAccountOf } from "../accounts/TokenLayouts.ts"
import { decodeDammV1Pool, decodeDynamicVault } from "./DammV1Accounts.ts"
import type { DammV1Addresses, VaultAddresses } from "./DammV1Addresses.ts"
import type { DammV1Side, DammV1State } from "./DammV1Math.ts"

type Accounts = ReadonlyArray<RawAccount | undefined>

const sideAddresses = ({ lpMint, poolLp, tokenVault, vault }: VaultAddresses) => [vault, lpMint, poolLp, tokenVault]

/** The accounts that {@link readDammV1} takes, in its order. */
export const dammV1AccountAddresses = ({ a, b, lpMint, pool }: DammV1Addresses): ReadonlyArray<string> => [
  ...[pool, lpMint],
  ...[...sideAddresses(a), ...sideAddresses(b)],
]
const [A_AT, B_AT] = [2, 6]

/** What was read of a DAMM v1 pool: its state, or at which addresses to read instead. */
export type DammV1Read =
  | { readonly state: DammV1State }
  | { readonly elsewhere: DammV1Addresses }
  /** There is no such pool of these mints. */
  | undefined

/** The pool of these mints in accounts that were read at these addresses. */
export const readDammV1 = (
  addresses: DammV1Addresses,
  accounts: Accounts,
  mints: { readonly base: string; readonly quote: string },
  timeSeconds: bigint,
): DammV1Read => {
  const pool = accounts[0]?.owner === DAMM_V1_PROGRAM ? decodeDammV1Pool(accounts[0].data) : undefined
  if (pool?.tokenAMint !== mints.base || pool.tokenBMint !== mints.quote || !pool.isConstantProduct) return undefined
  const [vaultA, vaultB] = [vaultOf(accounts[A_AT]), vaultOf(accounts[B_AT])]
  // A vault that was not read yet may have others than those that were expected.
  const named = (vault: string, poolLp: string, expected: VaultAddresses, read: typeof vaultA): VaultAddresses =>
    vault === expected.vault && read !== undefined
      ? { vault, poolLp, tokenVault: read.tokenVault, lpMint: read.lpMint }
      : { ...expected, vault, poolLp }
  const own: DammV1Addresses = {
    pool: addresses.pool,
    lpMint: pool.lpMint,
    a: named(pool.aVault, pool.aVaultLp, addresses.a, vaultA),
    b: named(pool.bVault, pool.bVaultLp, addresses.b, vaultB),
  }
  const read = dammV1AccountAddresses(addresses)
  if (dammV1AccountAddresses(own).some((address, index) => address !== read[index])) return { elsewhere: own }
  const [a, b] = [sideOf(accounts, A_AT, vaultA), sideOf(accounts, B_AT, vaultB)]
  const lpSupply = mintOf(accounts[1])?.supply
  return a && b && lpSupply !== undefined ? { state: { pool, a, b, lpSupply, timeSeconds } } : undefined
}

const vaultOf = (account: RawAccount | undefined) =>
  account?.owner === DYNAMIC_VAULT_PROGRAM ? decodeDynamicVault(account.data) : undefined

const sideOf = (accounts: Accounts, at: number, vault: ReturnType<typeof vaultOf>): DammV1Side | undefined => {
  const lpSupply = mintOf(accounts[at + 1])?.supply
  const [poolLp, tokenReserve] = [accounts[at + 2], accounts[at + 3]].map(
    (account) => account && tokenAccountOf(account)?.amount,
  )
  if (vault === undefined || lpSupply === undefined || poolLp === undefined || tokenReserve === undefined)
    return undefined
  return { vault, lpSupply, poolLp, tokenReserve }
}
