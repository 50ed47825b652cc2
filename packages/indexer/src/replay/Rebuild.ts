import { Clock, Effect, Schedule } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { IngestLog } from "../inbox/IngestLog.ts"
import { Indexer } from "../Indexer.ts"
import { type Fence, type LeaseLost, leaseStatements } from "../leader/Lease.ts"
import { reportStatements } from "../leader/ReportStatements.ts"
import { FACTS_HASH, MODULE_HASH } from "../modules/ModuleHash.ts"
import { followedPools } from "../pools/FollowedPools.ts"
import { prunedSlots } from "../retention/PrunedSlots.ts"
import { changeStatements } from "../sink/EmittedChanges.ts"
import { eachBatch } from "../sink/EachBatch.ts"
import type { PreparedBatch } from "../sink/PreparedBatch.ts"
import { inboxStatements, type LogEntry } from "../sink/InboxStatements.ts"
import { foldInto } from "../sink/FoldInto.ts"
import { DERIVED_TABLES, digestOf, type TableDigest } from "./Digest.ts"
import { copyFacts } from "./KeptFacts.ts"
import { LogTooShort } from "./LogTooShort.ts"

/** What a replay is doing. */
export interface ReplayProgress {
  readonly transactions: number
  readonly logOffset: bigint
  readonly headOffset: bigint
}

/** The result of a replay, and the tables it replaced. */
export interface Replayed {
  readonly transactions: number
  readonly live: ReadonlyArray<TableDigest>
  readonly rebuilt: ReadonlyArray<TableDigest>
}

/** Digesting or copying a table of millions of rows exceeds the timeout of requests. */
const STATEMENT_TIMEOUT = "30min"

/**
 * New readers queue behind the table switch while it waits for those in flight. To let out a reader that holds one table and waits for
 * another, it gives up before PostgreSQL's deadlock check (after a second) and retries.
 */
const LOCK_TIMEOUT = "300ms"
const SWITCH_TRIES = 200
const SWITCH_MILLIS = 100

const shadowSchema = `derived_${MODULE_HASH.slice(0, 12)}`

/**
 * Rebuilds all tables from the log next to the live ones and switches to them in one transaction, so readers see either
 * the old ones or the new ones. The leader folds nothing meanwhile. Of slots that were deleted from the log, the facts are
 * taken over from the live tables; refused when other modules derived them, unless `keepsFacts`. A failure of `onProgress` ends it, and
 * the live tables stay.
 */
export const replay = Effect.fn("replay")(function* <E = never>(
  fence: Fence,
  onProgress: (progress: ReplayProgress) => Effect.Effect<void, E> = () => Effect.void,
  { keepsFacts = false }: { readonly keepsFacts?: boolean } = {},
) {
  const sql = yield* SqlClient
  const log = yield* IngestLog
  const lease = leaseStatements(sql)
  const pruned = yield* prunedSlots(sql).read
  if (pruned !== undefined && pruned.factsHash !== FACTS_HASH && !keepsFacts)
    return yield* new LogTooShort({ fromSlot: pruned.fromSlot, toSlot: pruned.toSlot })
  const shadow = sql(shadowSchema)

  yield* sql`drop schema if exists ${shadow} cascade`
  yield* sql`create schema ${shadow}`
  for (const table of DERIVED_TABLES)
    yield* sql`create table ${shadow}.${sql(table)} (like public.${sql(table)} including all)`

  const foldBatch = foldInto(sql)
  const changes = changeStatements(sql)
  const inbox = inboxStatements(sql)
  const inShadow = sql`select set_config('search_path', ${`${shadowSchema}, public`}, true)`
  if (pruned !== undefined)
    yield* copyFacts(sql, pruned, (work) =>
      Effect.gen(function* () {
        yield* lease.hold(fence)
        yield* inShadow
        yield* sql`select set_config('statement_timeout', ${STATEMENT_TIMEOUT}, true)`
        const result = yield* work
        yield* lease.extend(fence)
        return result
      }).pipe(sql.withTransaction),
    )

  /** What the copied facts are of; a dead letter has none. */
  const copiedOf = Effect.fnUntraced(function* (batch: PreparedBatch) {
    const entries = pruned === undefined ? [] : batch.entriesIn(pruned)
    if (entries.length === 0) return []
    const dead = new Set((yield* inbox.deadLettersIn(batch.offsets)).map(placeOf))
    return entries.filter((entry) => !dead.has(placeOf(entry)))
  })

  let slot = 0n
  let transactions = 0
  const foldOne = (batch: PreparedBatch) =>
    Effect.gen(function* () {
      yield* foldBatch((fold) =>
        Effect.gen(function* () {
          yield* lease.hold(fence)
          yield* inShadow
          const { dropped } = yield* inbox.standing(batch.offsets)
          yield* fold(batch.without([...dropped, ...(yield* copiedOf(batch))]))
          yield* lease.extend(fence)
        }).pipe(sql.withTransaction),
      )
      if (batch.lastSlot > slot) slot = batch.lastSlot
      transactions += batch.transactions
      yield* onProgress({ transactions, logOffset: batch.logOffset, headOffset: yield* log.head })
    })
  const cursor = yield* eachBatch(log, 0n, foldOne)
  const lastSlot = pruned !== undefined && pruned.toSlot > slot ? pruned.toSlot : slot

  const digests = yield* Effect.gen(function* () {
    yield* sql`select set_config('statement_timeout', ${STATEMENT_TIMEOUT}, true)`
    return { live: yield* digestOf(sql), rebuilt: yield* digestOf(sql, shadowSchema) }
  }).pipe(sql.withTransaction)

  const locked = sql.literal(DERIVED_TABLES.map((table) => `public.${table}`).join(", "))
  const switchTables = Effect.gen(function* () {
    yield* lease.hold(fence)
    yield* sql`select set_config('lock_timeout', ${LOCK_TIMEOUT}, true)`
    yield* sql`lock table ${locked} in access exclusive mode`
    const names = yield* indexNames(sql)
    for (const table of DERIVED_TABLES) {
      yield* sql`drop table public.${sql(table)}`
      yield* sql`alter table ${shadow}.${sql(table)} set schema public`
    }
    for (const [given, wanted] of names)
      if (given !== wanted) yield* sql`alter index public.${sql(given)} rename to ${sql(wanted)}`
    yield* sql`drop schema ${shadow} cascade`
    yield* sql`delete from cursors`
    yield* sql`insert into cursors (id, log_offset, slot) values (${MODULE_HASH}, ${cursor}, ${lastSlot})`
    yield* sql`delete from dead_letters where module_hash <> ${MODULE_HASH}`
    yield* followedPools(sql).reconsider
    if (pruned !== undefined) yield* prunedSlots(sql).write({ ...pruned, factsHash: FACTS_HASH })
    yield* changes.skip(new Date(yield* Clock.currentTimeMillis))
  }).pipe(sql.withTransaction)
  yield* switchTables.pipe(
    Effect.retry({ times: SWITCH_TRIES, schedule: Schedule.spaced(SWITCH_MILLIS), while: isLocked }),
  )
  return { transactions, ...digests } satisfies Replayed as Replayed
})

const placeOf = ({ logOffset, position }: Pick<LogEntry, "logOffset" | "position">): string =>
  `${logOffset} ${position}`

const isLocked = (error: LeaseLost | SqlError): boolean =>
  error._tag === "SqlError" && error.reason._tag === "LockTimeoutError"

/** PostgreSQL renames the indexes of a copied table: pairs of its names and those of the equivalent live indexes. */
const indexNames = (sql: SqlClient) =>
  Effect.map(
    sql<{ readonly given: string; readonly wanted: string }>`
      with named as (
        select schemaname, indexname, tablename,
          regexp_replace(indexdef, 'INDEX \\S+ ON \\S+', '') as does
        from pg_indexes where schemaname in ('public', ${shadowSchema}) and tablename = any(${[...DERIVED_TABLES]}::text[])
      )
      select copied.indexname as given, live.indexname as wanted
      from named copied join named live using (tablename, does)
      where copied.schemaname = ${shadowSchema} and live.schemaname = 'public'`,
    (rows) => rows.map(({ given, wanted }) => [given, wanted] as const),
  )

/** Whether nothing was derived yet, or by these modules: only then may they fold into the live tables. */
const isDerivedByThese = Effect.gen(function* () {
  const sql = yield* SqlClient
  const ids = yield* sql<{ readonly id: string }>`select id from cursors`
  return ids.length === 0 || ids.some(({ id }) => id === MODULE_HASH)
})

/** Folds what the log has; tables of other modules are left to a rebuild. */
export const catchUpOwn = Effect.fn("catchUpOwn")(function* (fence: Fence) {
  const indexer = yield* Indexer
  if (yield* isDerivedByThese) yield* indexer.catchUp(fence)
})

/** Drops what a replay that was given up has derived. */
export const dropShadow = (fence: Fence) =>
  Effect.flatMap(SqlClient, (sql) =>
    Effect.andThen(leaseStatements(sql).hold(fence), sql`drop schema if exists ${sql(shadowSchema)} cascade`).pipe(
      sql.withTransaction,
    ),
  )

/** Reports how far a replay is. */
export const reportReplay = (sql: SqlClient) => {
  const reports = reportStatements(sql)
  return ({ headOffset, logOffset, transactions }: ReplayProgress) =>
    Effect.flatMap(Clock.currentTimeMillis, (millis) =>
      reports.write(
        "replay",
        { transactions, logOffset: String(logOffset), headOffset: String(headOffset) },
        new Date(millis),
      ),
    ).pipe(Effect.ignore)
}

/** Replays when the tables were derived under another module hash. */
export const rebuild = Effect.fn("rebuild")(function* (fence: Fence) {
  const sql = yield* SqlClient
  if (yield* isDerivedByThese) return
  yield* Effect.logInfo("The modules have changed: deriving all tables again from the log")
  const { transactions } = yield* replay(fence, reportReplay(sql))
  yield* Effect.logInfo(`Derived all tables again from ${transactions} transactions`)
})
