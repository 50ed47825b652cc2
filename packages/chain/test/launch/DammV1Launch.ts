import { decodeBase58 } from "@launch-registry/domain/solana/Base58"
import { getProgramDerivedAddress } from "@solana/kit"
import { Effect, Layer } from "effect"
import launches from "../../fixtures/launches.json" with { type: "json" }
import {
  DAMM_V1_CONFIGS,
  DAMM_V1_PROGRAM,
  DBC_POOL_AUTHORITY,
  DYNAMIC_VAULT_PROGRAM,
  NATIVE_MINT,
  TOKEN_PROGRAM,
} from "../../src/accounts/Programs.ts"
import type { SeedAccount } from "../../src/localnet/SeedAccounts.ts"
import { mintData, tokenAccountData } from "../../src/localnet/TokenAccounts.ts"
import { launchServices } from "./RealPrograms.ts"

/** The configuration of the captured launch. */
export const CAPTURED_CONFIG = launches[0]!.config.address

/** `Config` of DAMM v1: sha256("account:Config"), then 332 bytes. */
const DISCRIMINATOR = "9b0caae01efacc82"
const BYTES = 340
/** Fees by `migrationFeeOption`, over 100,000; of the fee a fifth is the protocol's. */
const FEE_NUMERATORS = [250n, 300n, 1_000n, 2_000n, 4_000n, 6_000n] as const
const PROTOCOL_FEE_NUMERATOR = 20_000n
const FEE_DENOMINATOR = 100_000n
const RENT_LAMPORTS = 10_000_000n

/** The configurations of DAMM v1, of which the DBC program alone may make pools. */
const dammV1Configs: ReadonlyArray<SeedAccount> = DAMM_V1_CONFIGS.map((address, option) => {
  const data = Buffer.alloc(BYTES)
  data.write(DISCRIMINATOR, "hex")
  const fees = [FEE_NUMERATORS[option]!, FEE_DENOMINATOR, PROTOCOL_FEE_NUMERATOR, FEE_DENOMINATOR]
  for (const [index, value] of fees.entries()) data.writeBigUInt64LE(value, 8 + 8 * index)
  data.set(decodeBase58(DBC_POOL_AUTHORITY)!, 80)
  data.writeUInt8(1, 112)
  return { address, owner: DAMM_V1_PROGRAM, data: Uint8Array.from(data), lamports: RENT_LAMPORTS }
})

const [MIGRATION_OPTION, MIGRATION_FEE_OPTION] = [233, 243]

/** The configuration of the captured launch with the option that the program no longer accepts in new ones. */
const curveConfigToDammV1 = (option: number): SeedAccount => {
  const { address, data, lamports, owner } = launches[0]!.config
  const changed = Buffer.from(data, "base64")
  changed.writeUInt8(0, MIGRATION_OPTION)
  changed.writeUInt8(option, MIGRATION_FEE_OPTION)
  return { address, owner, lamports: BigInt(lamports), data: Uint8Array.from(changed) }
}

/** What a dynamic vault of SOL holds, partly lent out, and has issued of its shares. */
export interface SolVault {
  readonly totalAmount: bigint
  readonly lpSupply: bigint
  /** What of it lies in its token account. */
  readonly reserve: bigint
}

export const SOL_VAULT: SolVault = {
  totalAmount: 154_402_082_133_447n,
  lpSupply: 145_998_019_653_473n,
  reserve: 60_000_000_000_000n,
}

/** Meteora's vault of SOL, whose mint of shares is no derived address. */
const SOL_LP_MINT = "FZN7QZ8ZUUAxMPfxYEYkH3cXUASzH8EqA6B4tyCL8f1j"
const VAULT_BASE = "HWzXGcGHy4tcpYfaRDCyLNzXqBTv3E6BttpCH2vJxArv"
/** `Vault` of the dynamic vaults. */
const VAULT_DISCRIMINATOR = "d308e82b02987577"
const VAULT_BYTES = 10_240
/** Of a trillionth in a second: all is unlocked after six hours. */
const LOCKED_PROFIT_DEGRADATION = 46_296_296n

const bytesOf = (address: string) => decodeBase58(address)!

/** The accounts of the vault of SOL. */
const solVault = async ({ lpSupply, reserve, totalAmount }: SolVault) => {
  const derived = (seeds: ReadonlyArray<string | Uint8Array>) =>
    getProgramDerivedAddress({ programAddress: DYNAMIC_VAULT_PROGRAM, seeds: [...seeds] })
  const [vault, bump] = await derived(["vault", bytesOf(NATIVE_MINT), bytesOf(VAULT_BASE)])
  const [tokenVault, tokenVaultBump] = await derived(["token_vault", bytesOf(vault)])
  const data = Buffer.alloc(VAULT_BYTES)
  data.write(VAULT_DISCRIMINATOR, "hex")
  data.set([1, bump, tokenVaultBump], 8)
  data.writeBigUInt64LE(totalAmount, 11)
  for (const [at, address] of [
    ...[[19, tokenVault] as const, [51, SOL_LP_MINT] as const, [83, NATIVE_MINT] as const, [115, SOL_LP_MINT] as const],
    ...[[1107, VAULT_BASE] as const, [1139, VAULT_BASE] as const, [1171, VAULT_BASE] as const],
  ])
    data.set(bytesOf(address), at)
  data.writeBigUInt64LE(LOCKED_PROFIT_DEGRADATION, 1219)
  const mint = Buffer.from(mintData(lpSupply, 9))
  mint.writeUInt32LE(1, 0)
  mint.set(bytesOf(vault), 4)
  const program = TOKEN_PROGRAM
  const account = { mint: NATIVE_MINT, owner: vault, amount: reserve, program, rentLamports: RENT_LAMPORTS }
  return [
    { address: vault, owner: DYNAMIC_VAULT_PROGRAM, data: Uint8Array.from(data), lamports: 10n * RENT_LAMPORTS },
    { address: SOL_LP_MINT, owner: program, data: Uint8Array.from(mint), lamports: RENT_LAMPORTS },
    { address: tokenVault, owner: program, data: tokenAccountData(account), lamports: RENT_LAMPORTS + reserve },
  ] satisfies ReadonlyArray<SeedAccount>
}

/** Every builder over a local chain whose captured configuration migrates to DAMM v1 by this fee option. */
export const dammV1Services = (option: number, vault: SolVault = SOL_VAULT) =>
  Layer.unwrap(
    Effect.map(
      Effect.promise(() => solVault(vault)),
      (vaultAccounts) =>
        launchServices({
          stage: "complete",
          accounts: [...dammV1Configs, curveConfigToDammV1(option), ...vaultAccounts],
        }),
    ),
  )
