import { Schema } from "effect"
import { field } from "../http/Field.ts"
import { TokenLiquidity } from "../pools/LiquidityLocks.ts"
import { Address } from "../solana/Address.ts"
import { Timestamp } from "../time/Timestamp.ts"
import { isWhole } from "../pools/HolderCount.ts"
import { TokenTrust } from "./TokenTrust.ts"

const authority = (what: string) => field(Schema.NullOr(Address), `${what}; null if no one can`)

/** Who can do what with a mint, as its account has it. */
export const MintState = Schema.Struct({
  program: field(Schema.Literals(["spl_token", "token_2022"]), "Token program of the mint"),
  supply: field(Schema.String, "Supply in smallest units, a decimal string"),
  decimals: field(Schema.Int, "A whole token has 10^decimals smallest units"),
  mintAuthority: authority("Who can mint more tokens"),
  freezeAuthority: authority("Who can freeze the tokens of others"),
  permanentDelegate: authority("Who can transfer or burn the tokens of others (extension of Token-2022)"),
  pauseAuthority: authority("Who can pause all transfers (extension of Token-2022)"),
  transferFeeAuthority: authority("Who can set the fee that transfers withhold (extension of Token-2022)"),
  transferHookAuthority: authority(
    "Who can set the program that transfers call, also where there is none now (extension of Token-2022)",
  ),
  accountsStartFrozen: field(
    Schema.Boolean,
    "Whether new token accounts are frozen until the freeze authority thaws them (extension of Token-2022)",
  ),
  transferExtension: field(
    Schema.NullOr(Schema.Literals(["transfer_fee", "transfer_hook"])),
    "What transfers do besides (extensions of Token-2022): transfer_fee: a part is withheld. transfer_hook: another program is called, which can refuse; also where a fee is withheld as well. Null for neither",
  ),
}).annotate({ identifier: "MintState", description: "What the account of the mint says" })
export type MintState = typeof MintState.Type

/** Who can change what a token is called on chain. */
export const MetadataState = Schema.Struct({
  source: field(
    Schema.Literals(["metaplex", "token_2022"]),
    "metaplex: an account of the Token Metadata program. token_2022: in the mint itself",
  ),
  updateAuthority: field(Schema.NullOr(Address), "Who may change name, symbol and URI if they can be; null if no one"),
  pointerAuthority: authority("Who can make a mint of Token-2022 point to other metadata"),
  isMutable: field(
    Schema.NullOr(Schema.Boolean),
    "Whether name, symbol and URI can be changed, or other metadata be pointed to; null if the account does not say",
  ),
}).annotate({ identifier: "MetadataState", description: "What the metadata on chain says of who can change it" })
export type MetadataState = typeof MetadataState.Type

const share = (what: string) =>
  field(Schema.Finite, `${what}, as a fraction of the supply now, from 0 to 1, rounded down to millionths`)

/** Who holds a token. */
export const HolderShares = Schema.Struct({
  count: field(Schema.Int, "Wallets that hold the token; where isWhole is false, at least so many"),
  isWhole,
  creatorShare: field(
    Schema.NullOr(Schema.Finite),
    "What the creator of the pool holds, as a fraction of the supply now; null while no pool is indexed, and where isWhole is false and the creator is not among the wallets that were read",
  ),
  top10Share: share(
    "What the ten wallets that hold most hold together; where isWhole is false, of the 20 largest token accounts",
  ),
  readAt: field(Timestamp, "When they were read; they are cached for ten seconds or longer"),
}).annotate({
  identifier: "HolderShares",
  description: "Who holds the token, without the vaults of the curve and of the pools that curves migrate to",
})
export type HolderShares = typeof HolderShares.Type

/** What tables and chain say of how far a token can be trusted. */
export const TrustReport = Schema.Struct({
  mintAddress: field(Address, "Mint of the token"),
  ...TokenTrust.fields,
  slot: field(Schema.String, "Slot at which mint, metadata, configuration and liquidity were read, a decimal string"),
  readAt: field(Timestamp, "When they were read"),
  mint: Schema.NullOr(MintState).annotate({ description: "Null if no mint is at the address" }),
  metadata: Schema.NullOr(MetadataState).annotate({
    description: "Null if there is none, or in an account of another program",
  }),
  configTokenUpdateAuthority: field(
    Schema.NullOr(Schema.Int),
    "Who the DBC configuration of the pool lets update the metadata. 0: the creator. 1: no one. 2: the platform. 3 and 4: creator or platform, plus the mint authority. Null while no pool is indexed",
  ),
  liquidity: Schema.NullOr(TokenLiquidity).annotate({
    description: "Who can take the liquidity away; null while no pool is indexed, or if its account is not on chain",
  }),
  holders: Schema.NullOr(HolderShares).annotate({
    description: "Null if the largest holders cannot be read now, or no mint is at the address",
  }),
}).annotate({
  identifier: "TrustReport",
  description: "Facts about a token to judge it by, from the registry, the indexed chain and its accounts on chain",
})
export type TrustReport = typeof TrustReport.Type
