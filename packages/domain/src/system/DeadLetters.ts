import { Context, type Effect, Schema } from "effect"

import { field } from "../http/Field.ts"
import type { NotFound } from "../http/NotFound.ts"
import { Timestamp } from "../time/Timestamp.ts"

/** A transaction of the log that could not be decoded. */
export const DeadLetter = Schema.Struct({
  id: field(Schema.String, "Where it is in the log: offset and position, such as 42-0"),
  slot: field(Schema.String, "Slot, a decimal string"),
  signature: field(Schema.String, "Signature of the transaction"),
  reason: field(Schema.String, "Why it could not be decoded"),
}).annotate({ identifier: "DeadLetter", description: "A transaction of the log that could not be decoded" })
export type DeadLetter = typeof DeadLetter.Type

/** A dead letter with its transaction. */
export const DeadLetterBody = Schema.Struct({
  ...DeadLetter.fields,
  body: field(
    Schema.NullOr(Schema.String),
    "The transaction as JSON, its first 100,000 characters; null if it was deleted from the log",
  ),
  length: field(Schema.Int, "Characters of the whole body"),
}).annotate({
  identifier: "DeadLetterBody",
  description: "A transaction that could not be decoded, as it was received",
})
export type DeadLetterBody = typeof DeadLetterBody.Type

/** A delivery that could not be read, or of which a part was missing. */
export const PoisonDelivery = Schema.Struct({
  digest: field(Schema.String, "SHA-256 of the received bytes, in hex"),
  receivedAt: field(Timestamp, "When it was first received"),
  source: field(Schema.String, "Where it came from, such as webhook"),
  reason: field(Schema.String, "Why it could not be read"),
  excerpt: field(Schema.String, "Its first 1,000 bytes as text; what is not UTF-8 is replaced"),
  bytes: field(Schema.Int, "Number of stored bytes: its first 65,536"),
}).annotate({
  identifier: "PoisonDelivery",
  description: "A delivery that could not be read, or of which a part was missing",
})
export type PoisonDelivery = typeof PoisonDelivery.Type

/** Where a dead letter is in the log. */
export interface LetterPosition {
  readonly logOffset: bigint
  readonly position: number
}

/** Place of a delivery in the list, newest first. */
export interface PoisonPosition {
  readonly receivedAt: Date
  readonly digest: string
}

export const LetterId = Schema.String.check(
  Schema.isPattern(/^\d{1,18}-\d{1,9}$/, { message: "expected the id of a dead letter, such as 42-0" }),
  Schema.isMaxLength(28),
)

/** A page of a list, newest first. */
export interface LetterPage<Position> {
  readonly after: Position | undefined
  readonly limit: number
}

/** What the indexer received and could not use. Implemented by the indexer, used by the server. */
export class DeadLetters extends Context.Service<
  DeadLetters,
  {
    readonly letters: (
      page: LetterPage<LetterPosition>,
    ) => Effect.Effect<ReadonlyArray<{ readonly item: DeadLetter; readonly position: LetterPosition }>>
    readonly letter: (id: string) => Effect.Effect<DeadLetterBody, NotFound>
    readonly poison: (
      page: LetterPage<PoisonPosition>,
    ) => Effect.Effect<ReadonlyArray<{ readonly item: PoisonDelivery; readonly position: PoisonPosition }>>
  }
>()("@launch-registry/domain/system/DeadLetters") {}
