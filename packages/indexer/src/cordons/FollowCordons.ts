import { Rpc } from "@launch-registry/chain/rpc/Rpc"
import { regularly } from "@launch-registry/postgres/Regularly"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { cordonStatements } from "./RpcCordons.ts"

const READ_MILLIS = 5_000

/**
 * Applies the cordons of the database to the endpoints of this process, for its lifetime. While the database is away, those that
 * were read last stay.
 */
export const FollowCordonsLayer = Layer.effectDiscard(
  Effect.gen(function* () {
    const rpc = yield* Rpc
    const { all } = cordonStatements(yield* SqlClient)
    const apply = Effect.flatMap(all, (cordons) =>
      rpc.cordon(new Map(cordons.map(({ createdAt, endpoint, reason }) => [endpoint, { reason, since: createdAt }]))),
    )
    yield* Effect.forkScoped(regularly("Reading the cordons of RPC endpoints", READ_MILLIS, apply))
  }),
)
