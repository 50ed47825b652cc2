import type { RawAccount } from "../accounts/AccountReads.ts"
import { AccountReader } from "../accounts/AccountReader.ts"
import { decodeDammV1Pool, decodeDynamicVault, type DynamicVaultAccount } from "./DammV1Accounts.ts"
import { type DammV1Addresses, poolLpAddress, type VaultAddresses } from "./DammV1Addresses.ts"
import type { DammV1Side, DammV1State } from "./DammV1Math.ts"
import { DAMM_V1_PROGRAM, DYNAMIC_VAULT_PROGRAM, TOKEN_PROGRAM } from "../accounts/Programs.ts"
import { mintOf, TOKEN_ACCOUNT_BYTES } from "../accounts/TokenLayouts.ts"

const AMOUNT_OFFSET = 64

type Accounts = ReadonlyArray<RawAccount | undefined>

const sideAddresses = ({ lpMint, poolLp, tokenVault, vault }: VaultAddresses) => [vault, lpMint, poolLp, tokenVault]

/** The accounts that {@link readDammV1} takes, in its order. */
export const dammV1AccountAddresses = ({ a, b, lpMint, pool }: DammV1Addresses): ReadonlyArray<string> => [
  pool,
  lpMint,
  ...sideAddresses(a),
  ...sideAddresses(b),
]
const [A_AT, B_AT] = [2, 6]

/** What was read of a DAMM v1 pool: its state, or at which addresses to read instead. */
export type DammV1Read =
  | { readonly state: DammV1State }
  | { readonly elsewhere: DammV1Addresses }
  /** There is no such pool of these mints. */
  | undefined

/** The pool of these mints in accounts that were read at these addresses. */
export const readDammV1 = async (
  addresses: DammV1Addresses,
  accounts: Accounts,
  mints: { readonly base: string; readonly quote: string },
  timeSeconds: bigint,
): Promise<DammV1Read> => {
  const pool = accounts[0]?.owner === DAMM_V1_PROGRAM ? decodeDammV1Pool(accounts[0].data) : undefined
  if (pool?.tokenAMint !== mints.base || pool.tokenBMint !== mints.quote || !pool.isConstantProduct) return undefined
  const [vaultA, vaultB] = [vaultOf(accounts[A_AT]), vaultOf(accounts[B_AT])]
  const [a, b] = await Promise.all([
    ownAddresses(addresses.a, addresses.pool, pool.aVault, vaultA),
    ownAddresses(addresses.b, addresses.pool, pool.bVault, vaultB),
  ])
  const own: DammV1Addresses = { pool: addresses.pool, lpMint: pool.lpMint, a, b }
  const [read, wanted] = [dammV1AccountAddresses(addresses), dammV1AccountAddresses(own)]
  if (wanted.some((address, index) => address !== read[index])) return { elsewhere: own }
  const [sideA, sideB] = [sideOf(accounts, A_AT, vaultA), sideOf(accounts, B_AT, vaultB)]
  const lpSupply = mintOf(accounts[1])?.supply
  if (sideA === undefined || sideB === undefined || lpSupply === undefined) return undefined
  return { state: { pool, a: sideA, b: sideB, lpSupply, timeSeconds } }
}

const vaultOf = (account: RawAccount | undefined) =>
  account?.owner === DYNAMIC_VAULT_PROGRAM ? decodeDynamicVault(account.data) : undefined

/** The accounts of a side, as pool and vault name them; before its vault was read, some are still those that were expected. */
const ownAddresses = async (
  expected: VaultAddresses,
  pool: string,
  vault: string,
  read: DynamicVaultAccount | undefined,
): Promise<VaultAddresses> => {
  if (vault !== expected.vault) return { ...expected, vault, poolLp: await poolLpAddress(vault, pool) }
  return read === undefined ? expected : { ...expected, tokenVault: read.tokenVault, lpMint: read.lpMint }
}

const sideOf = (accounts: Accounts, at: number, vault: DynamicVaultAccount | undefined): DammV1Side | undefined => {
  const [lpSupply, poolLp, tokenReserve] = [
    mintOf(accounts[at + 1])?.supply,
    amountOf(accounts[at + 2]),
    amountOf(accounts[at + 3]),
  ]
  if (vault === undefined || lpSupply === undefined || poolLp === undefined || tokenReserve === undefined)
    return undefined
  return { vault, lpSupply, poolLp, tokenReserve }
}

/** What a token account holds. */
const amountOf = (account: RawAccount | undefined): bigint | undefined =>
  account?.owner === TOKEN_PROGRAM && account.data.length === TOKEN_ACCOUNT_BYTES
    ? new AccountReader(account.data).u64(AMOUNT_OFFSET)
    : undefined
