import { Schema } from "effect"
import { DecimalText } from "../amounts/Decimal.ts"
import { field } from "../http/Field.ts"
import { Address } from "../solana/Address.ts"
import { Timestamp } from "../time/Timestamp.ts"
import { Token } from "../tokens/Token.ts"
import { TokenTrust } from "../trust/TokenTrust.ts"
import { FetchedDocument } from "../pools/FetchedDocument.ts"
import { CurveStage, Market } from "../pools/Market.ts"

/** How lists of launches are sorted: by launch, by progress of the curve, or by migration. */
export const LaunchSort = Schema.Literals(["newest", "progress", "graduated"])
export type LaunchSort = typeof LaunchSort.Type

/** Stage of all launches in a list that is sorted so. */
export const STAGE_OF_SORT: Readonly<Partial<Record<LaunchSort, CurveStage>>> = {
  progress: "curve",
  graduated: "migrated",
}

const CHOSEN = "as its creator chose it, without characters that hide or disguise text"

/** A token and its pool as launched on chain. */
export const Launch = Schema.Struct({
  mintAddress: field(Address, "Mint of the token"),
  pool: field(Address, "Account of the DBC pool"),
  config: field(Address, "DBC configuration account of the pool"),
  creator: field(Address, "Wallet that created the pool, or that it was transferred to"),
  quoteMint: field(Address, "Mint of the quote token, which buys the base token"),
  name: field(Schema.String, `Name of the token, ${CHOSEN}`),
  symbol: field(Schema.String, `Ticker symbol, ${CHOSEN}`),
  uri: field(Schema.String, "Metadata document of the token; empty if that is no https or ipfs URI"),
  decimals: field(
    Schema.NullOr(Schema.Int),
    "Decimals of the mint: a whole token has 10^decimals smallest units; null while they are not known",
  ),
  totalSupply: field(
    Schema.NullOr(DecimalText),
    "Supply at the launch in whole tokens: nothing is minted later where `mintAuthorityDisabled`; null while it is not known",
  ),
  stage: CurveStage,
  launchedAt: field(Timestamp, "Block time of the launch"),
  graduatedAt: field(Schema.NullOr(Timestamp), "Block time of the migration; null before"),
  token: Schema.NullOr(Token).annotate({
    description: "The registered token; null for a launch that is not registered",
  }),
  document: Schema.optionalKey(FetchedDocument),
  market: Schema.optionalKey(
    Schema.NullOr(Market).annotate({ description: "Figures of its market: only with `include=market`" }),
  ),
  trust: Schema.optionalKey(TokenTrust),
}).annotate({ identifier: "Launch", description: "A token and its pool as launched on chain" })
export type Launch = typeof Launch.Type
