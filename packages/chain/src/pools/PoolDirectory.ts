import { Context, Effect, Layer } from "effect"

/** Where the pool of a mint may be: a claim, to be checked against the pool's account. */
export interface PoolHint {
  readonly pool: string
  readonly config?: string
}

/**
 * Hints on pools without a request, e.g. from an index. Hints may be wrong: a pool is used only
 * when its account is one of the DBC program and names the mint.
 */
export class PoolDirectory extends Context.Service<
  PoolDirectory,
  {
    /** Hints for a base mint, the most likely first; at most ten. */
    readonly find: (baseMint: string) => Effect.Effect<ReadonlyArray<PoolHint>>
  }
>()("@launch-registry/chain/pools/PoolDirectory") {
  /** Empty: every pool is found by the transactions of its mint. */
  static readonly layerEmpty = Layer.succeed(PoolDirectory, { find: () => Effect.succeed([]) })
}
