import { NotFound } from "@launch-registry/domain/http/NotFound"
import {
  DeadLetters,
  type LetterPage,
  type LetterPosition,
  type PoisonPosition,
} from "@launch-registry/domain/system/DeadLetters"
import { Effect, Layer, Semaphore } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { segmentElements } from "./SegmentElements.ts"
import { letterStatements } from "./LetterStatements.ts"

/** Characters of a body that are answered. */
const BODY_LENGTH_MAX = 100_000
/** A segment is decompressed whole for one of its transactions. */
const SEGMENTS_AT_ONCE = 1

/** Beyond what PostgreSQL's types hold nothing is stored. */
const [OFFSET_MAX, POSITION_MAX] = [2n ** 63n - 1n, 2 ** 31 - 1]

/** What the indexer received and could not use, for the server of every process. */
export const DeadLettersLayer = Layer.effect(
  DeadLetters,
  Effect.gen(function* () {
    const statements = letterStatements(yield* SqlClient)
    const decoding = yield* Semaphore.make(SEGMENTS_AT_ONCE)

    const letters = Effect.fn("DeadLetters.letters")(function* (page: LetterPage<LetterPosition>) {
      const rows = yield* Effect.orDie(statements.letters(page))
      return rows.map(({ logOffset, position, reason, signature, slot }) => ({
        item: { id: `${logOffset}-${position}`, slot: String(slot), signature, reason },
        position: { logOffset, position },
      }))
    })

    /** Null where the segment was deleted. */
    const bodyAt = (bytes: Uint8Array | null, position: number) =>
      bytes === null
        ? Effect.succeed(null)
        : Effect.map(segmentElements(bytes), (elements) => JSON.stringify(elements[position]?.read() ?? null))

    const letter = Effect.fn("DeadLetters.letter")(function* (id: string) {
      const [offset, place] = id.split("-") as [string, string]
      const at = { logOffset: BigInt(offset), position: Number(place) }
      if (at.logOffset > OFFSET_MAX || at.position > POSITION_MAX)
        return yield* new NotFound({ resource: "dead_letter", id })
      return yield* decoding.withPermits(SEGMENTS_AT_ONCE)(
        Effect.gen(function* () {
          const row = yield* Effect.orDie(statements.letter(at))
          if (row === undefined) return yield* new NotFound({ resource: "dead_letter", id })
          const { bytes, reason, signature, slot } = row
          const body = yield* bodyAt(bytes, at.position)
          return {
            ...{ id: `${at.logOffset}-${at.position}`, slot: String(slot), signature, reason },
            body: body === null ? null : body.slice(0, BODY_LENGTH_MAX).toWellFormed(),
            length: body?.length ?? 0,
          }
        }),
      )
    })

    const poison = Effect.fn("DeadLetters.poison")(function* (page: LetterPage<PoisonPosition>) {
      const rows = yield* Effect.orDie(statements.poison(page))
      return rows.map(({ bytes, digest, excerpt, reason, receivedAt, source }) => ({
        item: {
          ...{ digest, receivedAt: receivedAt.toISOString(), source, reason, bytes },
          excerpt: Buffer.from(excerpt).toString("utf8"),
        },
        position: { receivedAt, digest },
      }))
    })

    return DeadLetters.of({ letters, letter, poison })
  }),
)
