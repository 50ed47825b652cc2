import fixture from "../../fixtures/migratedDammV1.json" with { type: "json" }
import type { SeedAccount } from "../../src/localnet/SeedAccounts.ts"

/** A curve that the real programs migrated to DAMM v1, over a vault of SOL that is partly lent out. */
export const MIGRATED_DAMM_V1 = {
  baseMint: fixture.baseMint,
  curve: fixture.curve,
  config: fixture.config,
  pool: fixture.pool,
} as const

/** Its accounts: the mint, curve and configuration, then those that `dammV1AccountAddresses` names, then those of the protocol's fees. */
export const migratedDammV1Accounts = (): ReadonlyArray<SeedAccount> =>
  fixture.accounts.map(({ address, bytes, data, lamports, owner }) => {
    const whole = new Uint8Array(bytes)
    whole.set(Buffer.from(data, "base64"))
    return { address, owner, lamports: BigInt(lamports), data: whole }
  })

/** Places of the accounts in that list. */
export const AT = {
  pool: 3,
  lpMint: 4,
  vaultA: 5,
  vaultALpMint: 6,
  poolALp: 7,
  tokenVaultA: 8,
  vaultB: 9,
  vaultBLpMint: 10,
  poolBLp: 11,
  tokenVaultB: 12,
  protocolAFee: 13,
  protocolBFee: 14,
} as const
