import { Context } from "effect"
import type { CostItem, LaunchCost } from "@launch-registry/domain/launch/LaunchCost"
import { isFreeAddress, type RawAccount } from "../accounts/AccountReads.ts"
import { TOKEN_2022_PROGRAM } from "../accounts/Programs.ts"
import type { RentOf } from "../accounts/Rent.ts"
import type { PoolMetadataTexts, TokenLabel } from "../accounts/TokenLabelAccounts.ts"
import { MINT_BYTES, TOKEN_ACCOUNT_BYTES } from "../accounts/TokenLayouts.ts"

/** A part of what a launch takes from the wallet. */
export interface CostPart {
  readonly item: CostItem
  /** The account that gets or holds it; `null` for fees of the network. */
  readonly account: string | null
  readonly lamports: bigint
}

/** Accounts of the DBC program (IDL 0.2.1). */
const CONFIG_BYTES = 1_048
const POOL_BYTES = 424
/** Discriminator, pool and padding, and the lengths of three texts. */
const POOL_METADATA_BYTES = 148
/** A mint of Token-2022 with the two extensions of its metadata, without the texts. */
const MINT_2022_BYTES = 318
/** With the extension that associated accounts of Token-2022 always have. */
const TOKEN_2022_ACCOUNT_BYTES = 170
/** What the Token Metadata program takes for a new account. */
const TOKEN_METADATA_FEE = 10_000_000n

/**
 * Size of a new account of the Token Metadata program: 607 bytes on mainnet and devnet, 679 before the program was upgraded in
 * 2024, as in the public test fixture.
 */
export const TokenMetadataBytes = Context.Reference<number>("@launch-registry/chain/build/TokenMetadataBytes", {
  defaultValue: () => 607,
})

const bytesOf = (texts: ReadonlyArray<string>): number =>
  texts.reduce((sum, text) => sum + new TextEncoder().encode(text).length, 0)

/** Rent of a token account that the wallet creates for itself. */
export const tokenAccountRent = (rent: RentOf, program: string): bigint =>
  rent(program === TOKEN_2022_PROGRAM ? TOKEN_2022_ACCOUNT_BYTES : TOKEN_ACCOUNT_BYTES)

/** What creating it takes, where it is to be created: lamports that are at its address already count. */
export const creationRent = (rent: RentOf, program: string, account: RawAccount | undefined): bigint => {
  const missing = tokenAccountRent(rent, program) - (account?.lamports ?? 0n)
  return isFreeAddress(account) && missing > 0n ? missing : 0n
}

export const configCosts = (rent: RentOf, config: string): ReadonlyArray<CostPart> => [
  { item: "config_rent", account: config, lamports: rent(CONFIG_BYTES) },
]

/** Accounts that a pool is created with. */
export interface CreatedAccounts {
  readonly baseMint: string
  readonly pool: string
  readonly baseVault: string
  readonly quoteVault: string
  /** Of an SPL token. */
  readonly mintMetadata?: string
}

export const poolCosts = (
  rent: RentOf,
  accounts: CreatedAccounts,
  given: { readonly label: TokenLabel; readonly poolCreationFee: bigint; readonly tokenMetadataBytes: number },
): ReadonlyArray<CostPart> => {
  const { baseMint, baseVault, mintMetadata, pool, quoteVault } = accounts
  const { name, symbol, uri } = given.label
  const mintBytes = mintMetadata === undefined ? MINT_2022_BYTES + bytesOf([name, symbol, uri]) : MINT_BYTES
  return [
    { item: "mint_rent", account: baseMint, lamports: rent(mintBytes) },
    { item: "pool_rent", account: pool, lamports: rent(POOL_BYTES) },
    { item: "vault_rent", account: baseVault, lamports: rent(TOKEN_ACCOUNT_BYTES) },
    { item: "vault_rent", account: quoteVault, lamports: rent(TOKEN_ACCOUNT_BYTES) },
    ...(mintMetadata === undefined
      ? []
      : ([
          { item: "token_metadata_rent", account: mintMetadata, lamports: rent(given.tokenMetadataBytes) },
          { item: "token_metadata_fee", account: mintMetadata, lamports: TOKEN_METADATA_FEE },
        ] as const)),
    ...(given.poolCreationFee === 0n
      ? []
      : ([{ item: "pool_creation_fee", account: pool, lamports: given.poolCreationFee }] as const)),
  ]
}

export const poolMetadataCosts = (
  rent: RentOf,
  account: string,
  { logo, name, website }: PoolMetadataTexts,
): ReadonlyArray<CostPart> => [
  { item: "pool_metadata_rent", account, lamports: rent(POOL_METADATA_BYTES + bytesOf([name, website, logo])) },
]

export const totalOf = (parts: ReadonlyArray<{ readonly lamports: bigint }>): bigint =>
  parts.reduce((sum, { lamports }) => sum + lamports, 0n)

/** The parts with their total, as they are answered. */
export const launchCost = (parts: ReadonlyArray<CostPart>): LaunchCost => ({
  total: totalOf(parts).toString(),
  parts: parts.map(({ lamports, ...part }) => ({ ...part, lamports: lamports.toString() })),
})
