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

/** The pool of these mints in accounts that were read at these addresses; `undefined` where there is none that names them. */
export const readDammV1 = (
  addresses: DammV1Addresses,
  [poolAccount, lpMint, ...sides]: Accounts,
  mints: { readonly base: string; readonly quote: string },
  timeSeconds: bigint,
): DammV1State | undefined => {
  const pool = poolAccount?.owner === DAMM_V1_PROGRAM ? decodeDammV1Pool(poolAccount.data) : undefined
  if (pool?.tokenAMint !== mints.base || pool.tokenBMint !== mints.quote || !pool.isConstantProduct) return undefined
  if (pool.lpMint !== addresses.lpMint) return undefined
  const a = sideOf(addresses.a, { vault: pool.aVault, poolLp: pool.aVaultLp }, sides.slice(0, 4))
  const b = sideOf(addresses.b, { vault: pool.bVault, poolLp: pool.bVaultLp }, sides.slice(4))
  const lpSupply = mintOf(lpMint)?.supply
  return a && b && lpSupply !== undefined ? { pool, a, b, lpSupply, timeSeconds } : undefined
}

/** One token of the pool, where the pool and its vault name the addresses that were read. */
const sideOf = (
  addresses: VaultAddresses,
  named: Pick<VaultAddresses, "vault" | "poolLp">,
  [vaultAccount, lpMint, ...tokenAccounts]: Accounts,
): DammV1Side | undefined => {
  const vault = vaultAccount?.owner === DYNAMIC_VAULT_PROGRAM ? decodeDynamicVault(vaultAccount.data) : undefined
  const lpSupply = mintOf(lpMint)?.supply
  const [poolLp, tokenReserve] = tokenAccounts.map((account) => account && tokenAccountOf(account)?.amount)
  if (vault === undefined || lpSupply === undefined || poolLp === undefined || tokenReserve === undefined)
    return undefined
  const isNamed =
    named.vault === addresses.vault &&
    named.poolLp === addresses.poolLp &&
    vault.lpMint === addresses.lpMint &&
    vault.tokenVault === addresses.tokenVault
  return isNamed ? { vault, lpSupply, poolLp, tokenReserve } : undefined
}
