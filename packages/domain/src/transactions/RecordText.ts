import { Schema } from "effect"
import { isAddress } from "../solana/AddressText.ts"

/** A standard of at most 16 letters, a colon, and at most 200 characters. */
const ASSET_ID_LENGTH_MAX = 217

/** An asset id of the swap service: the token standard and the id within it. */
const isAssetId = (text: string): boolean => /^[a-z0-9_]{2,16}:[\u0021-\u007e]{1,200}$/.test(text)

/** An address of some chain: letters and digits, at least 25 of them, as those of a hash are. The chain itself is not known here. */
const isForeignAddress = (text: string): boolean => /^(?=.*[0-9])[A-Za-z0-9_:-]{25,128}$/.test(text)

/** A named account of NEAR. */
const isNamedAccount = (text: string): boolean => text.length <= 64 && /^[a-z0-9_-]+(\.[a-z0-9_-]+)+$/.test(text)

/** The user to list records of. Users of cross-chain swaps may have an address on any of its chains. */
export const RecordUser = Schema.String.check(
  Schema.makeFilter(
    (text: string) =>
      isAddress(text) ||
      isForeignAddress(text) ||
      isNamedAccount(text) ||
      "expected an address on Solana or another chain, or an account of NEAR such as alice.near",
  ),
  Schema.isMaxLength(128),
).annotate({ identifier: "RecordUser", description: "Address on Solana, or of a cross-chain swap on its chain" })

/** The token to list records of: a mint, or an asset of a cross-chain swap. */
export const RecordToken = Schema.String.check(
  Schema.makeFilter(
    (text: string) =>
      isAddress(text) ||
      isAssetId(text) ||
      "expected a Solana address (base58 of 32 bytes), or an asset id such as nep141:…",
  ),
  Schema.isMaxLength(ASSET_ID_LENGTH_MAX),
).annotate({ identifier: "RecordToken", description: "Mint on Solana, or asset id of GET /api/bridge/tokens" })
