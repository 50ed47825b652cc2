import * as TestDatabase from "@launch-registry/migrations/TestDatabase"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { testUrlOf } from "../DatabaseUrls.ts"
import { Replica } from "../Replica.ts"
import { Balancer } from "./Balancer.ts"
import { SteadyClient } from "./SteadyClient.ts"

const CHECK_MILLIS = 50
/** Longer than this process and the services can stand still on a busy machine; no assertion rests on it. */
const DELAY_SECONDS = 4
/** Before, between and after the restarts. */
const REQUESTS_BETWEEN = 100

const acquired = <A>(start: () => Promise<A>, stop: (a: A) => unknown) =>
  Effect.acquireRelease(Effect.promise(start), (a) => Effect.promise(async () => void (await stop(a))))

const portOf = ({ url }: Replica): number => Number(new URL(url).port)

/** Two replicas behind a balancer, each restarted with SIGTERM under steady reads and writes. */
export const rollingRound = Effect.gen(function* () {
  const name = yield* TestDatabase.empty
  const environment = {
    ...{ DATABASE_URL: testUrlOf(name), ROLE: "api", RPC_URL: "http://127.0.0.1:9", RPC_GENESIS_HASH: "any" },
    ...{ LOG_LEVEL: "error", SHUTDOWN_DELAY_SECONDS: String(DELAY_SECONDS) },
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
    () => Balancer.start(replicas.map(portOf), CHECK_MILLIS),
    (one) => one.stop(),
  )
  yield* Effect.promise(() => Promise.all(replicas.map((replica) => balancer.until(portOf(replica), true))))
  const client = yield* acquired(
    async () => new SteadyClient(balancer.port, { workers: 4, pauseMillis: 0 }),
    (one) => one.stop(),
  )
  const exitCodes: Array<number | string | undefined> = []
  yield* Effect.promise(async () => {
    for (const replica of replicas) {
      await client.more(REQUESTS_BETWEEN)
      exitCodes.push(await replica.stop())
      await client.more(REQUESTS_BETWEEN)
      await replica.start()
      await balancer.until(portOf(replica), true)
    }
    await client.more(REQUESTS_BETWEEN)
    await client.stop()
  })
  const [row] = yield* Effect.flatMap(
    SqlClient,
    (sql) =>
      sql<{ readonly rows: number }>`
        select ((select count(*) from tokens) + (select count(*) from transactions))::integer as rows`,
  ).pipe(Effect.provide(TestDatabase.connectionsTo(name)))
  const { failures, writes } = client
  /** Exit codes of the replicas, rows that the writes left, and connections by replica. */
  return { failures, writes, exitCodes, rows: row!.rows, targets: balancer.targets.map((one) => one.connections) }
})
