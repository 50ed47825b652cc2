import { ListsBusy } from "@launch-registry/domain/http/LimitErrors"
import { Context, Effect, type Scope, Semaphore } from "effect"
import { HttpServerRequest } from "effect/http"
import { type AddressCaps, makeAddressCaps } from "./AddressCaps.ts"
import { HTTP_LIMITS, type HttpLimits } from "./HttpLimits.ts"

/** A whole list is sent in pieces of about this size: so much of it is in memory, however slowly it is read. */
export const LIST_CHUNK_BYTES = 256 * 1024

/** The bound on what whole lists keep in memory, for all of them together and for each address. */
export interface WholeLists {
  /** Room for the list that answers this request, until it was sent; `ListsBusy` without. */
  readonly hold: Effect.Effect<void, ListsBusy, HttpServerRequest.HttpServerRequest | Scope.Scope>
}

export const makeWholeLists = ({ listBytesMax }: Pick<HttpLimits, "listBytesMax">, caps: AddressCaps): WholeLists => {
  const room = Semaphore.makeUnsafe(Math.max(1, Math.floor(listBytesMax / LIST_CHUNK_BYTES)))
  return {
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
export const WholeListsOfServer = Context.Reference<WholeLists>("@launch-registry/server/http/WholeLists", {
  defaultValue: () => makeWholeLists(HTTP_LIMITS, makeAddressCaps()),
})
