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
import { priorityFee, transactionVersion } from "./LaunchRequests.ts"
import { paid, unsignedFields } from "./UnsignedFields.ts"

/** Body of `POST /api/launch/transfer-creator`. */
export const TransferCreatorRequest = Schema.Struct({
  mintAddress: field(Address, "Mint of the base token"),
  walletAddress: field(Address, "Wallet that signs and pays: the creator of the pool"),
  newCreator: field(
    Address,
    "Who becomes the creator: a wallet, or an account that a program signs for, such as a vault",
  ),
  priorityFee,
  transactionVersion,
}).annotate({ identifier: "TransferCreatorRequest", description: "A pool to hand over to another creator" })

const BuiltCreatorTransfer = Schema.Struct({
  ...unsignedFields,
  mintAddress: field(Address, "Mint of the base token"),
  pool: field(Address, "Account of the bonding curve pool"),
  creator: field(Address, "Creator of the pool until then"),
  newCreator: field(Address, "Creator of the pool from then on"),
  ...paid,
}).annotate({ identifier: "BuiltCreatorTransfer", description: "The transaction that gives a pool another creator" })

/** The pool cannot be handed over by this wallet, or not now. */
export class CreatorNotTransferable extends Schema.TaggedError<CreatorNotTransferable>()("CreatorNotTransferable", {
  mintAddress: field(Schema.String, "Mint of the request"),
  creator: field(Schema.String, "Creator of the pool, who alone can hand it over"),
  reason: field(
    Schema.Literals(["not_creator", "not_migrated", "damm_v1"]),
    "not_creator: the wallet is not the creator. not_migrated: the curve is complete; until it has migrated the program refuses. damm_v1: it migrated to DAMM v1, for which no transfer is built",
  ),
}) {
  static readonly response = respondWith(CreatorNotTransferable, {
    status: 409,
    code: "creator_not_transferable",
    message: ({ creator, mintAddress, reason }) => {
      if (reason === "not_creator") return `The pool of ${mintAddress} is handed over by its creator ${creator} alone`
      return reason === "not_migrated"
        ? `The curve of ${mintAddress} is complete: its creator can change once it has migrated`
        : `The curve of ${mintAddress} has migrated to DAMM v1: a change of its creator is not built`
    },
  })
}

/** `POST /api/launch/transfer-creator` */
export const transferCreatorEndpoint = HttpApiEndpoint.post("transferCreator", "/transfer-creator", {
  headers: idempotencyHeaders,
  payload: TransferCreatorRequest,
  success: Data(BuiltCreatorTransfer),
  error: [NotFound.response, CreatorNotTransferable.response],
})
  .middleware(IdempotencyGuard)
  .annotateMerge(
    describe(
      "Build a transfer of a pool to another creator",
      "Builds the transaction with which the creator of a pool hands it over: trading fees of the curve that are not claimed yet, and all that is the creator's from then on, are the new creator's. Positions in the DAMM v2 pool stay with whoever holds their NFTs. Refused while a complete curve awaits its migration (409 `creator_not_transferable`). Only the new creator can hand it back.",
    ),
  )
