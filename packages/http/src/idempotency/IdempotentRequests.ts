import { createHash } from "node:crypto"
import { IdempotencyKeyReused, RequestInFlight } from "@launch-registry/domain/http/IdempotencyErrors"
import { Context, Data, Effect, Fiber, Layer } from "effect"
import { HttpServerResponse } from "effect/http"
import { SqlClient } from "effect/sql/SqlClient"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import {
  type KeyClaim,
  idempotencyClaims,
  type StoredResponse,
  type KnownRequest,
  newClaim,
} from "./IdempotencyClaims.ts"
import { isStorable, storedResponse, REPLAYED_HEADER, replayed } from "./StoredResponse.ts"
import { requestHash } from "./RequestHash.ts"
import { respondError } from "../answers/Respond.ts"

/** Renewal interval of a claim, well within its lease. */
const BEAT_MILLIS = 3_000
/** Timeout of releasing a claim, which expires anyway. */
const RELEASE_MILLIS = 2_000
/** Retry-After of a 409. */
const RETRY_AFTER_SECONDS = 1

/** A request with a key. */
export interface SentKey {
  readonly key: string
  readonly caller: string
  /** Declared method and path. */
  readonly operation: string
  readonly url: string
}

/** State of a request with a key. */
interface KeyedRequest extends SentKey {
  claim: KeyClaim | undefined
  /** The response is stored, or was before: nothing to store or release. */
  isSettled: boolean
  /** The handler stores the response itself and produces it again. */
  isMadeAnew: boolean
  isReplay: boolean
}

const KeyedRequestInFlight = Context.Reference<KeyedRequest | undefined>(
  "@launch-registry/http/idempotency/IdempotentRequests/KeyedRequestInFlight",
  { defaultValue: () => undefined },
)

/** The key is known: carries the response to return instead of executing the request. */
export class AnsweredBefore extends Data.TaggedError("AnsweredBefore")<{
  readonly response: HttpServerResponse.HttpServerResponse
}> {}

/** Returns the known response, which is of the same operation. */
export const answeredBefore = <A extends Response, E, R>(effect: Effect.Effect<A, E | AnsweredBefore, R>) =>
  Effect.catchIf(
    effect,
    (error): error is AnsweredBefore => error instanceof AnsweredBefore,
    ({ response }) => Effect.succeed(response as A),
  )

/** The lease expired, and another process has taken over. */
class ClaimLost extends Data.TaggedError("ClaimLost") {}

const NO_ANSWER: StoredResponse = {
  ...{ status: null, contentType: null, location: null, cacheControl: null, body: null },
}

type Response = HttpServerResponse.HttpServerResponse

const inFlight = Effect.map(respondError(RequestInFlight.response, new RequestInFlight()), (response) =>
  HttpServerResponse.setHeader(response, "retry-after", String(RETRY_AFTER_SECONDS)),
)

const keyReused = respondError(IdempotencyKeyReused.response, new IdempotencyKeyReused())

/**
 * Executes requests with an Idempotency-Key once. A claim is committed before the work; the response is stored in the
 * transaction of the write, so that either both exist or none. Requests without a key have no overhead.
 */
export class IdempotentRequests extends Context.Service<
  IdempotentRequests,
  {
    /** Executes a request with a key: a success is stored, anything else releases the key. */
    readonly once: <E, R>(sent: SentKey, work: Effect.Effect<Response, E, R>) => Effect.Effect<Response, E, R>
    /** Claims the key of the current request, for this content. Must precede the work. */
    readonly claim: (content: () => unknown) => Effect.Effect<void, AnsweredBefore>
    /**
     * Writes, and stores the response in the same transaction. Calls to other services belong before it: a transaction
     * holds a connection. A response that another request with the key got meanwhile is of the same operation.
     */
    readonly commit: <A extends Response, E, R>(
      write: Effect.Effect<A, E, R>,
    ) => Effect.Effect<A, Exclude<E, SqlError>, R>
    /**
     * For a handler that stores the response by key itself and knows when it expires: returns a key that is unique per
     * caller. Repeated requests reach the handler again.
     */
    readonly madeAnew: Effect.Effect<string | undefined>
    /** Deletes up to `limit` expired requests; returns their number. */
    readonly sweep: (limit: number) => Effect.Effect<number>
  }
>()("@launch-registry/http/idempotency/IdempotentRequests") {
  static readonly layer = Layer.effect(
    IdempotentRequests,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const claims = idempotencyClaims(sql)

      /** The response for a known key. */
      const answerOf = (
        { operation, requestHash: hash }: KeyClaim,
        known: KnownRequest | undefined,
      ): Effect.Effect<Response | undefined> => {
        if (known === undefined) return inFlight
        const isSame = known.operation === operation && Buffer.compare(known.requestHash, hash) === 0
        if (!isSame) return keyReused
        if (known.state === "in_flight") return inFlight
        const { status } = known
        return Effect.succeed(status === null ? undefined : replayed(known, status))
      }

      const claim = Effect.fn("IdempotentRequests.claim")(function* (content: () => unknown) {
        const request = yield* KeyedRequestInFlight
        if (request === undefined) return
        const { caller, key, operation, url } = request
        const keyHash = createHash("sha256").update(key).digest()
        const own = newClaim({ caller, keyHash, operation, requestHash: requestHash(url, content()) })
        // Set before the insert, so that it is released even if the client disconnects meanwhile.
        request.claim = own
        const { isBegun, known } = yield* Effect.orDie(claims.begin(own))
        if (isBegun) return
        const response = yield* answerOf(own, known)
        request.isSettled = true
        request.isReplay = response === undefined
        if (response !== undefined) return yield* new AnsweredBefore({ response })
      })

      const keep = Effect.fnUntraced(function* (request: KeyedRequest, own: KeyClaim, response: Response) {
        if (!isStorable(response)) return { response, isStored: false }
        const answer = request.isMadeAnew ? NO_ANSWER : yield* storedResponse(response)
        if (!(yield* claims.answer(own, answer))) return yield* new ClaimLost()
        return { response, isStored: true }
      })

      /** The response of the process that has taken over. */
      const ofTheOther = (own: KeyClaim) =>
        Effect.orDie(claims.find(own)).pipe(
          Effect.flatMap((known) => answerOf(own, known)),
          Effect.flatMap((response) => (response === undefined ? inFlight : Effect.succeed(response))),
        )

      /** Runs `keeping`; if the claim is lost, it has written nothing. */
      const settled = <E, R>(
        request: KeyedRequest,
        own: KeyClaim,
        keeping: Effect.Effect<{ readonly response: Response; readonly isStored: boolean }, E, R>,
      ) =>
        keeping.pipe(
          Effect.map((done) => {
            request.isSettled = done.isStored
            return done.response
          }),
          Effect.catch((error) => {
            if (error instanceof ClaimLost) {
              request.isSettled = true
              return ofTheOther(own)
            }
            return isSqlError(error) ? Effect.die(error) : Effect.fail(error as Exclude<E, SqlError | ClaimLost>)
          }),
        )

      const commit = <A extends Response, E, R>(
        write: Effect.Effect<A, E, R>,
      ): Effect.Effect<A, Exclude<E, SqlError>, R> =>
        Effect.flatMap(KeyedRequestInFlight, (request) => {
          const own = request?.claim
          if (request === undefined || own === undefined || request.isSettled)
            return write as Effect.Effect<A, Exclude<E, SqlError>, R>
          const written = Effect.flatMap(write, (response) => keep(request, own, response))
          return settled(request, own, sql.withTransaction(written)) as Effect.Effect<A, Exclude<E, SqlError>, R>
        })

      /** Stores the response of work that wrote nothing, or only idempotently. */
      const finish = (request: KeyedRequest, response: Response): Effect.Effect<Response> => {
        const own = request.claim
        if (request.isReplay && isStorable(response))
          return Effect.succeed(HttpServerResponse.setHeader(response, REPLAYED_HEADER, "true"))
        if (request.isSettled || !isStorable(response)) return Effect.succeed(response)
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
          // The database may recover before the lease expires; otherwise nothing is committed.
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
                Effect.provideService(KeyedRequestInFlight, request),
                Effect.flatMap((response) => finish(request, response)),
              ),
            (beat) => Effect.andThen(Fiber.interrupt(beat), givenUp(request)),
          )
        })

      const madeAnew = Effect.map(KeyedRequestInFlight, (request) => {
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
