import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { withNewCluster } from "@launch-registry/migrations/NewCluster"
import * as Database from "@launch-registry/postgres/Database"
import { embeddedPostgres } from "@launch-registry/postgres/embedded/EmbeddedPostgres"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { Replica } from "../Replica.ts"
import { Balancer } from "./Balancer.ts"
import { SteadyClient } from "./SteadyClient.ts"

export interface RollingOptions {
  /** Each replica is restarted so often. */
  readonly rounds: number
  readonly workers: number
  readonly pauseMillis: number
  readonly delaySeconds: number
  /** How often the balancer asks for readiness. */
  readonly checkMillis: number
  /** Requests between two restarts. */
  readonly requestsBetween: number
}

export interface RollingFigures {
  readonly requests: number
  readonly writes: number
  /** Rows that the writes left. */
  readonly rows: number
  readonly connections: number
  readonly failures: ReadonlyMap<string, number>
  /** Of all requests, in ascending order. */
  readonly millis: ReadonlyArray<number>
  readonly stopMillis: ReadonlyArray<number>
  readonly startMillis: ReadonlyArray<number>
  readonly exitCodes: ReadonlyArray<number | string | undefined>
  /** Connections by replica. */
  readonly targets: ReadonlyArray<number>
}

const acquired = <A>(start: () => Promise<A>, stop: (a: A) => unknown) =>
  Effect.acquireRelease(Effect.promise(start), (a) => Effect.promise(async () => void (await stop(a))))

const portOf = ({ url }: Replica): number => Number(new URL(url).port)

/** Two replicas behind a balancer, restarted in turn with SIGTERM under steady reads and writes. */
export const rollingRound = Effect.fnUntraced(function* (options: RollingOptions) {
  const folder = mkdtempSync(join(tmpdir(), "registry-rolling-"))
  yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(folder, { recursive: true, force: true })))
  const { address } = yield* embeddedPostgres({ folder: withNewCluster(folder), isThrowaway: true })
  const environment = {
    DATABASE_URL: `postgres://${address.username}@localhost/${address.database}?host=${address.socketDirectory}`,
    ...{ ROLE: "api", RPC_URL: "http://127.0.0.1:9", RPC_GENESIS_HASH: "any", LOG_LEVEL: "error" },
    SHUTDOWN_DELAY_SECONDS: String(options.delaySeconds),
  }
  const replicas = yield* Effect.forEach([1, 2], () =>
    acquired(
      async () => {
        const replica = await Replica.of(environment)
        await replica.start()
        return replica
      },
      (replica) => replica.stop(),
    ),
  )
  const balancer = yield* acquired(
    () => Balancer.start(replicas.map(portOf), options.checkMillis),
    (one) => one.stop(),
  )
  yield* Effect.promise(() => Promise.all(replicas.map((replica) => balancer.until(portOf(replica), true))))
  const client = yield* acquired(
    async () => new SteadyClient(balancer.port, options),
    (one) => one.stop(),
  )

  const [stopMillis, startMillis]: [Array<number>, Array<number>] = [[], []]
  const exitCodes: Array<number | string | undefined> = []
  const restart = async (replica: Replica) => {
    await client.more(options.requestsBetween)
    const stoppedAt = performance.now()
    exitCodes.push(await replica.stop())
    stopMillis.push(performance.now() - stoppedAt)
    await client.more(options.requestsBetween)
    const startedAt = performance.now()
    await replica.start()
    await balancer.until(portOf(replica), true)
    startMillis.push(performance.now() - startedAt)
  }
  for (let round = 0; round < options.rounds; round++)
    for (const replica of replicas) yield* Effect.promise(() => restart(replica))
  yield* Effect.promise(async () => {
    await client.more(options.requestsBetween)
    await client.stop()
  })

  const [row] = yield* Effect.flatMap(
    SqlClient,
    (sql) =>
      sql<{ readonly rows: number }>`
        select ((select count(*) from tokens) + (select count(*) from transactions))::integer as rows`,
  ).pipe(Effect.provide(Database.layer(address)))
  return {
    ...{ requests: client.requests, writes: client.writes, rows: row!.rows, connections: client.connections },
    ...{
      failures: client.failures,
      millis: client.millis.toSorted((a, b) => a - b),
      stopMillis,
      startMillis,
      exitCodes,
    },
    targets: balancer.targets.map(({ connections }) => connections),
  } satisfies RollingFigures as RollingFigures
})
