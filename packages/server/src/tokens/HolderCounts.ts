import { type HolderList, type HolderOptions, Holders } from "@launch-registry/chain/holders/Holders"
import { sharedClock } from "@launch-registry/postgres/SharedClock"
import { Clock, Effect, Layer, Queue } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** Counts that wait to be written; beyond it the oldest are given up. */
const WAITING_MAX = 1_000

/** How long holders wait for the database to say whether their mint is followed; without an answer it is not. */
const FOLLOWED_MILLIS = 1_000

/** SQL of whether a mint is that of a token or of an indexed launch. */
const isFollowed = (mint: string) => `coalesce(
  (select true from tokens t where t.mint_address = ${mint} and t.deleted_at is null limit 1),
  (select true from dbc_pools p where p.base_mint = ${mint} limit 1), false)`

/** How many holders were read, without them. */
interface Count extends Pick<HolderList, "isWhole" | "readAtMillis" | "top10Share"> {
  readonly mint: string
  readonly holders: number
}

/**
 * Writes counts of holders, of tokens and indexed launches alone: anybody can have the holders of any mint read. The last read of
 * a mint stays, whichever process wrote first, unless it is cut and has fewer; ages, because the clock of a process can be wrong.
 */
const countWriter = Effect.gen(function* () {
  const sql = yield* SqlClient
  const moment = yield* sharedClock

  return Effect.fn("HolderCounts.write")(function* (counts: ReadonlyArray<Count>) {
    const last = [...new Map(counts.map((count) => [count.mint, count])).values()]
    const millis = yield* Clock.currentTimeMillis
    const { now } = yield* moment
    yield* sql`
      insert into holder_counts (mint_address, holders, is_whole, counted_at, top10_share)
      select c.mint, c.holders, c.is_whole, ${now} - interval '1 millisecond' * c.age_millis, c.top10_share
      from unnest(
        ${last.map(({ mint }) => mint)}::text[],
        ${last.map(({ holders }) => holders)}::integer[],
        ${last.map(({ isWhole }) => isWhole)}::boolean[],
        ${last.map(({ readAtMillis }) => Math.max(0, millis - readAtMillis))}::float8[],
        ${last.map(({ top10Share }) => top10Share)}::float8[]
      ) c (mint, holders, is_whole, age_millis, top10_share)
      where ${sql.literal(isFollowed("c.mint"))}
      order by c.mint
      on conflict (mint_address) do update
        set (holders, is_whole, counted_at, top10_share)
          = (excluded.holders, excluded.is_whole, excluded.counted_at, excluded.top10_share)
        where holder_counts.counted_at <= excluded.counted_at
          and (excluded.is_whole or holder_counts.holders <= excluded.holders)`
  })
})

/**
 * The holders of tokens, with how many there are kept in `holder_counts` whenever they are read from the chain, for lists. Whoever
 * asks for holders does not wait for that, and does not learn when it fails.
 */
export const countedHolders = (options: Pick<HolderOptions, "dasUrl">) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const write = yield* countWriter
      const waiting = yield* Queue.sliding<Count>(WAITING_MAX)
      const writeNext = Effect.flatMap(Queue.takeAll(waiting), (counts) =>
        Effect.catchCause(write(counts), (cause) => Effect.logWarning("Counts of holders could not be kept", cause)),
      )
      yield* Effect.forkScoped(Effect.forever(writeNext))
      return Holders.layer({
        ...options,
        isFollowed: (mint) =>
          sql<{ readonly followed: boolean }>`
            select ${sql.literal(isFollowed("m.mint"))} as followed from (values (${mint}::text)) m (mint)`.pipe(
            Effect.map(([row]) => row!.followed),
            Effect.timeout(FOLLOWED_MILLIS),
            Effect.orElseSucceed(() => false),
          ),
        onRead: (mint, { holders, isWhole, readAtMillis, top10Share }) =>
          void Queue.offerUnsafe(waiting, { mint, holders: holders.length, isWhole, readAtMillis, top10Share }),
      })
    }),
  )
