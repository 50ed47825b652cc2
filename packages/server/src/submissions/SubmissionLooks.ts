import { isExecuted } from "@launch-registry/chain/submissions/Executed"
import type { EndpointAnswer, Rpc } from "@launch-registry/chain/rpc/Rpc"
import { RpcError } from "@launch-registry/chain/rpc/RpcError"
import { TRANSACTION_VERSION_MAX } from "@launch-registry/chain/rpc/TransactionVersion"
import { type TransactionFailure, failureOf } from "@launch-registry/chain/submissions/TransactionFailure"
import type { Signature } from "@solana/kit"
import { Effect, Option, Result } from "effect"
import type { LandedStatus } from "../transactions/SignatureStatuses.ts"
import type { Commitment, Sighting, SignatureAnswer } from "./Sighting.ts"

/** An endpoint that takes longer has not answered, which leaves doubt. */
const DEADLINE_MILLIS = 3_000

interface LookedUp {
  readonly slot: bigint
  readonly statuses: ReadonlyArray<LandedStatus | null>
}

export const sightingOf = ({ confirmationStatus, err, slot }: LandedStatus): Sighting => ({
  ...{ slot, err },
  // A node that leaves the commitment out has the transaction in its newest bank.
  commitment: (confirmationStatus ?? "processed") as Commitment,
})

const answerAt =
  (index: number) =>
  ({ result }: EndpointAnswer<LookedUp>): Result.Result<SignatureAnswer, RpcError> =>
    Result.map(result, ({ slot, statuses }) => {
      const status = statuses[index]
      return { slot, sighting: status == null ? undefined : sightingOf(status) }
    })

/** A method that an endpoint does not serve is no answer; any other failure may hide a transaction. */
const isAnswer = ({ result }: EndpointAnswer<LookedUp>): boolean =>
  Result.isSuccess(result) || (result.failure.reason._tag !== "NotHere" && result.failure.reason._tag !== "Forbidden")

/** Asks every endpoint in use for all signatures in one request, `deeply` over its whole history. */
export const lookAt = (rpc: Rpc["Service"], signatures: ReadonlyArray<string>, deeply: boolean) =>
  rpc
    .onEach((call) =>
      call((kit) =>
        kit.getSignatureStatuses(signatures as unknown as ReadonlyArray<Signature>, {
          searchTransactionHistory: deeply,
        }),
      ).pipe(
        Effect.map(({ context, value }): LookedUp => ({ slot: context.slot, statuses: value })),
        Effect.timeoutOrElse({
          duration: DEADLINE_MILLIS,
          orElse: () => Effect.fail(new RpcError({ method: "getSignatureStatuses", reason: { _tag: "TimedOut" } })),
        }),
      ),
    )
    .pipe(
      Effect.map((answers) => {
        const heard = answers.filter(isAnswer)
        return signatures.map((_, index) => heard.map(answerAt(index)))
      }),
    )

/** Why a transaction in a block failed, and whether it was executed at all. */
export interface LandedFailure {
  readonly error: TransactionFailure
  /** `undefined` where that is not known. */
  readonly isExecuted: boolean | undefined
}

const UNPAID = "not executed, and no fee was taken:"

/** With the logs of the transaction, where a node still has them. */
export const landedFailure = (
  rpc: Rpc["Service"],
  { programs, signature }: { readonly programs: ReadonlyArray<string>; readonly signature: string },
  err: unknown,
): Effect.Effect<LandedFailure> =>
  rpc
    .call((kit) =>
      kit.getTransaction(signature as Signature, {
        ...{ commitment: "confirmed", encoding: "json", maxSupportedTransactionVersion: TRANSACTION_VERSION_MAX },
      }),
    )
    .pipe(
      Effect.option,
      Effect.flatMap((found) => {
        const meta = Option.getOrUndefined(found)?.meta
        const executed = isExecuted(err, meta?.fee)
        return Effect.map(
          Effect.promise(() => failureOf(err, programs, meta?.logMessages ?? [])),
          (error) => ({
            isExecuted: executed,
            error: executed === false ? { ...error, message: `${UNPAID} ${error.message}` } : error,
          }),
        )
      }),
    )
