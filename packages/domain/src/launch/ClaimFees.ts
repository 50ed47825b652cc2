import { Schema } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { describe } from "../http/Describe.ts"
import { Data } from "../http/Envelope.ts"
import { respondWith } from "../http/ErrorEnvelope.ts"
import { field } from "../http/Field.ts"
import { IdempotencyGuard } from "../http/IdempotencyGuard.ts"
import { idempotencyHeaders } from "../http/IdempotencyKey.ts"
import { NotFound } from "../http/NotFound.ts"
import { Address } from "../solana/Address.ts"
import { expiresInSeconds } from "./ExpiresInSeconds.ts"
import { LaunchCost, WalletFunds } from "./LaunchCost.ts"
import { nextStepFields } from "./NextStepFields.ts"
import { priorityFee, transactionVersion } from "./LaunchRequests.ts"
import { FeeKind, FeeParty, FeeState, PoolFee } from "../pools/PoolFees.ts"

/** Kinds that a request can name, each once. */
const KINDS_MAX = FeeKind.literals.length

/** Body of `POST /api/launch/claim`. */
export const ClaimRequest = Schema.Struct({
  walletAddress: field(
    Address,
    "Wallet that signs, pays and receives: the owner of what is claimed. A leftover that is named in claims can be sent by any wallet; its receiver gets it",
  ),
  mintAddress: field(Address, "Mint of the base token"),
  claims: Schema.optionalKey(
    field(
      Schema.Array(FeeKind).check(
        Schema.isMinLength(1),
        Schema.isMaxLength(KINDS_MAX),
        Schema.makeFilter(
          (kinds: ReadonlyArray<FeeKind>) => new Set(kinds).size === kinds.length || "expected each kind once",
        ),
      ),
      "What to claim; without it everything that the wallet owns",
    ),
  ),
  priorityFee,
  transactionVersion,
}).annotate({ identifier: "ClaimRequest", description: "Fees of a pool to claim" })
export type ClaimRequest = typeof ClaimRequest.Type

const ClaimTransaction = Schema.Struct({
  transaction: field(
    Schema.String,
    "Transaction in base64, of the version that was asked for, with an empty signature for the wallet",
  ),
  claims: field(Schema.Array(PoolFee), "What it claims"),
  size: field(Schema.Int, "Size of the signed transaction in bytes: at most 1232, with version 1 at most 4096"),
  computeUnitLimit: field(Schema.Int, "Compute unit limit of the transaction"),
  priorityFeeLamports: field(Schema.String, "Priority fee of the transaction, in lamports, a decimal string"),
}).annotate({ identifier: "ClaimTransaction", description: "A transaction that claims fees" })

const BuiltClaims = Schema.Struct({
  transactions: field(Schema.Array(ClaimTransaction), "One where all fits, else more, which can be sent in any order"),
  blockhash: field(Schema.String, "Recent blockhash of the transactions, base58"),
  lastValidBlockHeight: field(Schema.String, "Block height after which the transactions cannot land, a decimal string"),
  expiresInSeconds,
  slot: field(Schema.String, "Slot at which the blockhash was read, a decimal string"),
  mintAddress: field(Address, "Mint of the base token"),
  quoteMint: field(Address, "Mint of the quote token"),
  baseAmount: field(
    Schema.String,
    "Sum of the claims, in smallest units of the base token, a decimal string; with the leftover, whose receiver gets it",
  ),
  quoteAmount: field(
    Schema.String,
    "Sum of the claims, in smallest units of the quote token, a decimal string. SOL arrives unwrapped",
  ),
  lamports: field(
    Schema.String,
    "Lamports of a pool_creation_fee besides, which the wallet gets as they are, a decimal string",
  ),
  cost: LaunchCost,
  wallet: WalletFunds,
  ...nextStepFields,
}).annotate({
  identifier: "BuiltClaims",
  description: "The transactions that claim fees, with what they give and cost",
})
export type BuiltClaims = typeof BuiltClaims.Encoded

/** The fees of the request belong to others. */
export class ClaimNotYours extends Schema.TaggedError<ClaimNotYours>()("ClaimNotYours", {
  mintAddress: field(Schema.String, "Mint of the request"),
  walletAddress: field(Schema.String, "Wallet of the request"),
  owners: field(
    Schema.Array(
      Schema.Struct({
        kind: FeeKind,
        party: FeeParty,
        owner: field(Schema.NullOr(Schema.String), "Wallet that can claim it; null if it is not known here"),
      }),
    ),
    "Who can claim what the request names",
  ),
}) {
  static readonly response = respondWith(ClaimNotYours, {
    status: 409,
    code: "claim_not_yours",
    message: ({ mintAddress, owners, walletAddress }) => {
      const named = [...new Set(owners.map(({ owner, party }) => `${owner ?? "an unknown wallet"} (${party})`))]
      return `Fees of ${mintAddress} are claimed by ${named.join(" and ")}, not by ${walletAddress}`
    },
  })
}

/** The wallet has nothing to claim at the moment. */
export class NothingToClaim extends Schema.TaggedError<NothingToClaim>()("NothingToClaim", {
  mintAddress: field(Schema.String, "Mint of the request"),
  walletAddress: field(Schema.String, "Wallet of the request"),
  fees: field(
    Schema.Array(Schema.Struct({ kind: FeeKind, party: FeeParty, state: FeeState })),
    "Shares of the wallet, and why they cannot be claimed",
  ),
}) {
  static readonly response = respondWith(NothingToClaim, {
    status: 409,
    code: "nothing_to_claim",
    message: ({ fees, mintAddress, walletAddress }) => {
      const why = fees.map(({ kind, state }) => `${kind} ${state}`).join(", ")
      return `${walletAddress} has nothing to claim of ${mintAddress} now${why === "" ? "" : `: ${why}`}`
    },
  })
}

/** `POST /api/launch/claim` */
export const claimEndpoint = HttpApiEndpoint.post("claim", "/claim", {
  headers: idempotencyHeaders,
  payload: ClaimRequest,
  success: Data(BuiltClaims),
  error: [NotFound.response, ClaimNotYours.response, NothingToClaim.response],
})
  .middleware(IdempotencyGuard)
  .annotateMerge(
    describe(
      "Build claims of fees",
      "Builds the transactions with which a creator or partner claims what GET /api/launch/pool/{mintAddress}/fees shows as `claimable`: trading fees, surplus, migration fee, the fee for creating the pool, the leftover of base tokens, and fees of positions in the DAMM v2 pool, in as few transactions as they fit into. Missing token accounts are created; SOL is unwrapped, together with all that the wallet's wrapped SOL account holds. Fees of others are refused with their owner (409 `claim_not_yours`); only a leftover can be sent to its receiver by anybody, who names it in `claims`.",
    ),
  )
