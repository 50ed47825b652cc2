import { NotFound } from "@launch-registry/domain/http/NotFound"
import { BridgeRecords } from "@launch-registry/domain/transactions/BridgeRecords"
import type { SwapFilter } from "@launch-registry/domain/bridge/BridgeApi"
import type { BridgeSwapRecord } from "@launch-registry/domain/bridge/BridgeSwap"
import { InvalidRequest } from "@launch-registry/domain/http/RequestErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { RowRange } from "@launch-registry/http/answers/AnswerList"
import type { Listed } from "@launch-registry/postgres/ListRows"
import { sharedClock } from "@launch-registry/postgres/SharedClock"
import { addressKey } from "@launch-registry/domain/bridge/AddressKey"
import { BridgeUpstream } from "./BridgeUpstream.ts"
import { listSwaps } from "./ListSwaps.ts"
import { SWAP_COLUMNS, type SwapRow, type SwapView, toSwap } from "./SwapRow.ts"
import { swapEvents, toEvent } from "./SwapEvents.ts"

/**
 * Reading a swap brings its next poll forward, to no sooner than this after the last poll or the last read that did so; doubled
 * with every failed poll.
 */
const HASTEN_MILLIS = 10_000
const HASTEN_DOUBLINGS_MAX = 5

/** A swap with the unchanged quote that the swap service signed. */
export interface NewSwap {
  readonly row: SwapRow
  readonly signedQuote: string
}

/** Reported transfers, for the record of a swap. */
export type DepositsOf = (id: string) => Effect.Effect<BridgeSwapRecord["deposits"]>

/** Swaps that were quoted here: owner of `bridge_swaps`, with SwapQueue, and of `bridge_events`. */
export class BridgeSwaps extends Context.Service<
  BridgeSwaps,
  {
    /** In the transaction it is called in, together with its transaction record. `false`: its address is another swap's. */
    readonly add: (swap: NewSwap) => Effect.Effect<boolean, SqlError>
    readonly get: (id: string) => Effect.Effect<SwapRow, NotFound>
    readonly signedQuote: (id: string) => Effect.Effect<string>
    /** By address and memo; `path` is where the memo stands in the request. */
    readonly getByAddress: (
      depositAddress: string,
      memo: { readonly value: string | undefined; readonly path: string },
    ) => Effect.Effect<SwapRow, NotFound | InvalidRequest>
    readonly list: (filter: SwapFilter, range: RowRange) => Effect.Effect<Listed<SwapRow, Date>>
    readonly record: (id: string, deposits: DepositsOf) => Effect.Effect<BridgeSwapRecord, NotFound>
    /** What answers about swaps depend on at the moment. */
    readonly view: Effect.Effect<SwapView>
    /** A caller reads this swap: brings its next poll forward. */
    readonly hasten: (swap: SwapRow, view: SwapView) => Effect.Effect<void>
  }
>()("@launch-registry/bridge/BridgeSwaps") {
  static readonly layer = Layer.effect(
    BridgeSwaps,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const upstream = yield* BridgeUpstream
      const records = yield* BridgeRecords
      const events = swapEvents(sql)
      const moment = yield* sharedClock
      const columns = sql.literal(SWAP_COLUMNS)

      const view = Effect.gen(function* () {
        const { at, isAway } = yield* upstream.stateOf("watch")
        return { nowMillis: at.getTime(), isAway }
      })

      const add = Effect.fn("BridgeSwaps.add")(function* ({ row, signedQuote }: NewSwap) {
        const { appFees, destinationTxs, intentHashes, nearTxHashes, originTxs, reported: _reported, ...values } = row
        const json = (value: unknown) => sql`${JSON.stringify(value)}::text::jsonb`
        const documents = {
          ...{ appFees: json(appFees), originTxs: json(originTxs), destinationTxs: json(destinationTxs) },
          ...{ intentHashes: json(intentHashes), nearTxHashes: json(nearTxHashes) },
        }
        const { after } = yield* moment
        const nextPollAt = row.nextPollAt && after(row.nextPollAt.getTime() - row.createdAt.getTime())
        const names = [...Object.keys(values), ...Object.keys(documents), "signedQuote"]
        const all = [
          ...Object.values({ ...values, nextPollAt }).map((value) => sql`${value}`),
          ...Object.values(documents),
        ]
        // Two requests may be given one address at the same time: the one that commits second waits here for the first.
        const added = yield* sql`
          insert into bridge_swaps (${sql.csv(names.map((name) => sql`${sql(name)}`))})
          values (${sql.csv([...all, sql`${signedQuote}`])})
          on conflict (deposit_key, coalesce(deposit_memo, '')) do nothing returning id`
        if (added.length === 0) return false
        yield* events.add(row, { at: row.createdAt, type: "quoted" })
        yield* records.add(row)
        return true
      })

      const get = Effect.fn("BridgeSwaps.get")(function* (id: string) {
        const [row] = yield* sql<SwapRow>`select ${columns} from bridge_swaps s where s.id = ${id}::uuid`.pipe(
          Effect.orDie,
        )
        return row ?? (yield* new NotFound({ resource: "swap", id }))
      })

      const signedQuote = (id: string) =>
        sql<{ readonly signedQuote: string }>`select signed_quote from bridge_swaps where id = ${id}::uuid`.pipe(
          Effect.orDie,
          Effect.map(([row]) => row!.signedQuote),
        )

      const getByAddress = Effect.fn("BridgeSwaps.getByAddress")(function* (
        address: string,
        { path, value: memo }: { readonly value: string | undefined; readonly path: string },
      ) {
        const [row] = yield* sql<SwapRow>`
          select ${columns} from bridge_swaps s
          where s.deposit_key = ${addressKey(address)} and coalesce(s.deposit_memo, '') = ${memo ?? ""}`.pipe(
          Effect.orDie,
        )
        if (row !== undefined) return row
        if (memo !== undefined) return yield* new NotFound({ resource: "swap", id: `${address} with memo ${memo}` })
        const others = yield* sql`select from bridge_swaps where deposit_key = ${addressKey(address)} limit 1`.pipe(
          Effect.orDie,
        )
        if (others.length === 0) return yield* new NotFound({ resource: "swap", id: address })
        const message = "is required: swaps share this deposit address and are told apart by the memo of their quote"
        return yield* InvalidRequest.at(path, message)
      })

      const record = Effect.fn("BridgeSwaps.record")(function* (id: string, deposits: DepositsOf) {
        const row = yield* get(id)
        const timeline = yield* Effect.orDie(events.of(id))
        return {
          ...toSwap(row, yield* view),
          deposits: yield* deposits(id),
          timeline: timeline.map(toEvent),
          signedQuote: JSON.parse(yield* signedQuote(id)),
        }
      })

      const hasten = Effect.fn("BridgeSwaps.hasten")(function* (swap: SwapRow, { nowMillis }: SwapView) {
        if (swap.nextPollAt === null) return
        const lookedAt = (swap.lastCheckedAt ?? swap.createdAt).getTime()
        const soonMillis = Math.min(Math.max(0, lookedAt + HASTEN_MILLIS - nowMillis), HASTEN_MILLIS)
        if (swap.nextPollAt.getTime() <= nowMillis + soonMillis) return
        const pause = HASTEN_MILLIS * 2 ** Math.min(swap.attempts, HASTEN_DOUBLINGS_MAX)
        const { after, now } = yield* moment
        yield* sql`
          update bridge_swaps set next_poll_at = ${after(soonMillis)}, asked_at = ${now}
          where id = ${swap.id}::uuid and version = ${swap.version} and next_poll_at > ${after(soonMillis)}
            and (asked_at is null or asked_at <= ${after(-pause)})`.pipe(Effect.orDie)
      })

      return BridgeSwaps.of({
        add,
        get,
        signedQuote,
        getByAddress,
        list: (filter, range) => Effect.orDie(listSwaps(sql, filter, range)),
        record,
        view,
        hasten,
      })
    }),
  )
}
