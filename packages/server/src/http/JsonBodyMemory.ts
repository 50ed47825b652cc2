import { BodiesBusy } from "@launch-registry/domain/http/LimitErrors"
import { Context, Effect, type Scope, Semaphore } from "effect"
import { HTTP_LIMITS, type HttpLimits } from "./HttpLimits.ts"

/** Bodies up to this length are not counted: they are nearly all, and there are no more of them than connections. */
const SMALL_BYTES = 64 * 1024
const UNIT_BYTES = 1024

/** The bound on what large JSON bodies keep in memory while they are read, decoded and answered, for all of them together. */
export interface JsonBodyMemory {
  /** Room for a body of this length, until the scope closes. `BodiesBusy` when there is none for too long. */
  readonly hold: (bytes: number) => Effect.Effect<void, BodiesBusy, Scope.Scope>
}

export const makeJsonBodyMemory = ({
  jsonBytesMax,
  jsonWaitMillis,
}: Pick<HttpLimits, "jsonBytesMax" | "jsonWaitMillis">): JsonBodyMemory => {
  const room = Semaphore.makeUnsafe(Math.floor(jsonBytesMax / UNIT_BYTES))
  return {
    hold: (bytes) =>
      bytes <= SMALL_BYTES
        ? Effect.void
        : room
            .takeScoped(Math.ceil(bytes / UNIT_BYTES))
            .pipe(Effect.timeoutOrElse({ duration: jsonWaitMillis, orElse: () => Effect.fail(new BodiesBusy()) })),
  }
}

/** That of the server that answers. */
export const JsonBodyMemoryOfServer = Context.Reference<JsonBodyMemory>("@launch-registry/server/http/JsonBodyMemory", {
  defaultValue: () => makeJsonBodyMemory(HTTP_LIMITS),
})
