import { addressSeed, derive } from "../accounts/DerivedAddresses.ts"
import { DAMM_V1_PROGRAM, DYNAMIC_VAULT_PROGRAM } from "../accounts/Programs.ts"

/** Seed of the vaults that everybody uses (vault-sdk `get_base_key`). */
const VAULT_BASE = "HWzXGcGHy4tcpYfaRDCyLNzXqBTv3E6BttpCH2vJxArv"

/** Mints of the shares of the oldest vaults, which are no derived addresses: of USDT, SOL, USDC (dynamic-amm-sdk `aux_lp_mint.rs`). */
const LP_MINTS: Readonly<Record<string, string>> = {
  "5XCP3oD3JAuQyDpfBFFVUxsBxNjPQojpKuL4aVhHsDok": "EZun6G5514FeqYtUv26cBHWLqXjAEdjGuoX6ThBpBtKj",
  FERjPVNEa7Udq8CEv68h6tPL46Tq7ieE49HrE2wea3XT: "FZN7QZ8ZUUAxMPfxYEYkH3cXUASzH8EqA6B4tyCL8f1j",
  "3ESUFCnRNgZ7Mn2mPPUMmXYaKU8jpnV9VtA17M7t2mHQ": "3RpEekjLE5cdcG15YcXJUpxSepemvq2FpmMcgo342BwC",
}

/** Accounts of one token of a DAMM v1 pool. */
export interface VaultAddresses {
  readonly vault: string
  readonly tokenVault: string
  readonly lpMint: string
  /** Token account with the pool's shares of the vault. */
  readonly poolLp: string
}

/** Accounts that make up a DAMM v1 pool: they never change. Side a is that of the base token, b of the quote token. */
export interface DammV1Addresses {
  readonly pool: string
  /** Mint of the shares of the pool itself. */
  readonly lpMint: string
  readonly a: VaultAddresses
  readonly b: VaultAddresses
}

/** The dynamic vault of a mint, which owns the account that its tokens lie in. */
export const dynamicVaultAddress = (mint: string): Promise<string> =>
  derive(DYNAMIC_VAULT_PROGRAM, ["vault", addressSeed(mint), addressSeed(VAULT_BASE)])

const vaultAddresses = async (pool: string, mint: string): Promise<VaultAddresses> => {
  const vault = await dynamicVaultAddress(mint)
  const [tokenVault, lpMint, poolLp] = await Promise.all([
    derive(DYNAMIC_VAULT_PROGRAM, ["token_vault", addressSeed(vault)]),
    LP_MINTS[vault] ?? derive(DYNAMIC_VAULT_PROGRAM, ["lp_mint", addressSeed(vault)]),
    derive(DAMM_V1_PROGRAM, [addressSeed(vault), addressSeed(pool)]),
  ])
  return { vault, tokenVault, lpMint, poolLp }
}

/** The accounts of a pool that a curve migrated to, as they follow from its mints: a mint has one vault. */
export const dammV1Addresses = async (pool: string, baseMint: string, quoteMint: string): Promise<DammV1Addresses> => {
  const [lpMint, a, b] = await Promise.all([
    derive(DAMM_V1_PROGRAM, ["lp_mint", addressSeed(pool)]),
    vaultAddresses(pool, baseMint),
    vaultAddresses(pool, quoteMint),
  ])
  return { pool, lpMint, a, b }
}
