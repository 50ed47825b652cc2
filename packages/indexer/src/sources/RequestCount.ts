import type { Rpc } from "@launch-registry/chain/rpc/Rpc"
import { Context, Effect } from "effect"

/** How many requests the history of the chain has taken, for whoever has to keep within a budget. */
export interface RequestCounter {
  made: number
  /** Transactions that were asked for since the last one that an endpoint gave. */
  refused: number
}

/** What counts the requests of an effect; replaced where there is a budget, or work of its own. */
export const RequestCount = Context.Reference<RequestCounter>("@launch-registry/indexer/sources/RequestCount", {
  defaultValue: () => ({ made: 0, refused: 0 }),
})

/** Counts the requests of an effect by themselves. */
export const countedAlone = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.suspend(() => Effect.provideService(work, RequestCount, { made: 0, refused: 0 }))

/** Counts a request. */
export const requestMade = Effect.map(RequestCount, (counter) => void counter.made++)

/** The same calls, counted; a call that another endpoint had to answer counts once. */
export const countedRpc = (rpc: Rpc["Service"]): Rpc["Service"] => ({
  ...rpc,
  call: (request) => Effect.andThen(requestMade, rpc.call(request)),
  onEach: (look) => rpc.onEach((call) => Effect.andThen(requestMade, look(call))),
})
