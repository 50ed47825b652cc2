import { Context, Effect, Layer } from "effect"

/** Whether this process was asked to stop. */
export interface StopNotice {
  isStopping: boolean
}

/**
 * A process that is asked to stop says so first: it is not ready any more, and every answer ends its connection, but it
 * still takes requests, so that balancers can turn away from it.
 */
export const Stopping = Context.Reference<StopNotice>("@launch-registry/http/listener/Stopping", {
  defaultValue: () => ({ isStopping: false }),
})

export const layer = Layer.sync(Stopping, () => ({ isStopping: false }))

/** Gives notice when its scope closes, and so much time before anything that it was built after closes. */
export const giveNotice = (delaySeconds: number) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const notice = yield* Stopping
      yield* Effect.addFinalizer(() =>
        Effect.gen(function* () {
          notice.isStopping = true
          if (delaySeconds > 0) yield* Effect.logInfo(`Not ready any more: draining in ${delaySeconds} s`)
          yield* Effect.sleep(delaySeconds * 1_000)
        }),
      )
    }),
  )
