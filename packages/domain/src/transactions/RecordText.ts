import { Schema } from "effect"
import { ADDRESS_LENGTH_MAX, isAddress } from "@launch-registry/solana/AddressText"

/** Twenty bytes in hex, as the chains of Ethereum's kind have them. */
const isHexAddress = (text: string): boolean => /^0x[0-9a-fA-F]{40}$/.test(text)

/** A standard of at most 16 letters, a colon and 200 characters. */
const ASSET_ID_LENGTH_MAX = 217

/** Assets of the swap service: a standard, and what it calls the asset. */
const isAssetId = (text: string): boolean => /^[a-z0-9_]{2,16}:[\u0021-\u007e]{1,200}$/.test(text)

/** Whose records are asked for: records of swaps across chains may be of somebody on another chain. */
export const RecordUser = Schema.String.check(
  Schema.makeFilter(
    (text: string) =>
      isAddress(text) ||
      isHexAddress(text) ||
      "expected a Solana address (base58 of 32 bytes), or 0x and 40 hex digits",
  ),
  Schema.isMaxLength(ADDRESS_LENGTH_MAX),
).annotate({ identifier: "RecordUser", description: "Address on Solana, or on a chain of Ethereum's kind" })

/** The token of the records that are asked for: a mint, or an asset that was swapped across chains. */
export const RecordToken = Schema.String.check(
  Schema.makeFilter(
    (text: string) =>
      isAddress(text) ||
      isAssetId(text) ||
      "expected a Solana address (base58 of 32 bytes), or an asset id as nep141:…",
  ),
  Schema.isMaxLength(ASSET_ID_LENGTH_MAX),
).annotate({ identifier: "RecordToken", description: "Mint on Solana, or asset id of GET /api/bridge/tokens" })
