/**
 * `node bench/scale-out/Archive.ts [transactions] [rounds]`: how fast closed segments of the log are archived, how fast all tables are derived again from
 * the archive and from PostgreSQL, in turn, and what the log takes in PostgreSQL per transaction before and after. The S3 service is a stand-in in a
 * process of its own on loopback, which checks signatures and hashes: no network, no other machine's disk.
 */
import { fork } from "node:child_process"
import { cpus } from "node:os"
import { fileURLToPath } from "node:url"
import { archiveRound } from "@launch-registry/indexer/archive/ArchiveRound"
import { LogArchive, logArchive } from "@launch-registry/indexer/archive/LogArchive"
import { eachObject, restoreObject } from "@launch-registry/indexer/archive/RestoreArchive"
import { reconcileStatements } from "@launch-registry/indexer/finality/ReconcileStatements"
import { IngestLog } from "@launch-registry/indexer/inbox/IngestLog"
import { readBody } from "@launch-registry/indexer/inbox/ReadBody"
import { Indexer } from "@launch-registry/indexer/Indexer"
import { reportStatements } from "@launch-registry/indexer/leader/ReportStatements"
import { followedPools } from "@launch-registry/indexer/pools/FollowedPools"
import { isSameDigest } from "@launch-registry/indexer/replay/Digest"
import { replay } from "@launch-registry/indexer/replay/Rebuild"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { generateBlocks } from "../../packages/indexer/fixtures/GenerateTransactions.ts"
import { BUCKET, CREDENTIALS } from "../../packages/s3/test/S3StandIn.ts"
import { BenchDatabase } from "../ingest/BenchDatabase.ts"
import { median } from "../ingest/IngestReport.ts"
import { indexLayer, lead } from "../ingest/Ours.ts"

const TRANSACTIONS = Number(process.argv[2] ?? 100_000)
const ROUNDS = Number(process.argv[3] ?? 5)
/** Transactions of a delivery, which is a segment by itself where deliveries are rare. */
const PER_SEGMENT = 20
const MIB = 1024 * 1024
const STAND_IN = fileURLToPath(new URL("ArchiveStandInMain.ts", import.meta.url))

const say = (text: string) => void process.stdout.write(`${text}\n`)
const timed = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const from = performance.now()
    const result = yield* work
    return { result, seconds: (performance.now() - from) / 1_000 }
  })

/** Everything is received, folded and, as far as the tables say, compared with the chain. */
const received = Effect.gen(function* () {
  const [log, indexer, sql] = [yield* IngestLog, yield* Indexer, yield* SqlClient]
  const fence = yield* lead
  const slots = TRANSACTIONS / PER_SEGMENT
  let first = 0
  let last = 0
  let count = 0
  for (const { slot, transactions } of generateBlocks({ seed: 1, slots, transactionsPerSlot: PER_SEGMENT })) {
    const body = Buffer.from(JSON.stringify(transactions))
    yield* log.append({ source: "webhook", bodies: [body], ...readBody(body) })
    first ||= slot
    last = slot
    count += transactions.length
    if (count % 20_000 < PER_SEGMENT) yield* indexer.catchUp(fence)
  }
  yield* indexer.catchUp(fence)
  const head = yield* log.head
  yield* sql`
    insert into coverage (from_slot, to_slot, proven_by, proven_at, log_offset) values (${first}, ${last}, 'rpc', now(), ${head})`
  yield* followedPools(sql).follow(fence)
  yield* sql`
    insert into pool_coverage (pool, from_slot, to_slot, proven_by, proven_at, log_offset)
    select pool, from_slot, ${last}, 'rpc', now(), ${head} from followed_pools`
  yield* reportStatements(sql).write("leader", { originSlot: String(first), source: "webhook" }, new Date())
  yield* reconcileStatements(sql).setCheckedOffset(head)
  return { fence, count }
})

/** Bytes that a transaction takes once nothing is left of deleted rows. */
const bytesPer = Effect.fnUntraced(function* (count: number) {
  const sql = yield* SqlClient
  yield* sql`vacuum full inbox_segments`
  const [row] = yield* sql<{ readonly segments: bigint; readonly keys: bigint }>`
    select pg_total_relation_size('inbox_segments') as segments, pg_total_relation_size('inbox_transactions') as keys`
  return { segments: Number(row!.segments) / count, keys: Number(row!.keys) / count }
})

const measure = Effect.gen(function* () {
  const archive = (yield* LogArchive)!
  const { count, fence } = yield* received
  const sql = yield* SqlClient
  const before = yield* bytesPer(count)
  let after = before
  let [objects, archivedBytes, segments] = [0, 0, 0]
  const rounds: Array<{ readonly archiving: number; readonly fromHere: number; readonly fromThere: number }> = []
  for (let round = 0; round <= ROUNDS; round++) {
    const here = yield* timed(replay(fence))
    const archiving = yield* timed(archiveRound(archive, { keepMillis: 0 }, fence))
    const there = yield* timed(replay(fence))
    for (const { live, rebuilt } of [here.result, there.result])
      if (!isSameDigest(live, rebuilt)) throw new Error("a replay gave other tables")
    const [row] = yield* sql<{ readonly objects: number; readonly bytes: bigint; readonly segments: bigint }>`
      select count(*)::integer as objects, sum(bytes)::bigint as bytes, sum(segments)::bigint as segments from inbox_archives`
    objects = row!.objects
    archivedBytes = Number(row!.bytes)
    segments = Number(row!.segments)
    if (round === 0) after = yield* bytesPer(count)
    // The first round warms up.
    else rounds.push({ archiving: archiving.seconds, fromHere: here.seconds, fromThere: there.seconds })
    yield* eachObject((object) => restoreObject(archive, object, fence))
  }
  const perSecond = (of: (round: (typeof rounds)[number]) => number) => median(rounds.map(of))
  const whole = (value: number) => Math.round(value).toLocaleString("en-US")
  say(
    `${whole(count)} transactions in segments of ${PER_SEGMENT}; ${objects} objects of ${(archivedBytes / MIB).toFixed(1)} MiB hold ${whole(segments)} segments`,
  )
  say(
    `archived: ${perSecond(({ archiving }) => archivedBytes / MIB / archiving).toFixed(1)} MiB/s, ${whole(perSecond(({ archiving }) => segments / archiving))} segments/s`,
  )
  say(`replayed from PostgreSQL: ${whole(perSecond(({ fromHere }) => count / fromHere))} tx/s`)
  say(`replayed from the archive: ${whole(perSecond(({ fromThere }) => count / fromThere))} tx/s`)
  const ratios = rounds.map(({ fromHere, fromThere }) => fromThere / fromHere).toSorted((a, b) => a - b)
  say(
    `time of the archive's replay to the other's: ${median(ratios).toFixed(2)} (${ratios[0]!.toFixed(2)} to ${ratios.at(-1)!.toFixed(2)})`,
  )
  say(
    `bytes per transaction in PostgreSQL: segments ${whole(before.segments)} before, ${whole(after.segments)} after; keys ${whole(before.keys)}`,
  )
})

const database = await BenchDatabase.start()
const standIn = fork(STAND_IN)
const url = await new Promise<string>((resolve) => standIn.once("message", (message) => resolve(String(message))))
say(`${cpus().length} cores, Node ${process.version}; PostgreSQL: ${database.settings}.\n`)
try {
  await database.renew()
  const archive = logArchive({
    ...{ endpoint: url, bucket: BUCKET, region: "us-east-1", prefix: "inbox/" },
    ...{ key: Redacted.make(CREDENTIALS.key), secret: Redacted.make(CREDENTIALS.secret) },
  })
  const index = indexLayer(database.address).pipe(Layer.provideMerge(Layer.succeed(LogArchive, archive)))
  await Effect.runPromise(
    measure.pipe(Effect.provide(index), Effect.provideService(LogArchive, archive), Effect.scoped) as Effect.Effect<
      void,
      unknown
    >,
  )
} finally {
  standIn.disconnect()
  await database.stop()
}
process.exit()
