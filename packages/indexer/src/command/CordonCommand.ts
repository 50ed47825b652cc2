import { Console, Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { cordonStatements } from "../cordons/RpcCordons.ts"

/** Prints every cordon. */
export const printCordons = Effect.gen(function* () {
  const cordons = yield* cordonStatements(yield* SqlClient).all
  if (cordons.length === 0) return yield* Console.log("No RPC endpoint is cordoned")
  for (const { createdAt, endpoint, reason } of cordons)
    yield* Console.log(`${endpoint}: ${reason} (since ${createdAt.toISOString()})`)
})

/** Takes an endpoint out of use in every process. */
export const cordon = (endpoint: string, reason: string) =>
  Effect.gen(function* () {
    yield* cordonStatements(yield* SqlClient).add(endpoint, reason)
    yield* Console.log(
      `${endpoint} is cordoned: running services send it no calls within a few seconds, unless all their endpoints are cordoned`,
    )
  })

/** Puts an endpoint back into use. */
export const uncordon = (endpoint: string) =>
  Effect.gen(function* () {
    const wasCordoned = yield* cordonStatements(yield* SqlClient).remove(endpoint)
    yield* Console.log(
      wasCordoned ? `${endpoint} is not cordoned any more` : `${endpoint} was not cordoned: nothing changed`,
    )
  })
