import { BodiesBusy } from "@launch-registry/domain/http/LimitErrors"
import { Context, Effect, Scope, Semaphore } from "effect"
import { HTTP_LIMITS, type HttpLimits } from "../listener/HttpLimits.ts"

/** Bodies up to this length are not counted: they are nearly all, and there are no more of them than connections. */
const SMALL_BYTES = 64 * 1024
/** Room is taken in steps of this length. */
const STEP_BYTES = 256 * 1024

/** Counts bytes of a body that came in, and waits for room when there is none. `BodiesBusy` when that takes too long. */
export type ClaimJsonBytes = (bytes: number) => Effect.Effect<void, BodiesBusy>

/**
 * The bound on what large JSON bodies keep in memory while they are read, decoded and answered, for all of them together. A body
 * counts for what came in of it: who announces much and sends nothing keeps nobody out.
 */
export interface JsonBodyMemory {
  /** For one body, whose room is given back when the scope closes. */
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
          return room
            .takeScoped(steps)
            .pipe(
              Scope.provide(scope),
              Effect.timeoutOrElse({ duration: jsonWaitMillis, orElse: () => Effect.fail(new BodiesBusy()) }),
            )
        })
    }),
  }
}

/** That of the server that answers. */
export const JsonBodyMemoryOfServer = Context.Reference<JsonBodyMemory>(
  "@launch-registry/http/requests/JsonBodyMemory",
  {
    defaultValue: () => makeJsonBodyMemory(HTTP_LIMITS),
  },
)
