import type { SubmissionState } from "@launch-registry/domain/submissions/Submission"
import { Result } from "effect"

/** How far the network has confirmed the block of a transaction. */
export type Commitment = "processed" | "confirmed" | "finalized"

/** A transaction as a node knows it. */
export interface Sighting {
  readonly slot: bigint
  readonly err: unknown
  readonly commitment: Commitment
}

/** What one endpoint answered about a signature. */
export interface SignatureAnswer {
  /** Processed slot of the node. */
  readonly slot: bigint
  readonly sighting: Sighting | undefined
}

/** What is known of a submission. */
export interface KnownState {
  readonly state: SubmissionState
  readonly slot: bigint | null
}

const RANK: Readonly<Record<Commitment, number>> = { processed: 0, confirmed: 1, finalized: 2 }

/** The sighting with the highest commitment; of equals that of the preferred endpoint. */
export const bestSighting = (sightings: ReadonlyArray<Sighting>): Sighting | undefined => {
  let best: Sighting | undefined
  for (const sighting of sightings)
    if (best === undefined || RANK[sighting.commitment] > RANK[best.commitment]) best = sighting
  return best
}

const rankOf = ({ state }: KnownState): number => (state === "failed" ? RANK.confirmed : RANK[state as Commitment])

/**
 * What the answers of all endpoints say of a submission: where it landed; `reverted` if a fork took back what had landed;
 * undefined where they say nothing new.
 *
 * One endpoint that knows it is enough. That it is gone counts only when all endpoints say so, from its slot on. What one endpoint has
 * confirmed is not undone by another one that is behind, or on a fork: the finalized chain has to be past it (`isNotIn`).
 */
export const readAnswers = <E>(
  known: KnownState,
  answers: ReadonlyArray<Result.Result<SignatureAnswer, E>>,
): Sighting | "reverted" | undefined => {
  const heard = answers.flatMap((answer) => (Result.isSuccess(answer) ? [answer.success] : []))
  const best = bestSighting(heard.flatMap(({ sighting }) => sighting ?? []))
  const hasLanded = known.state !== "pending"
  // All would know the block that it landed in.
  const isGone =
    hasLanded &&
    answers.length > 0 &&
    heard.length === answers.length &&
    heard.every(({ sighting, slot }) => slot >= (known.slot ?? 0n) && sighting?.slot !== known.slot)
  if (best === undefined) return isGone ? "reverted" : undefined
  const isLess = hasLanded && rankOf(known) > RANK[best.commitment]
  return isLess && !isGone ? undefined : best
}

/** The state of a transaction that landed. A failure is one when it is confirmed. */
export const stateOf = ({ commitment, err }: Sighting): SubmissionState =>
  err !== null && commitment !== "processed" ? "failed" : commitment
