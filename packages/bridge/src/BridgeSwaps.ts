import { NotFound } from "@launch-registry/domain/http/NotFound"
import { BridgeRecords } from "@launch-registry/domain/bridge/BridgeRecords"
import type { SwapEvent } from "@launch-registry/domain/bridge/BridgeSwap"
import { ReportedDeposit } from "@launch-registry/domain/bridge/BridgeDeposit"
import type { SwapFilter } from "@launch-registry/domain/bridge/BridgeApi"
import { InvalidRequest } from "@launch-registry/domain/http/RequestErrors"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { RowRange } from "@launch-registry/http/answers/AnswerList"
import { picking, type RowOf } from "@launch-registry/postgres/SchemaRow"
import { sharedClock } from "@launch-registry/postgres/SharedClock"
import { addressKey } from "@launch-registry/domain/bridge/AddressKey"
import { listSwaps } from "./ListSwaps.ts"
import type { QuotedSwap } from "./QuotedSwap.ts"
import { SWAP_COLUMNS, type SwapRow, type SwapView, toSwap } from "./SwapRow.ts"
import { firstEvent, toEvent } from "./SwapEvents.ts"
import { nextPollMillis } from "./SwapPace.ts"
import type { Upstream } from "./Upstream.ts"

const pickDeposit = picking<ReportedDeposit>(ReportedDeposit.fields)

/** Reading a swap brings its next poll forward, to no sooner than this after the last one. */
const HASTEN_MILLIS = 10_000

/** The Idempotency-Key of a request for a quote, and the hash of its body. */
export interface RequestKey {
  readonly key: string
  readonly hash: string
}

/** Swaps that were quoted here: owner of `bridge_swaps`, with SwapQueue. */
export const bridgeSwaps = Effect.fnUntraced(function* (upstream: Upstream) {
  const sql = yield* SqlClient
  const records = yield* BridgeRecords
  const moment = yield* sharedClock
  const columns = sql.literal(SWAP_COLUMNS)

  /** What answers about swaps depend on at the moment. */
  const view = Effect.map(upstream.states, (states) => {
    const { at, isAway } = states.find(({ call }) => call === "watch")!
    return { nowMillis: at.getTime(), isAway }
  })

  /**
   * Stores a swap with the unchanged quote that the swap service signed, and its transaction record. `false`: its address or its
   * key is another swap's.
   */
  const add = Effect.fn("BridgeSwaps.add")(
    function* (swap: QuotedSwap, signedQuote: string, key: RequestKey | undefined) {
      const { after } = yield* moment
      const values = {
        ...{ ...swap, signedQuote, idempotencyKey: key?.key ?? null, requestHash: key?.hash ?? null },
        appFees: sql`${JSON.stringify(swap.appFees)}::text::jsonb`,
        nextPollAt: after(nextPollMillis("awaiting_deposit", 0, 0, 0.5)),
        events: firstEvent(sql, { ...swap, upstreamStatus: null }, { at: swap.createdAt, type: "quoted" }),
      }
      // Two requests may be given one address at the same time: the one that commits second waits here for the first.
      const added = yield* sql`
        insert into bridge_swaps (${sql.csv(Object.keys(values).map((name) => sql`${sql(name)}`))})
        values (${sql.csv(Object.values(values).map((value) => sql`${value}`))})
        on conflict do nothing returning id`
      if (added.length === 0) return false
      yield* records.add({ ...swap, originTxs: [] })
      return true
    },
    sql.withTransaction,
    Effect.uninterruptible,
    Effect.orDie,
  )

  /** The swap that was quoted under this key. */
  const byKey = (key: string) =>
    sql<{ readonly id: string; readonly requestHash: string }>`
      select id, request_hash from bridge_swaps where idempotency_key = ${key}`.pipe(
      Effect.orDie,
      Effect.map(([row]) => row),
    )

  const get = Effect.fn("BridgeSwaps.get")(function* (id: string) {
    const [row] = yield* sql<SwapRow>`select ${columns} from bridge_swaps s where s.id = ${id}::uuid`.pipe(Effect.orDie)
    return row ?? (yield* new NotFound({ resource: "swap", id }))
  })

  /** The parts of a swap that lists do not read. */
  const details = (id: string) =>
    sql<{ readonly signedQuote: string; readonly events: ReadonlyArray<SwapEvent> }>`
      select signed_quote, events from bridge_swaps where id = ${id}::uuid`.pipe(
      Effect.orDie,
      Effect.map(([row]) => row!),
    )

  /** By address and memo; `path` is where the memo stands in the request. */
  const getByAddress = Effect.fn("BridgeSwaps.getByAddress")(function* (
    address: string,
    { path, value: memo }: { readonly value: string | undefined; readonly path: string },
  ) {
    const [row] = yield* sql<SwapRow>`
      select ${columns} from bridge_swaps s
      where s.deposit_key = ${addressKey(address)} and coalesce(s.deposit_memo, '') = ${memo ?? ""}`.pipe(Effect.orDie)
    if (row !== undefined) return row
    if (memo !== undefined) return yield* new NotFound({ resource: "swap", id: `${address} with memo ${memo}` })
    const others = yield* sql`select from bridge_swaps where deposit_key = ${addressKey(address)} limit 1`.pipe(
      Effect.orDie,
    )
    if (others.length === 0) return yield* new NotFound({ resource: "swap", id: address })
    const message = "is required: swaps share this deposit address and are told apart by the memo of their quote"
    return yield* InvalidRequest.at(path, message)
  })

  const record = Effect.fn("BridgeSwaps.record")(function* (id: string) {
    const row = yield* get(id)
    const { events, signedQuote } = yield* details(id)
    const deposits = yield* sql<RowOf<ReportedDeposit>>`
      select tx_hash, reported_at, delivered_at, last_error from bridge_deposits
      where swap_id = ${id}::uuid order by reported_at, tx_hash`.pipe(Effect.orDie)
    return {
      ...toSwap(row, yield* view),
      deposits: deposits.map(pickDeposit),
      timeline: events.map(toEvent),
      signedQuote: JSON.parse(signedQuote),
    }
  })

  /** A caller reads this swap: brings its next poll forward. */
  const hasten = Effect.fn("BridgeSwaps.hasten")(function* (swap: SwapRow, { nowMillis }: SwapView) {
    // After a poll that failed its backoff holds.
    if (swap.nextPollAt === null || swap.attempts > 0) return
    const lookedAt = (swap.lastCheckedAt ?? swap.createdAt).getTime()
    const soonMillis = Math.min(Math.max(0, lookedAt + HASTEN_MILLIS - nowMillis), HASTEN_MILLIS)
    if (swap.nextPollAt.getTime() <= nowMillis + soonMillis) return
    const soon = (yield* moment).after(soonMillis)
    yield* sql`
      update bridge_swaps set next_poll_at = ${soon}
      where id = ${swap.id}::uuid and version = ${swap.version} and next_poll_at > ${soon}`.pipe(Effect.orDie)
  })

  const list = (filter: SwapFilter, range: RowRange) => Effect.orDie(listSwaps(sql, filter, range))

  return { add, byKey, get, details, getByAddress, list, record, view, hasten }
})

export type BridgeSwaps = Effect.Success<ReturnType<typeof bridgeSwaps>>
