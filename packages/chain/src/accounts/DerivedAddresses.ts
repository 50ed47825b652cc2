import { decodeBase58 } from "@launch-registry/domain/solana/Base58"
import { type Address, getAddressEncoder, getProgramDerivedAddress } from "@solana/kit"
import {
  ASSOCIATED_TOKEN_PROGRAM,
  DAMM_V1_PROGRAM,
  DAMM_V2_PROGRAM,
  DBC_PROGRAM,
  METADATA_PROGRAM,
} from "./Programs.ts"

type Seed = string | Uint8Array

/** An address as a seed. */
export const addressSeed = (address: string): Uint8Array =>
  Uint8Array.from(getAddressEncoder().encode(address as Address))

export const derive = async (programAddress: Address, seeds: ReadonlyArray<Seed>): Promise<Address> =>
  (await getProgramDerivedAddress({ programAddress, seeds: [...seeds] }))[0]

/** Both mints, the larger (by bytes) first. */
const ordered = (left: string, right: string): readonly [Uint8Array, Uint8Array] => {
  const [a, b] = [decodeBase58(left)!, decodeBase58(right)!]
  return Buffer.compare(a, b) > 0 ? [a, b] : [b, a]
}

/** `["pool", config, larger mint, smaller mint]` of the DBC program. */
export const poolAddress = (config: string, baseMint: string, quoteMint: string): Promise<Address> =>
  derive(DBC_PROGRAM, ["pool", addressSeed(config), ...ordered(baseMint, quoteMint)])

/** `["token_vault", mint, pool]` of the DBC program. */
export const vaultAddress = (mint: string, pool: string): Promise<Address> =>
  derive(DBC_PROGRAM, ["token_vault", addressSeed(mint), addressSeed(pool)])

/** `["token_badge", mint]` of the DBC program. */
export const tokenBadgeAddress = (mint: string): Promise<Address> =>
  derive(DBC_PROGRAM, ["token_badge", addressSeed(mint)])

/** `["virtual_pool_metadata", pool]` of the DBC program. */
export const poolMetadataAddress = (pool: string): Promise<Address> =>
  derive(DBC_PROGRAM, ["virtual_pool_metadata", addressSeed(pool)])

/** `["metadata", program, mint]` of the Token Metadata program. */
export const tokenMetadataAddress = (mint: string): Promise<Address> =>
  derive(METADATA_PROGRAM, ["metadata", addressSeed(METADATA_PROGRAM), addressSeed(mint)])

/** The token account that a wallet uses for a mint by convention. */
export const associatedTokenAddress = (owner: string, mint: string, tokenProgram: string): Promise<Address> =>
  derive(ASSOCIATED_TOKEN_PROGRAM, [addressSeed(owner), addressSeed(tokenProgram), addressSeed(mint)])

/** Where a curve with `migrationOption` 1 goes: `["pool", DAMM config, larger mint, smaller mint]` of DAMM v2. */
export const dammV2PoolAddress = (dammConfig: string, baseMint: string, quoteMint: string): Promise<Address> =>
  derive(DAMM_V2_PROGRAM, ["pool", addressSeed(dammConfig), ...ordered(baseMint, quoteMint)])

/** Where a curve with `migrationOption` 0 goes: `[larger mint, smaller mint, DAMM config]` of DAMM v1. */
export const dammV1PoolAddress = (dammConfig: string, baseMint: string, quoteMint: string): Promise<Address> =>
  derive(DAMM_V1_PROGRAM, [...ordered(baseMint, quoteMint), addressSeed(dammConfig)])

/** `["position", NFT mint]` of DAMM v2. */
export const positionAddress = (nftMint: string): Promise<Address> =>
  derive(DAMM_V2_PROGRAM, ["position", addressSeed(nftMint)])

/** Token account that the NFT of a position is minted to: `["position_nft_account", NFT mint]` of DAMM v2. */
export const positionNftAddress = (nftMint: string): Promise<Address> =>
  derive(DAMM_V2_PROGRAM, ["position_nft_account", addressSeed(nftMint)])
