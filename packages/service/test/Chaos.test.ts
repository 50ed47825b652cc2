import { assert, describe, it } from "@effect/vitest"
import { withNewCluster } from "@launch-registry/migrations/NewCluster"
import * as Database from "@launch-registry/postgres/Database"
import { embeddedPostgres } from "@launch-registry/postgres/embedded/EmbeddedPostgres"
import { isFolded } from "@launch-registry/migrations/FoldedCoverage"
import { digestOf } from "@launch-registry/indexer/replay/Digest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { jsonServer } from "../../chain/test/JsonServer.ts"
import { deliver } from "../../indexer/fixtures/DeliverTransactions.ts"
import { forkOf } from "../../indexer/fixtures/ForkBlock.ts"
import { generateChain } from "../../indexer/fixtures/GenerateTransactions.ts"
import { StandInCluster } from "../../indexer/test/StandInCluster.ts"
import { digest, fold, lead, receive, testIndex } from "../../indexer/test/TestIndex.ts"
import { urlOf } from "./DatabaseUrls.ts"
import { killPostgres } from "./durability/KillPostgres.ts"
import { sendAsHelius } from "./HeliusSender.ts"
import { Replica } from "./Replica.ts"
import { temporaryFolder } from "./TemporaryFolder.ts"
import { untilAnswer } from "./UntilAnswer.ts"

const SECRET = "the-secret-of-the-chaos-test"
const RETRY_MILLIS = 100

const { blocks } = generateChain({ seed: 77, slots: 160, transactionsPerSlot: 8, isLarge: false })
const [firstSlot, lastSlot] = [blocks[0]!.slot, blocks.at(-1)!.slot]

/** The tables without any faults. */
const cleanDigest = Effect.gen(function* () {
  yield* receive(blocks.map(({ transactions }) => JSON.stringify(transactions)))
  yield* fold(yield* lead)
  return yield* digest
}).pipe(Effect.provide(testIndex))

const setUp = Effect.gen(function* () {
  const { address, folder } = yield* embeddedPostgres({ folder: withNewCluster(yield* temporaryFolder) })
  const cluster = new StandInCluster().put(blocks).finalize(firstSlot - 1)
  const rpcUrl = yield* jsonServer((body: never, response) => cluster.answer(body, response))
  const environment = {
    DATABASE_URL: urlOf(address),
    NETWORK: "localnet",
    RPC_URL: rpcUrl,
    RPC_GENESIS_HASH: "any",
    HELIUS_WEBHOOK_SECRET: SECRET,
    INDEXER_RECONCILE_SECONDS: "1",
  }
  const replicas = yield* Effect.promise(() => Promise.all([Replica.of(environment), Replica.of(environment)]))
  yield* Effect.addFinalizer(() => Effect.promise(() => Promise.all(replicas.map((one) => one.stop()))))
  return { address, cluster, folder, replicas: replicas as [Replica, Replica] }
})

// oxlint-disable-next-line typescript/no-explicit-any
const statusUntil = ({ url }: Replica, holds: (status: any) => boolean) =>
  Effect.promise(async () => (await untilAnswer(`${url}/api/system/indexer`, ({ data }) => holds(data))).data)

/** Waits until every pool that a curve migrated to is followed and proven up to the last slot, and the proof is folded. */
const poolsProven = Effect.gen(function* () {
  const sql = yield* SqlClient
  const left = sql<{ readonly migrated: number; readonly unproven: number }>`
    select count(*)::integer as migrated, count(*) filter (where f.pool is null or f.venue is not null and (
      select coalesce(sum(c.to_slot - c.from_slot + 1), 0) from coverage c
      where c.pool = f.pool and ${sql.literal(isFolded("c"))}
    ) < ${BigInt(lastSlot)} - f.from_slot + 1)::integer as unproven
    from (select distinct migrated_pool as pool from dbc_pools where migrated_pool is not null) m
    left join followed_pools f using (pool)`
  while (true) {
    const [row] = yield* left
    if (row!.migrated > 0 && row!.unproven === 0) return
    yield* Effect.sleep(100)
  }
})

describe("Two replicas under kill -9, a killed PostgreSQL, an outage, redeliveries, poison and forgeries", () => {
  it.live("end with the tables of a fault-free run, and with full coverage", () =>
    Effect.gen(function* () {
      const clean = yield* cleanDigest
      const { address, cluster, folder, replicas } = yield* setUp
      const [first, second] = replicas
      yield* Effect.promise(() => first.start())
      yield* Effect.promise(() => second.start())

      const faults = { seed: 3, duplicateShare: 0.2, shuffleWindow: 60, poisonShare: 0.02, batchMax: 4 }
      const { bodies } = deliver(blocks, faults)
      const forged = blocks
        .filter((_, index) => index % 40 === 7)
        .map((block) => JSON.stringify(forkOf(block, block.slot).block.transactions))
      const all = [...bodies, ...forged]
      const chaos: Array<Promise<unknown>> = []
      const restart = async (replica: Replica) => {
        await replica.kill()
        await replica.start()
      }
      const steps = new Map<number, () => unknown>([
        [Math.floor(all.length * 0.15), () => restart(first)],
        [Math.floor(all.length * 0.4), () => killPostgres(folder, AbortSignal.timeout(60_000))],
        [Math.floor(all.length * 0.6), () => restart(second)],
        [Math.floor(all.length * 0.8), () => restart(first)],
      ])
      const stormed = yield* Effect.promise(() =>
        sendAsHelius({
          bodies: all.slice(0, Math.floor(all.length * 0.9)),
          urls: replicas.map(({ url }) => url),
          secret: SECRET,
          atOnce: 6,
          retryMillis: RETRY_MILLIS,
          onSent: (count) => {
            const step = steps.get(count)
            if (step !== undefined) chaos.push(Promise.resolve(step()))
          },
        }),
      )
      yield* Effect.promise(() => Promise.all(chaos))
      assert.isAbove(stormed.delivered, 0)

      // Both are down: deliveries are given up and lost.
      yield* Effect.promise(() => Promise.all(replicas.map((one) => one.kill())))
      const outage = yield* Effect.promise(() =>
        sendAsHelius({
          bodies: all.slice(Math.floor(all.length * 0.9)),
          urls: replicas.map(({ url }) => url),
          secret: SECRET,
          atOnce: 6,
          retryMillis: 1,
        }),
      )
      assert.strictEqual(outage.delivered, 0)
      yield* Effect.promise(() => Promise.all(replicas.map((one) => one.start())))
      // The lost forgeries arrive again, late.
      yield* Effect.promise(() =>
        sendAsHelius({
          ...{ bodies: forged, urls: [second.url], secret: SECRET, atOnce: 2, retryMillis: RETRY_MILLIS },
          deadlineMillis: 60_000,
        }),
      )

      cluster.finalize(lastSlot)
      const status = yield* statusUntil(
        second,
        ({ dropped, gaps, inbox, programWatermarkSlot }) =>
          programWatermarkSlot === String(lastSlot) && gaps.length === 0 && inbox.pendingSegments === 0 && dropped > 0,
      )
      assert.strictEqual(status.coverage[0].fromSlot, String(firstSlot))
      assert.strictEqual(status.coverage.at(-1).toSlot, String(lastSlot))
      assert.isAbove(status.poison, 0)
      assert.isAbove(status.dropped, 0)
      // Swaps on migrated pools are proven by each pool.
      const found = yield* Effect.gen(function* () {
        yield* poolsProven
        return yield* digestOf(yield* SqlClient)
      }).pipe(Effect.provide(Database.layer(address)))
      assert.deepStrictEqual(found, clean)
      yield* statusUntil(second, ({ watermarkSlot }) => watermarkSlot === String(lastSlot))
      for (const { output } of replicas) assert.notInclude(output, SECRET)
    }).pipe(Effect.scoped),
  )
})
