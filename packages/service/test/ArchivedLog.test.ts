import { execFile } from "node:child_process"
import { setTimeout as sleep } from "node:timers/promises"
import { Reconciler } from "@launch-registry/indexer/finality/Reconciler"
import { postgresLog } from "@launch-registry/indexer/inbox/PostgresLog"
import { Indexer } from "@launch-registry/indexer/Indexer"
import { leaseStatements } from "@launch-registry/indexer/leader/Lease"
import { PoolReconciler } from "@launch-registry/indexer/pools/PoolReconciler"
import { Sink } from "@launch-registry/indexer/sink/Sink"
import { rpcHistoryWith } from "@launch-registry/indexer/sources/RpcHistory"
import * as TestDatabase from "@launch-registry/migrations/TestDatabase"
import { assert, it } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { inject } from "vitest"
import { blocks as plain, round, rpcOver } from "../../indexer/test/finality/ReconciledIndex.ts"
import { originReported } from "../../indexer/test/retention/SweptIndex.ts"
import { standInCluster } from "../../indexer/test/StandInCluster.ts"
import { fold, lead, receiveTransactions } from "../../indexer/test/TestIndex.ts"
import { noise } from "../../s3/test/Noise.ts"
import { BUCKET, CREDENTIALS, s3StandIn } from "../../s3/test/S3StandIn.ts"
import { commandFile } from "./CommandFile.ts"
import { answering, freePort, run } from "./RunningService.ts"

const INDEXER = commandFile("indexer")
/** So that few blocks fill an object. */
const NOISE_BYTES = 600_000

const blocks = plain.map((block) => ({
  ...block,
  transactions: block.transactions.map((transaction, index) =>
    index > 0
      ? transaction
      : {
          ...transaction,
          meta: {
            ...transaction.meta,
            logMessages: [
              ...(transaction.meta.logMessages ?? []),
              noise(NOISE_BYTES, String(block.slot)).toString("base64"),
            ],
          },
        },
  ),
}))

const command = (environment: Readonly<Record<string, string>>, ...args: ReadonlyArray<string>) =>
  new Promise<string>((resolve) => {
    execFile(process.execPath, [INDEXER, ...args], { env: environment }, (_, stdout, stderr) =>
      resolve(stdout + stderr),
    )
  })

/** Where the bytes of the segments are. */
const places = Effect.gen(function* () {
  const sql = yield* SqlClient
  const [row] = yield* sql<{ readonly there: number; readonly both: number; readonly lost: number }>`
    select count(*) filter (where bytes is null and archive_offset is not null)::integer as there,
      count(*) filter (where bytes is not null and archive_offset is not null)::integer as both,
      count(*) filter (where bytes is null and archive_offset is null)::integer as lost from inbox_segments`
  return row!
})

it.live("A leader that is killed with -9 while it uploads, reads back or moves segments loses nothing", () =>
  Effect.gen(function* () {
    const standIn = yield* s3StandIn
    const cluster = yield* standInCluster(blocks)
    const name = yield* TestDatabase.migrated
    const database = Layer.provideMerge(Logger.layer([]), TestDatabase.connectionsTo(name))
    const index = Layer.mergeAll(Reconciler.layer, PoolReconciler.layer).pipe(
      Layer.provideMerge(rpcHistoryWith({ pageSize: 100 })),
      Layer.provideMerge(rpcOver([cluster])),
      Layer.provideMerge(Indexer.layer),
      Layer.provideMerge(Layer.mergeAll(postgresLog, Sink.layer)),
      Layer.provideMerge(database),
    )
    yield* Effect.gen(function* () {
      const fence = yield* lead
      yield* originReported
      for (const { transactions } of blocks) yield* receiveTransactions(transactions)
      yield* fold(fence)
      yield* round(fence)
      const sql = yield* SqlClient
      yield* leaseStatements(sql).release(fence)
      // What was archived is a day old at once, and its bytes leave PostgreSQL.
      yield* sql`
        create function age() returns trigger language plpgsql as 'begin new.archived_at := new.archived_at - interval ''1 day''; return new; end'`
      yield* sql`create trigger age before insert on inbox_archives for each row execute function age()`
    }).pipe(Effect.provide(index))

    const port = yield* Effect.promise(freePort)
    const url = `http://127.0.0.1:${port}`
    const ofDatabase = {
      DATABASE_URL: `postgres://${inject("postgresUsername")}@localhost/${name}?host=${inject("postgresSockets")}`,
    }
    const archive = {
      INBOX_ARCHIVE_URL: Object.assign(new URL(`${standIn.url}/${BUCKET}`), {
        username: encodeURIComponent(CREDENTIALS.key),
        password: encodeURIComponent(CREDENTIALS.secret),
      }).href,
    }
    const service = Effect.acquireRelease(
      Effect.sync(() =>
        run({
          ...{ ...ofDatabase, ...archive, PORT: String(port), RPC_URL: cluster.url, RPC_GENESIS_HASH: "any" },
          ...{ INDEXER_SOURCE: "poll", INDEXER_RECONCILE_SECONDS: "1" },
        }),
      ),
      ({ process: child }) => Effect.sync(() => child.kill("SIGKILL")),
    )
    const inDatabase = Effect.provide(places, database)

    for (const [method, expected] of [
      ["PUT", "here"],
      ["GET", "here"],
      ["HEAD", "both"],
    ] as const) {
      standIn.forgive()
      standIn.tell({ is: "hang" }, [method])
      const hanging = standIn.nextHang()
      const { ended, output, process: child } = yield* service
      yield* Effect.raceFirst(
        Effect.promise(() => hanging),
        Effect.flatMap(
          Effect.promise(() => ended),
          () => Effect.die(output()),
        ),
      )
      child.kill("SIGKILL")
      yield* Effect.promise(() => ended)
      const { both, lost, there } = yield* inDatabase
      assert.deepStrictEqual([there, lost], [0, 0], method)
      assert.strictEqual(both > 0, expected === "both", method)
    }

    standIn.forgive()
    const last = yield* service
    yield* Effect.promise(async () => {
      await answering(last, url)
      while (true) {
        const answer = await fetch(`${url}/api/system/indexer`).then((response) => response.json())
        const told = (answer as { data?: { archive?: { movedObjects: number; problem: string | null } } }).data?.archive
        if (told !== undefined && told.movedObjects > 0 && told.problem === null) break
        await sleep(50)
      }
      last.process.kill("SIGTERM")
      assert.strictEqual(await last.ended, 0, last.output())
    })
    for (const canary of [CREDENTIALS.key, CREDENTIALS.secret]) assert.notInclude(last.output(), canary)
    const { both, lost, there } = yield* inDatabase
    assert.deepStrictEqual([both, lost, standIn.objects.size], [0, 0, 1])
    assert.isAbove(there, 0)

    yield* Effect.promise(async () => {
      const settings = { ...ofDatabase, ...archive }
      assert.include(await command(settings, "status"), `archive: 1 objects of`)
      assert.include(await command(settings, "verify-archive"), "1 objects are as they were uploaded")
      assert.include(await command(settings, "replay"), "the same as before")
      assert.include(await command(ofDatabase, "replay"), "Segments of the log are in an archive")
      assert.include(await command(settings, "restore-archive", "--yes"), "1 objects are in PostgreSQL again")
      assert.include(await command(ofDatabase, "replay"), "the same as before")
    })
  }).pipe(Effect.scoped),
)
