import { LimitReached, Busy } from "@launch-registry/domain/http/LimitErrors"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"

/** Submissions that have not ended, of all clients together: each costs requests to every endpoint. */
export const PENDING_MAX = 10_000
/** Those of one fee payer while nobody else has any. */
const PENDING_OF_WALLET_MAX = 1_000

/**
 * Places of one fee payer where all others have taken so many: a tenth of all, less with the square of what they leave, one at
 * least. Wallets cost nothing, and what never lands pays no fee. Ten wallets would take all places of a fixed tenth, 81 those of a
 * tenth of what is left; here it takes 677, and a wallet without submissions has a place until the last one is gone.
 */
export const placesOfWallet = (takenByOthers: number): number => {
  const left = (PENDING_MAX - takenByOthers) / PENDING_MAX
  return Math.max(1, Math.floor(PENDING_OF_WALLET_MAX * left * left))
}

interface Taken {
  readonly count: bigint
  readonly ofWallet: bigint
  readonly signatures: bigint
}

/**
 * Whether one more submission of a fee payer can be taken; returns how many signatures its submissions have that have not
 * landed as far as is known: it pays for each. Requests at the same moment do not see each other.
 */
export const submissionRoom = (sql: SqlClient) =>
  Effect.fn("submissionRoom")(function* (feePayer: string) {
    const [taken] = yield* sql<Taken>`
      select count(*) as count, count(*) filter (where fee_payer = ${feePayer}) as of_wallet,
        coalesce(sum(signatures) filter (where fee_payer = ${feePayer} and state = 'pending'), 0)::bigint as signatures
      from (
        select signers[1] as fee_payer, cardinality(signers) as signatures, state from launch_submissions
        where settled_at is null limit ${PENDING_MAX}) pending`.pipe(Effect.orDie)
    const { count, ofWallet, signatures } = taken!
    if (count >= BigInt(PENDING_MAX)) return yield* new Busy({ resource: "submissions" })
    const limit = placesOfWallet(Number(count - ofWallet))
    if (ofWallet >= BigInt(limit)) return yield* new LimitReached({ resource: "submissions", limit })
    return signatures
  })
