import { cpus } from "node:os"
import { parseArgs } from "node:util"
import { IngestLog } from "@launch-registry/indexer/inbox/IngestLog"
import { joinBodies, readBody } from "@launch-registry/indexer/inbox/ReadBody"
import { Indexer } from "@launch-registry/indexer/Indexer"
import { rebuild } from "@launch-registry/indexer/replay/Rebuild"
import { Sink } from "@launch-registry/indexer/sink/Sink"
import { Effect, Fiber, Logger, ManagedRuntime } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { GeneratedBlock } from "../../packages/indexer/fixtures/GeneratedModel.ts"
import { generateBlocks } from "../../packages/indexer/fixtures/GenerateTransactions.ts"
import { BenchDatabase } from "./BenchDatabase.ts"
import { median } from "./IngestReport.ts"
import { indexLayer, ingestAll, lead } from "./Ours.ts"

/**
 * How long a transaction takes from its append to the tables, with and without a rebuild beside it, and what following costs the rebuild:
 * all three in turn, in one process and on one database.
 */
const { values } = parseArgs({
  options: {
    transactions: { type: "string", default: "40000" },
    rounds: { type: "string", default: "3" },
    /** Blocks a second, of 20 transactions each. */
    blocks: { type: "string", default: "10" },
  },
})
const PER_BLOCK = 20
const LOOK_MILLIS = 2
/** Without a rebuild, so many blocks are followed. */
const QUIET_BLOCKS = 100
const count = Number(values.transactions)
const rounds = Number(values.rounds)
const everyMillis = 1_000 / Number(values.blocks)
const say = (text: string) => void process.stdout.write(`${text}\n`)

const bodyOf = ({ transactions }: GeneratedBlock): Buffer => Buffer.from(JSON.stringify(transactions))
const newBlocks = generateBlocks({
  ...{ seed: 1, transactionsPerSlot: PER_BLOCK },
  slots: count / PER_BLOCK + rounds * 10_000,
})
const nextBody = (): Buffer => bodyOf((newBlocks.next() as IteratorYieldResult<GeneratedBlock>).value)

const database = await BenchDatabase.start()
say(`${cpus().length} cores, Node ${process.version}; PostgreSQL: ${database.settings}.\n`)
await database.renew()
const runtime = ManagedRuntime.make(indexLayer(database.address))
const fence = await runtime.runPromise(lead)
const first = function* (): Generator<Buffer> {
  for (let slot = 0; slot < count / PER_BLOCK; slot++) yield nextBody()
}
await runtime.runPromise(ingestAll(first(), fence))

/** Appends a block at a time, at the pace of a chain, and notes how long each took until it was committed. */
const followed = (delays: Array<number>) =>
  Effect.gen(function* () {
    const log = yield* IngestLog
    const sink = yield* Sink
    const body = nextBody()
    const read = joinBodies([readBody(body)])
    const from = performance.now()
    const { logOffset } = yield* log.append({ source: "webhook", bodies: [body], ...read })
    while ((yield* sink.cursor) < logOffset!) yield* Effect.sleep(LOOK_MILLIS)
    delays.push(performance.now() - from)
    yield* Effect.sleep(Math.max(0, everyMillis - (performance.now() - from)))
  })

const madeDue = Effect.flatMap(SqlClient, (sql) => sql`update cursors set id = 'modules of an earlier version'`)
const follow = Effect.flatMap(Indexer, (indexer) => indexer.follow(fence))

interface Round {
  readonly quiet: ReadonlyArray<number>
  readonly beside: ReadonlyArray<number>
  readonly aloneMillis: number
  readonly besideMillis: number
}

const round = Effect.gen(function* () {
  const quiet: Array<number> = []
  const beside: Array<number> = []
  const alone = performance.now()
  yield* madeDue
  yield* rebuild(fence)
  const aloneMillis = performance.now() - alone
  const follower = yield* Effect.forkChild(follow)
  for (let block = 0; block < QUIET_BLOCKS; block++) yield* followed(quiet)
  yield* Fiber.interrupt(follower)
  yield* madeDue
  const from = performance.now()
  // A leader follows once the rebuild has begun, which takes the cursor over.
  const rebuilding = yield* Effect.forkChild(rebuild(fence))
  while ((yield* Effect.flatMap(Sink, ({ cursor }) => cursor)) === 0n) yield* Effect.sleep(LOOK_MILLIS)
  const besides = yield* Effect.forkChild(follow)
  const feeder = yield* Effect.forkChild(Effect.forever(followed(beside)))
  yield* Fiber.join(rebuilding)
  const besideMillis = performance.now() - from
  yield* Fiber.interrupt(feeder)
  yield* Fiber.interrupt(besides)
  return { quiet, beside, aloneMillis, besideMillis } satisfies Round
})

const results: Array<Round> = []
try {
  for (let index = 0; index < rounds; index++)
    results.push(await runtime.runPromise(Effect.provide(round, Logger.layer([]))))
} finally {
  await runtime.dispose()
  await database.stop()
}

const at = (delays: ReadonlyArray<number>, share: number): number =>
  delays.toSorted((left, right) => left - right)[Math.min(delays.length - 1, Math.floor(delays.length * share))]!
const line = (name: string, delaysOf: (one: Round) => ReadonlyArray<number>) =>
  say(
    `| ${name} | ${results.reduce((sum, one) => sum + delaysOf(one).length, 0)} | ${[0.5, 0.99, 1]
      .map((share) => `${Math.round(median(results.map((one) => at(delaysOf(one), share))))} ms`)
      .join(" | ")} |`,
  )
say(`Append to commit, ${values.blocks} blocks of ${PER_BLOCK} a second, medians of ${rounds} rounds:\n`)
say("| | blocks | p50 | p99 | slowest |\n|---|---|---|---|---|")
line("following alone", ({ quiet }) => quiet)
line("beside a rebuild", ({ beside }) => beside)
const ratio = median(results.map(({ aloneMillis, besideMillis }) => besideMillis / aloneMillis))
say(
  `\nThe rebuild alone: ${Math.round((count * 1_000) / median(results.map(({ aloneMillis }) => aloneMillis)))} transactions/s; beside following it takes ${ratio.toFixed(2)} times as long.`,
)
process.exit()
