import { ListsBusy } from "@launch-registry/domain/http/LimitErrors"
import { Context, Effect, type Scope, Semaphore } from "effect"
import { HttpServerRequest } from "effect/http"
import { type AddressCaps, makeAddressCaps } from "../listener/AddressCaps.ts"
import { HTTP_LIMITS, type HttpLimits } from "../listener/HttpLimits.ts"

/** A long list is sent in pieces of about this size: so much of it is in memory, however slowly it is read. */
export const LIST_CHUNK_BYTES = 256 * 1024

/** Reads of more rows than this wait for their turn. */
const FEW_ROWS = 25
/** So many of them are under way at once: rows are in memory several times until they are an answer. */
const READS_AT_ONCE = 16

/** The bound on what long lists keep in memory, for all of them together and for each address. */
export interface WholeLists {
  /** Room for the list that answers this request, until it was sent; `ListsBusy` without. */
  readonly hold: Effect.Effect<void, ListsBusy, HttpServerRequest.HttpServerRequest | Scope.Scope>
  /** Reads so many rows, when it is their turn. Whose client goes away meanwhile reads nothing. */
  readonly inTurn: <A, E, R>(rows: number, read: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

export const makeWholeLists = ({ listBytesMax }: Pick<HttpLimits, "listBytesMax">, caps: AddressCaps): WholeLists => {
  const room = Semaphore.makeUnsafe(Math.max(1, Math.floor(listBytesMax / LIST_CHUNK_BYTES)))
  const turns = Semaphore.makeUnsafe(READS_AT_ONCE)
  return {
    // A statement goes on when its client has gone, and so does its turn: what it answers comes into memory all the same.
    inTurn: (rows, read) => (rows <= FEW_ROWS ? read : turns.withPermits(1)(Effect.uninterruptible(read))),
    hold: Effect.gen(function* () {
      yield* caps.hold("lists", yield* HttpServerRequest.HttpServerRequest, () => new ListsBusy())
      // Not waited for: who reads slowly may take minutes, and pages are answered meanwhile.
      const isIn = yield* Effect.acquireRelease(room.takeIfAvailable(1), (isIn) =>
        isIn ? room.release(1) : Effect.void,
      )
      if (!isIn) return yield* new ListsBusy()
    }),
  }
}

/** That of the server that answers. */
export const WholeListsOfServer = Context.Reference<WholeLists>("@launch-registry/http/answers/WholeLists", {
  defaultValue: () => makeWholeLists(HTTP_LIMITS, makeAddressCaps()),
})
