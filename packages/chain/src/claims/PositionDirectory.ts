import { Context, Effect, Layer } from "effect"

/** NFT mints of the positions that a migration to DAMM v2 created. Their addresses follow from nothing but that transaction. */
export class PositionDirectory extends Context.Service<
  PositionDirectory,
  {
    /** By the base mint; `undefined` while the migration is not known. Mints may be wrong: they are checked on the chain. */
    readonly find: (baseMint: string) => Effect.Effect<ReadonlyArray<string> | undefined>
  }
>()("@launch-registry/chain/claims/PositionDirectory") {
  /** Knows no migration. */
  static readonly layerEmpty = Layer.succeed(PositionDirectory, { find: () => Effect.undefined })
}
