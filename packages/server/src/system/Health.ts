import type { EndpointState } from "@launch-registry/chain/rpc/Endpoint"
import { Rpc } from "@launch-registry/chain/rpc/Rpc"
import { type Health as HealthReport, NotReady, type PartHealth } from "@launch-registry/domain/system/SystemApi"
import { Clock, Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** A database that has not answered by then is down for whoever asks. */
const DATABASE_DEADLINE_MILLIS = 1_000

/** What the state of an endpoint's breaker means to whoever runs the service. */
const ENDPOINT_STATES: Readonly<Record<EndpointState, string>> = {
  closed: "up",
  open: "down",
  paused: "rate limited",
  benched: "refused or of another cluster",
}

/** What the service says of itself. */
export class Health extends Context.Service<
  Health,
  {
    readonly report: Effect.Effect<HealthReport>
    readonly requireReady: Effect.Effect<void, NotReady>
  }
>()("@launch-registry/server/system/Health") {
  static readonly layer = (options: {
    readonly version: string
    readonly network: string
    readonly ipfs: string
    readonly indexer: Effect.Effect<PartHealth>
  }) =>
    Layer.effect(
      Health,
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const rpc = yield* Rpc
        const startedAtMillis = yield* Clock.currentTimeMillis

        const database: Effect.Effect<PartHealth> = sql`select 1`.pipe(
          Effect.timeout(DATABASE_DEADLINE_MILLIS),
          Effect.match({
            onFailure: () => ({ status: "down", detail: "does not answer" }),
            onSuccess: () => ({ status: "up", detail: "PostgreSQL answers" }),
          }),
        )

        const endpoints: Effect.Effect<PartHealth> = Effect.map(rpc.status, (all) => {
          const usable = all.filter(({ state }) => state === "closed")
          const detail = all.map(
            ({ lastSlot, name, state }) =>
              `${name} ${ENDPOINT_STATES[state]}${lastSlot === null ? "" : ` at slot ${lastSlot}`}`,
          )
          const status = usable.length === all.length ? "up" : usable.length > 0 ? "degraded" : "down"
          return { status, detail: detail.join(", ") }
        })

        const report = Effect.gen(function* () {
          const now = yield* Clock.currentTimeMillis
          const parts = { database: yield* database, rpc: yield* endpoints, indexer: yield* options.indexer }
          const ipfs: PartHealth = { status: parts.database.status, detail: options.ipfs }
          const isWell = Object.values(parts).every(({ status }) => status === "up" || status === "off")
          return {
            status: isWell ? ("ok" as const) : ("degraded" as const),
            version: options.version,
            network: options.network,
            uptimeSeconds: Math.floor((now - startedAtMillis) / 1000),
            ...parts,
            ipfs,
          }
        })

        const requireReady = Effect.flatMap(database, ({ detail, status }) =>
          status === "up" ? Effect.void : Effect.fail(new NotReady({ reason: `the database ${detail}` })),
        )

        return Health.of({ report, requireReady })
      }),
    )
}
