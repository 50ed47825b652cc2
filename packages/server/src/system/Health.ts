import { MissingPrograms, programsMissing } from "@launch-registry/chain/localnet/MissingPrograms"
import { Rpc } from "@launch-registry/chain/rpc/Rpc"
import type { RpcEndpointReport, RpcReport } from "@launch-registry/domain/system/RpcReport"
import {
  type Health as HealthReport,
  NotReady,
  type PartHealth,
  type Readiness,
} from "@launch-registry/domain/system/SystemApi"
import { PrimaryState } from "@launch-registry/postgres/PrimaryState"
import { ReadReplica } from "@launch-registry/postgres/ReadReplica"
import { Stopping } from "@launch-registry/http/listener/Stopping"
import { Clock, Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { IndexerStatus } from "./IndexerStatus.ts"
import { ENDPOINT_STATES, rpcHealth } from "./RpcHealth.ts"

/** Timeout of the database check. */
const DATABASE_DEADLINE_MILLIS = 1_000

/** Parts in these states need no attention; unknown parts may be fine. */
const IS_FINE: ReadonlySet<PartHealth["status"]> = new Set<PartHealth["status"]>(["up", "off", "unknown"])

/** States that only an operator can resolve. */
const NEEDS_OPERATOR: ReadonlySet<string> = new Set<RpcEndpointReport["state"]>(["forbidden", "wrong_cluster"])

/** A primary that answers. */
const ofPrimary = ({ isWaiting }: PrimaryState): PartHealth =>
  isWaiting
    ? {
        status: "degraded",
        detail: "PostgreSQL answers; writes are refused: no synchronous standby confirms commits",
      }
    : { status: "up", detail: "PostgreSQL answers" }

/** Health and readiness of the service. */
export class Health extends Context.Service<
  Health,
  {
    readonly report: Effect.Effect<HealthReport>
    readonly readiness: Effect.Effect<Readiness, NotReady>
    readonly rpc: Effect.Effect<RpcReport>
  }
>()("@launch-registry/server/system/Health") {
  static readonly layer = (options: {
    readonly version: string
    readonly network: string
    readonly ipfs: Effect.Effect<PartHealth>
    readonly bridge: Effect.Effect<PartHealth>
  }) =>
    Layer.effect(
      Health,
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const rpc = yield* Rpc
        const indexer = yield* IndexerStatus
        const notice = yield* Stopping
        const replica = yield* ReadReplica
        const state = yield* PrimaryState
        const missingPrograms = yield* MissingPrograms
        const startedAtMillis = yield* Clock.currentTimeMillis

        const primary: Effect.Effect<PartHealth> = sql<{
          readonly isStandby: boolean
        }>`select pg_is_in_recovery() as is_standby`.pipe(
          Effect.timeout(DATABASE_DEADLINE_MILLIS),
          Effect.match({
            onFailure: () => ({ status: "down", detail: "does not answer" }),
            onSuccess: ([row]) =>
              row?.isStandby === true
                ? { status: "down", detail: "is a standby, which takes no writes" }
                : ofPrimary(state),
          }),
        )
        const database: Effect.Effect<PartHealth> =
          replica === undefined
            ? primary
            : Effect.map(primary, ({ detail, status }) => ({
                // Without its replica the primary answers reads as well.
                status: status === "up" && replica.state() !== "in use" ? "degraded" : status,
                detail: `${detail}; its read replica is ${replica.state()}`,
              }))

        const report = Effect.gen(function* () {
          const now = yield* Clock.currentTimeMillis
          const parts = yield* Effect.all(
            {
              database,
              rpc: Effect.map(rpc.report, (report) => rpcHealth(report, missingPrograms())),
              ipfs: options.ipfs,
              bridge: options.bridge,
              indexer: indexer.health,
            },
            { concurrency: "unbounded" },
          )
          const isWell = Object.values(parts).every(({ status }) => IS_FINE.has(status))
          return {
            status: isWell ? ("ok" as const) : ("degraded" as const),
            version: options.version,
            network: options.network,
            uptimeSeconds: Math.floor((now - startedAtMillis) / 1000),
            ...parts,
          }
        })

        const warnings = Effect.gen(function* () {
          const { endpoints: all } = yield* rpc.report
          const ipfs = yield* options.ipfs
          return [
            ...all
              .filter(({ state }) => NEEDS_OPERATOR.has(state))
              .map(({ name, state }) => `RPC ${name}: ${ENDPOINT_STATES[state]}`),
            ...(IS_FINE.has(ipfs.status) ? [] : [`IPFS: ${ipfs.detail}`]),
            ...(missingPrograms().length === 0 ? [] : [`Launches: ${programsMissing(missingPrograms())}`]),
          ]
        })
        const readiness = Effect.gen(function* () {
          if (notice.isStopping) return yield* new NotReady({ reason: "the service is stopping" })
          const { detail, status } = yield* primary
          if (status === "down") return yield* new NotReady({ reason: `the database ${detail}` })
          return { ready: true as const, warnings: yield* warnings }
        })

        return Health.of({ report, readiness, rpc: rpc.report })
      }),
    )
}
