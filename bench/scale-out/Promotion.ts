/**
 * `node bench/scale-out/Promotion.ts [rounds]`: two servers of PostgreSQL under every kind of write; the primary is killed with -9 and its
 * synchronous standby promoted at once. Prints for how long no write was acknowledged, and how many acknowledged ones were lost; the same for
 * webhooks with an asynchronous standby; and what a commit costs with and without its synchronous standby, in turn. Servers, services and
 * callers are on this machine. How long an operator takes to notice and to promote comes on top.
 */
import { cpus } from "node:os"
import { Effect, Logger } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { SeededRandom } from "../../packages/indexer/fixtures/SeededRandom.ts"
import { deliveryWriter } from "../../packages/service/test/durability/DeliveryWriter.ts"
import { DurableClient } from "../../packages/service/test/durability/DurableClient.ts"
import { databasePair } from "../../packages/service/test/promotion/DatabasePair.ts"
import {
  promotionRound,
  serviceEnvironment,
  supervised,
  TimedLedger,
  waitFor,
} from "../../packages/service/test/promotion/PromotionRound.ts"
import { temporaryFolder } from "../../packages/service/test/TemporaryFolder.ts"

const ROUNDS = Number(process.argv[2] ?? 3)
const WRITERS = 4
const ACKNOWLEDGED_MIN = 300
const COMMITS = 2_000
const COMMITS_IN_TURN = 50

const say = (text: string) => void process.stdout.write(`${text}\n`)
const seconds = (millis: number): string => (millis / 1_000).toFixed(2)

/** Webhooks alone: other writers would stop at what is lost. */
const asynchronousRound = Effect.fnUntraced(function* (seed: number) {
  const pair = yield* databasePair({ isSynchronous: false })
  const ledger = new TimedLedger()
  const random = new SeededRandom(seed)
  return yield* Effect.gen(function* () {
    const { url } = yield* supervised(serviceEnvironment(pair.address.url, yield* temporaryFolder))
    const client = new DurableClient(url, ledger, new AbortController().signal)
    const writers = Array.from({ length: WRITERS }, () => deliveryWriter({ client, ledger, random: random.split() }))
    let isOver = false
    let promotedAt = 0
    const write = async ({ write: deliver }: (typeof writers)[number]) => {
      while (!isOver) await deliver()
    }
    yield* Effect.promise(async (signal) => {
      const writing = writers.map(write)
      await waitFor(() => ledger.total >= ACKNOWLEDGED_MIN, signal)
      pair.address.moveTo(undefined)
      await Effect.runPromise(Effect.andThen(pair.killPrimary, pair.promote))
      promotedAt = performance.now()
      await waitFor(() => ledger.total >= 2 * ACKNOWLEDGED_MIN, signal)
      isOver = true
      await Promise.all(writing)
    })
    yield* pair.asStandby(Effect.flatMap(SqlClient, (sql) => Effect.forEach(writers, (writer) => writer.audit(sql))))
    return { ledger, pauseMillis: ledger.pauseAt(promotedAt) }
  }).pipe(Effect.scoped)
}, Effect.scoped)

const quantile = (values: ReadonlyArray<number>, share: number): string =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)]!.toFixed(2)

/** Milliseconds of single inserts, by what their commit waits for. */
const commits = Effect.gen(function* () {
  const { asPrimary } = yield* databasePair({ isSynchronous: true })
  const taken = { local: [] as Array<number>, on: [] as Array<number>, remote_apply: [] as Array<number> }
  yield* asPrimary(
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* sql`create table written (at timestamptz)`
      const session = yield* sql.reserve
      const ask = (statement: string) => session.execute(statement, [], undefined)
      for (let turn = 0; turn < COMMITS / COMMITS_IN_TURN; turn++)
        for (const [waits, millis] of Object.entries(taken)) {
          yield* ask(`set synchronous_commit = ${waits}`)
          for (let commit = 0; commit < COMMITS_IN_TURN; commit++) {
            const startedAt = performance.now()
            yield* ask("insert into written values (now())")
            millis.push(performance.now() - startedAt)
          }
        }
    }).pipe(Effect.scoped),
  )
  return taken
}).pipe(Effect.scoped)

const main = Effect.gen(function* () {
  say(`${cpus().length} cores, Node ${process.version}`)
  for (let round = 1; round <= ROUNDS; round++) {
    const { ledger, pauseMillis, streams } = yield* Effect.scoped(promotionRound({ seed: round }))
    const resets = streams.flat().filter(({ type }) => type === "reset").length
    say(
      `synchronous standby: ${seconds(pauseMillis)} s without writes, ${ledger.total} acknowledged, ` +
        `${ledger.lost.size} lost, ${resets} streams reset`,
    )
    const asynchronous = yield* asynchronousRound(round)
    say(
      `asynchronous standby: ${seconds(asynchronous.pauseMillis)} s without webhooks, ${asynchronous.ledger.total} acknowledged, ` +
        `${asynchronous.ledger.lost.size} transactions lost`,
    )
  }
  for (const [waits, millis] of Object.entries(yield* commits))
    say(`synchronous_commit = ${waits}: p50 ${quantile(millis, 0.5)} ms, p99 ${quantile(millis, 0.99)} ms`)
})

await Effect.runPromise(main.pipe(Effect.provide(Logger.layer([]))))
process.exit(0)
