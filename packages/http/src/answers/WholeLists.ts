import { Busy } from "@launch-registry/domain/http/LimitErrors"
import { Context, Effect, type Scope, Semaphore } from "effect"
import { HttpServerRequest } from "effect/http"
import { type AddressCaps, makeAddressCaps } from "../listener/AddressCaps.ts"
import { HTTP_LIMITS, type HttpLimits } from "../listener/HttpLimits.ts"

/** Chunk size of a streamed list: its memory, however slow the reader. */
export const LIST_CHUNK_BYTES = 256 * 1024

/** Reads of more rows than this are queued. */
const FEW_ROWS = 25
/** Concurrent dear reads: rows are in memory several times before they are sent, and four of the ten connections are for all else. */
const READS_AT_ONCE = 6

/** Limits the memory of long lists, in total and per address. */
export interface WholeLists {
  /** Reserves memory for the list of this request until it is sent; `Busy` if there is none. */
  readonly hold: Effect.Effect<void, Busy, HttpServerRequest.HttpServerRequest | Scope.Scope>
  /** Reads rows, of more than a few when a permit is free. A client that disconnects while queued reads nothing. */
  readonly inTurn: <A, E, R>(rows: number, read: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

export const makeWholeLists = ({ listBytesMax }: Pick<HttpLimits, "listBytesMax">, caps: AddressCaps): WholeLists => {
  const room = Semaphore.makeUnsafe(Math.max(1, Math.floor(listBytesMax / LIST_CHUNK_BYTES)))
  const turns = Semaphore.makeUnsafe(READS_AT_ONCE)
  return {
    // The statement continues after a disconnect, and so must its permit: its rows still arrive in memory.
    inTurn: (rows, read) => (rows <= FEW_ROWS ? read : turns.withPermits(1)(Effect.uninterruptible(read))),
    hold: Effect.gen(function* () {
      yield* caps.hold("lists", yield* HttpServerRequest.HttpServerRequest, () => new Busy({ resource: "lists" }))
      // Does not wait: slow readers may take minutes, and pages are still served.
      const isIn = yield* Effect.acquireRelease(room.takeIfAvailable(1), (isIn) =>
        isIn ? room.release(1) : Effect.void,
      )
      if (!isIn) return yield* new Busy({ resource: "lists" })
    }),
  }
}

/** The instance of the current server. */
export const WholeListsOfServer = Context.Reference<WholeLists>("@launch-registry/http/answers/WholeLists", {
  defaultValue: () => makeWholeLists(HTTP_LIMITS, makeAddressCaps()),
})
