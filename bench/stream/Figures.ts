import { parseArgs } from "node:util"
import { ChangeFigures, type ShownChange } from "@launch-registry/domain/stream/ShownChange"
import * as Database from "@launch-registry/postgres/Database"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { LearnCurves } from "../../packages/server/src/launch/LearnCurves.ts"
import { changeLog } from "../../packages/server/src/stream/ChangeLog.ts"
import { afterCommit } from "../../packages/server/src/stream/ChangePosition.ts"
import { ShownChangesLayer } from "../../packages/server/src/stream/ShownChanges.ts"
import { BenchDatabase } from "../ingest/BenchDatabase.ts"

/**
 * What figures of trades cost the stream: one reader that gets every event of a log, with price, market cap, progress and
 * finality, and as it is stored. Both take turns.
 */
const { values } = parseArgs({
  options: {
    commits: { type: "string", default: "2000" },
    changes: { type: "string", default: "100" },
    tokens: { type: "string", default: "5000" },
    rounds: { type: "string", default: "7" },
  },
})
const [COMMITS, CHANGES, TOKENS, ROUNDS] = [values.commits, values.changes, values.tokens, values.rounds].map(
  Number,
) as [number, number, number, number]
const CONFIGS = 50
const FIRST_SLOT = 382_000_000

const say = (text: string) => void process.stdout.write(`${text}\n`)

const SOL = "So11111111111111111111111111111111111111112"
const addressOf = (kind: string, n: number) => `${kind}${String(1e9 + n).replaceAll("0", "z")}`.padEnd(44, kind)

/** One change in five is the state of a pool. */
const changeOf = (commit: number, at: number) => {
  const n = commit * CHANGES + at
  const token = Math.floor(TOKENS * ((n * 0.618034) % 1) ** 2)
  const traded = {
    ...{
      slot: String(FIRST_SLOT + commit),
      baseMint: addressOf("M", token),
      pool: addressOf("P", token),
      venue: "dbc",
    },
    ...{ sqrtPrice: String(98_362_933_813_224_380n + BigInt(n) * 7_919n), quoteReserve: String(5_123_456_789 + n) },
  }
  if (at % 5 === 4) return { type: "pool", ...traded }
  return {
    ...{ type: "trade", ...traded, signature: addressOf("S", n).repeat(2), time: "2026-11-23T11:00:00.000Z" },
    ...{ quoteMint: SOL, trader: addressOf("T", n), side: at % 2 === 0 ? "BUY" : "SELL" },
    ...{ baseAmount: String(123_456_789_012 + n), quoteAmount: String(1_234_567_890 + n), fee: String(12_345_678 + n) },
  }
}

const fill = Effect.gen(function* () {
  const sql = yield* SqlClient
  for (let n = 0; n < CONFIGS; n++)
    yield* sql`insert into launch_curves ${sql.insert({
      ...{ config: addressOf("C", n), baseDecimals: 6, quoteDecimals: 9, supply: "1000000000000000" },
      ...{ migrationQuoteThreshold: "85000000000", startSqrtPrice: "1" },
    })}`
  for (let n = 0; n < TOKENS; n++)
    yield* sql`insert into dbc_pools ${sql.insert({
      ...{ pool: addressOf("P", n), baseMint: addressOf("M", n), quoteMint: SOL, config: addressOf("C", n % CONFIGS) },
      ...{ creator: SOL, name: "", symbol: "", uri: "", poolType: 0, activationPoint: 0n, decimals: 6 },
      ...{ createdSlot: BigInt(n), createdAt: new Date(0) },
    })}`
  // Half of the slots are proven.
  for (let at = 0; at < COMMITS; at += 20)
    yield* sql`insert into coverage ${sql.insert({
      ...{
        fromSlot: FIRST_SLOT + at,
        toSlot: FIRST_SLOT + at + 9,
        provenBy: "rpc",
        provenAt: new Date(),
        logOffset: 0n,
      },
    })}`
  for (let commit = 1; commit <= COMMITS; commit++) {
    const changes = JSON.stringify(Array.from({ length: CHANGES }, (_, at) => changeOf(commit, at)))
    yield* sql`insert into index_changes (id, changes, committed_at) values (${commit}, ${changes}, now())`
  }
})

/** Processor time of this process and of the database for one reader of the whole log, in microseconds an event, and its bytes. */
const readAll = Effect.fnUntraced(function* (figures: ChangeFigures["Service"], database: BenchDatabase) {
  const readChanges = changeLog(yield* SqlClient, figures)
  const [before, databaseBefore] = [process.cpuUsage(), database.cpuMillis()]
  let [events, bytes] = [0, 0]
  for (let position = afterCommit(0); ;) {
    const { commits } = yield* readChanges(position)
    if (commits.length === 0) break
    for (const { changes } of commits)
      for (const change of changes) {
        bytes += change!.frame.length
        events++
      }
    position = afterCommit(commits.at(-1)!.id)
  }
  const { system, user } = process.cpuUsage(before)
  const databaseMicros = (database.cpuMillis() - databaseBefore) * 1000
  return { own: (system + user) / events, database: databaseMicros / events, bytes: bytes / events }
})

const plain = ChangeFigures.of({ read: () => Effect.succeed((change) => change as ShownChange) })

const medianOf = (all: ReadonlyArray<number>) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)]!

const database = await BenchDatabase.start()
try {
  await database.renew()
  const nobody = Layer.succeed(LearnCurves, LearnCurves.of({ learn: () => Effect.void }))
  const program = Effect.gen(function* () {
    yield* fill
    const contestants = { stored: plain, "with figures": yield* ChangeFigures }
    const results = new Map<string, Array<Effect.Success<ReturnType<typeof readAll>>>>()
    for (let round = 0; round <= ROUNDS; round++)
      for (const [name, figures] of Object.entries(contestants)) {
        const result = yield* readAll(figures, database)
        // The first warms up.
        if (round > 0) results.set(name, [...(results.get(name) ?? []), result])
      }
    for (const [name, of] of results) {
      const [own, inDatabase] = [medianOf(of.map((one) => one.own)), medianOf(of.map((one) => one.database))]
      say(
        `${name}: ${own.toFixed(2)} us of the process, ${inDatabase.toFixed(2)} us of PostgreSQL, ${of[0]!.bytes.toFixed(0)} bytes an event`,
      )
    }
  })
  const layers = ShownChangesLayer.pipe(Layer.provide(nobody), Layer.provideMerge(Database.layer(database.address)))
  await Effect.runPromise(Effect.provide(program, layers))
} finally {
  await database.stop()
}
