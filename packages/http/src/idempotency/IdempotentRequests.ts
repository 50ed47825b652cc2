import { createHash } from "node:crypto"
import { IdempotencyKeyReused, RequestInFlight } from "@launch-registry/domain/http/IdempotencyErrors"
import { Context, Data, Effect, Fiber, Layer } from "effect"
import { HttpServerResponse } from "effect/http"
import { SqlClient } from "effect/sql/SqlClient"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { type Claim, idempotencyClaims, type KeptAnswer, type KnownRequest, newClaim } from "./IdempotencyClaims.ts"
import { isKept, kept, REPLAYED_HEADER, replayed } from "./KeptResponse.ts"
import { requestHash } from "./RequestHash.ts"
import { respondError } from "../answers/Respond.ts"

/** A claim is kept up this often, well within its lease. */
const BEAT_MILLIS = 3_000
/** How long an end may be held up by giving up a claim: it ends by itself. */
const RELEASE_MILLIS = 2_000
/** When whoever was answered 409 may try again. */
const RETRY_AFTER_SECONDS = 1

/** A request as it came, with its key. */
export interface SentKey {
  readonly key: string
  readonly caller: string
  /** Method and path as they are declared. */
  readonly operation: string
  readonly url: string
}

/** A request with a key, from the key to the answer. */
interface KeyedRequest extends SentKey {
  claim: Claim | undefined
  /** There is an answer to it, or there was one before: nothing is to be kept and no claim to be given up. */
  isSettled: boolean
  /** Its answer is made anew, from what its handler keeps. */
  isMadeAnew: boolean
  isReplay: boolean
}

const RequestUnderWay = Context.Reference<KeyedRequest | undefined>(
  "@launch-registry/http/idempotency/IdempotentRequests/RequestUnderWay",
  { defaultValue: () => undefined },
)

/** The request was made before, or is under way, or its key stands for another: that is the answer, and nothing is done. */
export class AnsweredBefore extends Data.TaggedError("AnsweredBefore")<{
  readonly response: HttpServerResponse.HttpServerResponse
}> {}

/** Answers with what was answered before: by the same operation, so that it is its answer. */
export const answeredBefore = <A extends Response, E, R>(effect: Effect.Effect<A, E | AnsweredBefore, R>) =>
  Effect.catchIf(
    effect,
    (error): error is AnsweredBefore => error instanceof AnsweredBefore,
    ({ response }) => Effect.succeed(response as A),
  )

/** Its lease ended before the work did, and somebody else has begun it again. */
class ClaimLost extends Data.TaggedError("ClaimLost") {}

const NO_ANSWER: KeptAnswer = {
  ...{ status: null, contentType: null, location: null, cacheControl: null, isSealed: false, body: null },
}

type Response = HttpServerResponse.HttpServerResponse

const inFlight = Effect.map(respondError(RequestInFlight.response, new RequestInFlight()), (response) =>
  HttpServerResponse.setHeader(response, "retry-after", String(RETRY_AFTER_SECONDS)),
)

const keyReused = respondError(IdempotencyKeyReused.response, new IdempotencyKeyReused())

/**
 * Requests with an Idempotency-Key are done once. A claim is committed before the work begins; the answer is kept in the
 * transaction of what it is about, so that either both are there or the request was never made. Without a key nothing of
 * this costs anything.
 */
export class IdempotentRequests extends Context.Service<
  IdempotentRequests,
  {
    /** Does the work of a request with a key: a success is kept, and everything else leaves the key free. */
    readonly once: <E, R>(sent: SentKey, work: Effect.Effect<Response, E, R>) => Effect.Effect<Response, E, R>
    /** Claims the key of the request under way, for what was read of its body. Whoever does the work does this first. */
    readonly claim: (content: () => unknown) => Effect.Effect<void, AnsweredBefore>
    /**
     * Writes, and keeps the answer in the same transaction. A handler that asks others does that before: a transaction holds
     * a connection. What another request with the key was answered meanwhile is an answer of the same operation.
     */
    readonly commit: <A extends Response, E, R>(
      write: Effect.Effect<A, E, R>,
    ) => Effect.Effect<A, Exclude<E, SqlError>, R>
    /**
     * For a handler that keeps the answer by the key itself, and can tell when it holds no more: gives the key to keep it by, which
     * is that of this caller alone. The same request comes to the handler again.
     */
    readonly madeAnew: Effect.Effect<string | undefined>
    /** Removes up to so many requests that are older than a key is kept; how many that were. */
    readonly sweep: (limit: number) => Effect.Effect<number>
  }
>()("@launch-registry/http/idempotency/IdempotentRequests") {
  static readonly layer = Layer.effect(
    IdempotentRequests,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const claims = idempotencyClaims(sql)

      /** What somebody else made of the request. */
      const answerOf = (
        { key }: SentKey,
        { operation, requestHash: hash }: Claim,
        known: KnownRequest | undefined,
      ): Effect.Effect<Response | undefined> => {
        if (known === undefined) return inFlight
        const isSame = known.operation === operation && Buffer.compare(known.requestHash, hash) === 0
        if (!isSame) return keyReused
        if (known.state === "in_flight") return inFlight
        const { status } = known
        // Unsealing throws for what was tampered with.
        return Effect.sync(() => (status === null ? undefined : replayed(known, status, { key, requestHash: hash })))
      }

      const claim = Effect.fn("IdempotentRequests.claim")(function* (content: () => unknown) {
        const request = yield* RequestUnderWay
        if (request === undefined) return
        const { caller, key, operation, url } = request
        const keyHash = createHash("sha256").update(key).digest()
        const own = newClaim({ caller, keyHash, operation, requestHash: requestHash(url, content()) })
        // Before it is there: given up also by a caller who goes away meanwhile.
        request.claim = own
        const { isBegun, known } = yield* Effect.orDie(claims.begin(own))
        if (isBegun) return
        const response = yield* answerOf(request, own, known)
        request.isSettled = true
        request.isReplay = response === undefined
        if (response !== undefined) return yield* new AnsweredBefore({ response })
      })

      const keep = Effect.fnUntraced(function* (request: KeyedRequest, own: Claim, response: Response) {
        if (!isKept(response)) return { response, isKept: false }
        const { key } = request
        const answer = request.isMadeAnew ? NO_ANSWER : yield* kept(response, { key, requestHash: own.requestHash })
        if (!(yield* claims.answer(own, answer))) return yield* new ClaimLost()
        return { response, isKept: true }
      })

      /** The answer of whoever has taken the request over. */
      const ofTheOther = (request: KeyedRequest, own: Claim) =>
        Effect.orDie(claims.find(own)).pipe(
          Effect.flatMap((known) => answerOf(request, own, known)),
          Effect.flatMap((response) => (response === undefined ? inFlight : Effect.succeed(response))),
        )

      /** Once the answer is kept; when the claim is lost, nothing of `keeping` was written. */
      const settled = <E, R>(
        request: KeyedRequest,
        own: Claim,
        keeping: Effect.Effect<{ readonly response: Response; readonly isKept: boolean }, E, R>,
      ) =>
        keeping.pipe(
          Effect.map((done) => {
            request.isSettled = done.isKept
            return done.response
          }),
          Effect.catch((error) => {
            if (error instanceof ClaimLost) {
              request.isSettled = true
              return ofTheOther(request, own)
            }
            return isSqlError(error) ? Effect.die(error) : Effect.fail(error as Exclude<E, SqlError | ClaimLost>)
          }),
        )

      const commit = <A extends Response, E, R>(
        write: Effect.Effect<A, E, R>,
      ): Effect.Effect<A, Exclude<E, SqlError>, R> =>
        Effect.flatMap(RequestUnderWay, (request) => {
          const own = request?.claim
          if (request === undefined || own === undefined || request.isSettled)
            return write as Effect.Effect<A, Exclude<E, SqlError>, R>
          const written = Effect.flatMap(write, (response) => keep(request, own, response))
          return settled(request, own, sql.withTransaction(written)) as Effect.Effect<A, Exclude<E, SqlError>, R>
        })

      /** Keeps the answer of work that wrote nothing, or only what may be written twice. */
      const finish = (request: KeyedRequest, response: Response): Effect.Effect<Response> => {
        const own = request.claim
        if (request.isReplay && isKept(response))
          return Effect.succeed(HttpServerResponse.setHeader(response, REPLAYED_HEADER, "true"))
        if (request.isSettled || !isKept(response)) return Effect.succeed(response)
        return own === undefined
          ? Effect.die(new Error(`${request.operation} never claimed its key`))
          : settled(request, own, keep(request, own, response))
      }

      const keptUp = (request: KeyedRequest) =>
        Effect.sleep(BEAT_MILLIS).pipe(
          Effect.andThen(
            Effect.suspend(() =>
              request.claim === undefined ? Effect.void : Effect.asVoid(claims.extend(request.claim)),
            ),
          ),
          // The database may be back before the lease ends, and if it is not, nothing is committed.
          Effect.ignore,
          Effect.forever,
        )

      const givenUp = (request: KeyedRequest) =>
        Effect.suspend(() =>
          request.claim === undefined || request.isSettled
            ? Effect.void
            : claims
                .release(request.claim)
                .pipe(Effect.interruptible, Effect.timeoutOption(RELEASE_MILLIS), Effect.ignoreCause, Effect.asVoid),
        )

      const once = <E, R>(sent: SentKey, work: Effect.Effect<Response, E, R>): Effect.Effect<Response, E, R> =>
        Effect.suspend(() => {
          const request: KeyedRequest = {
            ...sent,
            ...{ claim: undefined, isSettled: false, isMadeAnew: false, isReplay: false },
          }
          return Effect.acquireUseRelease(
            Effect.forkChild(keptUp(request)),
            () =>
              work.pipe(
                Effect.provideService(RequestUnderWay, request),
                Effect.flatMap((response) => finish(request, response)),
              ),
            (beat) => Effect.andThen(Fiber.interrupt(beat), givenUp(request)),
          )
        })

      const madeAnew = Effect.map(RequestUnderWay, (request) => {
        if (request === undefined) return undefined
        request.isMadeAnew = true
        return request.caller === "" ? request.key : `${request.caller}\n${request.key}`
      })

      return IdempotentRequests.of({
        ...{ once, claim, commit, madeAnew },
        sweep: (limit) => Effect.orDie(claims.sweep(limit)),
      })
    }),
  )
}
