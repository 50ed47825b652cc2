import { PgClient } from "@effect/sql-pg/PgClient"
import { LABELS_MAX, readLabels } from "@launch-registry/chain/tokens/LabelReads"
import type { ReadLabel } from "@launch-registry/chain/tokens/MetadataAccounts"
import { readAccounts } from "@launch-registry/chain/accounts/AccountReads"
import { Rpc } from "@launch-registry/chain/rpc/Rpc"
import type { Unavailable } from "@launch-registry/domain/http/Unavailable"
import { onPrimary } from "@launch-registry/postgres/ReadSource"
import { Clock, Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { takeTurn } from "../system/Turn.ts"
import { tokenSkeletons } from "../trust/TokenSkeletons.ts"
import { correctTokens } from "./CorrectTokens.ts"
import { lockLaunches } from "../markets/LaunchLock.ts"

/** No transaction has longer texts; metadata that is made longer in parts is cut. */
const TEXT_MAX = 1_232

/** Turns of all processes together, and how often one looks whether it is due. */
const COMPARE_EVERY_SECONDS = 10
/** Of each turn, those that are traded most, not more often than this; the rest in the order of their mints. */
const [TRADED_MAX, TRADED_EVERY_SECONDS, TRADED_LOOKED_AT] = [25, 300, 500]
const LAUNCHES_LOOKED_AT = 500

/** A label, and the slot at which it was read. */
export interface SeenLabel extends ReadLabel {
  readonly mint: string
  readonly slot: bigint
}

/** What launched tokens are called on chain now: owner of `token_labels`. Names, symbols and URIs can be changed after the launch. */
export class ChainLabels extends Context.Service<
  ChainLabels,
  {
    /** Reads what these mints are called, at most {@link LABELS_MAX}, and has the registry follow. Those that nobody can change are not read again. */
    readonly refresh: (mints: ReadonlyArray<string>) => Effect.Effect<void, Unavailable>
    /** The same of labels that were read for another purpose. Returns whether any had changed. */
    readonly note: (labels: ReadonlyArray<SeenLabel>) => Effect.Effect<boolean>
    /** Compares the next launches with the chain, if it is time. */
    readonly compare: Effect.Effect<void, Unavailable>
  }
>()("@launch-registry/server/tokens/ChainLabels") {
  static readonly layer = Layer.effect(
    ChainLabels,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { json } = yield* PgClient
      const rpc = yield* Rpc
      const corrections = correctTokens(sql, json)
      const skeletons = tokenSkeletons(sql)

      /** Labels `s` of launches with what is known, `p` and `k`; without those that were read in an earlier slot than it. */
      const seen = (labels: ReadonlyArray<SeenLabel>, condition: Fragment) => sql`
        from jsonb_to_recordset(${JSON.stringify(labels.map(textsOf))}::text::jsonb)
          as s (mint text, name text, symbol text, uri text, is_final boolean, slot bigint)
        join lateral (
          select name, symbol, uri from dbc_pools where base_mint = s.mint order by created_slot, pool limit 1
        ) p on true
        left join token_labels k on k.mint = s.mint
        where coalesce(k.slot <= s.slot, true) and ${condition}`
      const known = sql`(coalesce(k.name, p.name), coalesce(k.symbol, p.symbol), coalesce(k.uri, p.uri))`
      const differs = sql`(s.name, s.symbol, s.uri) <> ${known}`
      /** It says what is known already, and that was not read lately. */
      const confirms = sql`(s.name, s.symbol, s.uri) = ${known} and (k.is_final is distinct from s.is_final
        or k.read_at < now() - make_interval(secs => ${TRADED_EVERY_SECONDS}::integer))`

      /** Stores those that meet a condition; returns their mints. */
      const write = (labels: ReadonlyArray<SeenLabel>, condition: Fragment, now: Date) => sql<{
        readonly mint: string
      }>`
        insert into token_labels as n (mint, name, symbol, uri, is_final, slot, read_at)
        select s.mint, s.name, s.symbol, s.uri, s.is_final, s.slot, ${now} ${seen(labels, condition)}
        order by s.mint
        on conflict (mint) do update set (name, symbol, uri, is_final, slot, read_at)
          = (excluded.name, excluded.symbol, excluded.uri, excluded.is_final, excluded.slot, excluded.read_at)
        where n.slot <= excluded.slot
        returning mint`

      /** The registry follows other labels, in the transaction that stores them. */
      const follow = Effect.fnUntraced(function* (labels: ReadonlyArray<SeenLabel>, now: Date) {
        // No registration is in flight that has read what the tokens were called before.
        yield* lockLaunches(sql)
        const renamed = (yield* write(labels, differs, now)).map(({ mint }) => mint)
        yield* corrections.correct(renamed, now)
        yield* skeletons.derive(renamed)
        return renamed.length > 0
      }, sql.withTransaction)

      const note = Effect.fn("ChainLabels.note")(
        function* (labels: ReadonlyArray<SeenLabel>) {
          if (labels.length === 0) return false
          const now = new Date(yield* Clock.currentTimeMillis)
          yield* write(labels, confirms, now)
          // Registrations are not kept waiting for what has not changed.
          return (yield* sql`select ${seen(labels, differs)} limit 1`).length > 0 && (yield* follow(labels, now))
        },
        Effect.orDie,
        onPrimary,
      )

      /** Reads them all; returns those without metadata of a known kind. */
      const read = Effect.fnUntraced(function* (mints: ReadonlyArray<string>) {
        if (mints.length === 0) return []
        const { labels, slot } = yield* readLabels((addresses) => readAccounts(rpc, addresses), mints)
        yield* note([...labels].map(([mint, label]) => ({ ...label, mint, slot })))
        return mints.filter((mint) => !labels.has(mint))
      })

      const refresh = Effect.fn("ChainLabels.refresh")(function* (mints: ReadonlyArray<string>) {
        const open = yield* sql<{ readonly mint: string }>`
          select m.mint from unnest(${mints.slice(0, LABELS_MAX)}::text[]) m (mint)
          where not exists (select from token_labels n where n.mint = m.mint and n.is_final)`.pipe(Effect.orDie)
        yield* read(open.map(({ mint }) => mint))
      })

      /** Launches that are traded most and were not read for a while. */
      const traded = sql<{ readonly mint: string }>`
        with most as materialized (
          select w.base_mint from trading_windows w
          where w.span = any(array['24h']::text[]) and w.traders > 0
          order by w.span, w.traders desc, w.quote_volume desc limit ${TRADED_LOOKED_AT}
        )
        select m.base_mint as mint from most m left join token_labels n on n.mint = m.base_mint
        where n.mint is null
          or not n.is_final and n.read_at < now() - make_interval(secs => ${TRADED_EVERY_SECONDS}::integer)
        limit ${TRADED_MAX}`

      /** The next launches in the order of their mints. */
      const following = (after: string) => sql<{ readonly mint: string; readonly isFinal: boolean }>`
        select distinct p.base_mint as mint, coalesce(n.is_final, false) as is_final
        from (select base_mint from dbc_pools where base_mint > ${after} order by base_mint limit ${LAUNCHES_LOOKED_AT}) p
        left join token_labels n on n.mint = p.base_mint order by 1`

      const turn = Effect.gen(function* () {
        if (!(yield* takeTurn(sql, "labels", COMPARE_EVERY_SECONDS))) return undefined
        const [progress] = yield* sql<{ readonly comparedTo: string }>`
          select compared_to from server_progress where name = 'labels'`
        const most = (yield* traded).map(({ mint }) => mint)
        const next = yield* following(progress!.comparedTo)
        const room = LABELS_MAX - most.length
        const open = next.filter(({ isFinal }) => !isFinal).slice(0, room)
        const isEnd = open.length < room && next.length < LAUNCHES_LOOKED_AT
        const comparedTo = isEnd ? "" : (open.length < room ? next : open).at(-1)!.mint
        return { mints: [...new Set([...most, ...open.map(({ mint }) => mint)])], comparedTo }
      }).pipe(Effect.orDie)

      const compare = Effect.gen(function* () {
        const due = yield* turn
        if (due === undefined) return
        const nameless = yield* read(due.mints)
        // As it was launched, and not asked about again at once.
        yield* Effect.orDie(sql`
          insert into token_labels (mint, name, symbol, uri, is_final, slot, read_at)
          select distinct on (base_mint) base_mint, name, symbol, uri, false, 0, now() from dbc_pools
          where base_mint = any(${nameless}::text[]) order by base_mint, created_slot, pool
          on conflict (mint) do update set read_at = excluded.read_at`)
        yield* Effect.orDie(sql`update server_progress set compared_to = ${due.comparedTo} where name = 'labels'`)
      })

      return ChainLabels.of({ refresh, note, compare })
    }),
  )
}

const textsOf = ({ isFinal, mint, name, slot, symbol, uri }: SeenLabel) => {
  const text = (of: string) => of.replaceAll("\0", "").slice(0, TEXT_MAX).toWellFormed()
  return { mint, is_final: isFinal, slot: String(slot), name: text(name), symbol: text(symbol), uri: text(uri) }
}
