import { Schema } from "effect"
import { field } from "../http/Field.ts"
import { Address } from "../solana/Address.ts"
import { UnsafeTextKind } from "../text/UnsafeText.ts"

/** Confusable tokens in an answer at most. */
export const CONFUSABLE_MAX = 8

/** Why another token with a confusable name matters. */
export const ConfusableReason = Schema.Literals(["verified", "older", "larger"]).annotate({
  identifier: "ConfusableReason",
  description:
    "verified: the other is verified here and this one is not. older: the other was launched in an earlier slot, or launched at all while this one is not indexed; of two that are not, registered earlier. larger: more of the same quote token was traded for the other in seven days, in another power of two",
})
export type ConfusableReason = typeof ConfusableReason.Type

const LabelField = Schema.Literals(["name", "symbol"])

/** A token whose name or symbol can be taken for that of the one asked about. */
export const ConfusableToken = Schema.Struct({
  mintAddress: field(Address, "Mint of the other token"),
  name: field(Schema.String, "Its name, as lists show it"),
  symbol: field(Schema.String, "Its symbol, as lists show it"),
  fields: field(Schema.Array(LabelField), "Which of name and symbol are confusable"),
  reasons: field(Schema.Array(ConfusableReason), "Why it is named here"),
}).annotate({ identifier: "ConfusableToken", description: "A token with a name or symbol that looks the same" })
export type ConfusableToken = typeof ConfusableToken.Type

/** Text of a token that hides or disguises something. */
export const UnsafeText = Schema.Struct({
  field: field(LabelField, "Where it is"),
  source: field(
    Schema.Literals(["chain", "registry"]),
    "chain: as the creator of the launch chose it, which lists show without such characters. registry: as registered",
  ),
  kinds: field(Schema.Array(UnsafeTextKind), "What it has"),
}).annotate({ identifier: "UnsafeText", description: "A name or symbol with characters that hide or disguise text" })
export type UnsafeText = typeof UnsafeText.Type

const share = (what: string) =>
  field(
    Schema.NullOr(Schema.Finite),
    `${what}, as a fraction of the supply at launch, from 0 to 1, rounded down to millionths; null while the supply is not known`,
  )

/** What was bought in the slot in which a pool was created. */
export const FirstSlot = Schema.Struct({
  slot: field(Schema.String, "Slot in which the pool was created, a decimal string"),
  creator: field(Schema.NullOr(Address), "Wallet that created the pool; null if that event is not indexed"),
  creatorShare: share("What this wallet bought in that slot, less what it sold in it"),
  wallets: field(Schema.Int, "Other wallets that bought in that slot"),
  walletsShare: share("What these bought in that slot, less what each sold in it"),
  finality: field(
    Schema.Literals(["confirmed", "finalized"]),
    "finalized: everything of that slot is compared with the finalized chain. confirmed: a trade of that slot may still be missing",
  ),
}).annotate({
  identifier: "FirstSlot",
  description: "What was bought on the curve in the slot in which the pool was created, from the indexed trades",
})
export type FirstSlot = typeof FirstSlot.Type

/** Who can change a launched token, as the index has it. */
export const IndexedAuthorities = Schema.Struct({
  configTokenUpdateAuthority: field(
    Schema.NullOr(Schema.Int),
    "Who the DBC configuration of the pool lets update the metadata. 0: the creator. 1: no one. 2: the platform. 3 and 4: creator or platform, plus the mint authority. Null while it is not known",
  ),
  mintAuthorityDisabled: field(
    Schema.NullOr(Schema.Boolean),
    "Whether no one can mint more, by the configuration. false: the mint authority was kept at the launch, and may have been given up since. Null while it is not known",
  ),
  freezeAuthorityDisabled: field(
    Schema.Boolean,
    "Whether no one can freeze tokens: the DBC program creates mints without that authority",
  ),
  isMutable: field(
    Schema.NullOr(Schema.Boolean),
    "Whether name, symbol and URI can be changed, as last read from the chain or, before that, as no one can by the configuration; null while it is not known",
  ),
}).annotate({
  identifier: "IndexedAuthorities",
  description:
    "Who can change the token, from the indexed chain; `GET /api/tokens/trust/:mintAddress` reads the accounts",
})
export type IndexedAuthorities = typeof IndexedAuthorities.Type

/** What the tables of the service say of how far a token can be trusted. Facts, and no judgement. */
export const TokenTrust = Schema.Struct({
  verified: field(Schema.Boolean, "Whether an operator of this registry has verified the token"),
  confusableWith: Schema.NullOr(
    Schema.Array(ConfusableToken).annotate({
      description: `Tokens that are verified, older or larger and whose name or symbol looks the same (Unicode UTS #39), at most ${CONFUSABLE_MAX}: verified ones first, then the oldest, then the largest`,
    }),
  ).annotate({ description: "Null while the names are not compared yet" }),
  unsafeText: field(
    Schema.Array(UnsafeText),
    "Name or symbol with characters that hide or disguise text; empty without any",
  ),
  authorities: Schema.NullOr(IndexedAuthorities).annotate({
    description: "Who can change the token; null while no pool of it is indexed",
  }),
  firstSlot: Schema.NullOr(FirstSlot).annotate({
    description:
      "What was bought in the slot in which the pool was created; null while no pool of the token is indexed",
  }),
}).annotate({
  identifier: "TokenTrust",
  description: "Facts about a token to judge it by, from the registry and the indexed chain; only with `include=trust`",
})
export type TokenTrust = typeof TokenTrust.Type
