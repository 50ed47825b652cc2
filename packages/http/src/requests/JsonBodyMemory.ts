import { Busy } from "@launch-registry/domain/http/LimitErrors"
import { Context, Effect, Scope, Semaphore } from "effect"
import { HTTP_LIMITS, type HttpLimits } from "../listener/HttpLimits.ts"

/**
 * Bodies up to this size are not counted: nearly all are smaller, and their number is limited by that of connections.
 */
const SMALL_BYTES = 64 * 1024
/** Memory is claimed in steps of this size. */
const STEP_BYTES = 256 * 1024

/** Claims received bytes of a body, waiting if there is no memory left. `Busy` after a timeout. */
export type ClaimJsonBytes = (bytes: number) => Effect.Effect<void, Busy>

/**
 * Limits the memory of large JSON bodies in total, from reading until the response. Only received bytes count, so
 * announcing a large body without sending it blocks nobody.
 */
export interface JsonBodyMemory {
  /** Claims for one body, released when the scope closes. */
  readonly claims: Effect.Effect<ClaimJsonBytes, never, Scope.Scope>
}

export const makeJsonBodyMemory = ({
  jsonBytesMax,
  jsonWaitMillis,
}: Pick<HttpLimits, "jsonBytesMax" | "jsonWaitMillis">): JsonBodyMemory => {
  const room = Semaphore.makeUnsafe(Math.floor(jsonBytesMax / STEP_BYTES))
  return {
    claims: Effect.map(Effect.scope, (scope) => {
      let cameBytes = 0
      let heldBytes = SMALL_BYTES
      return (bytes) =>
        Effect.suspend(() => {
          cameBytes += bytes
          const steps = Math.ceil((cameBytes - heldBytes) / STEP_BYTES)
          if (steps <= 0) return Effect.void
          heldBytes += steps * STEP_BYTES
          return room.takeScoped(steps).pipe(
            Scope.provide(scope),
            Effect.timeoutOrElse({
              duration: jsonWaitMillis,
              orElse: () => Effect.fail(new Busy({ resource: "bodies" })),
            }),
          )
        })
    }),
  }
}

/** The instance of the current server. */
export const JsonBodyMemoryOfServer = Context.Reference<JsonBodyMemory>(
  "@launch-registry/http/requests/JsonBodyMemory",
  {
    defaultValue: () => makeJsonBodyMemory(HTTP_LIMITS),
  },
)
