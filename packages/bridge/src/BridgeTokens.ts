import { plainDecimal } from "@launch-registry/domain/amounts/Decimal"
import { BridgeAsset } from "@launch-registry/domain/bridge/BridgeAsset"
import { parseIsoMillis } from "@launch-registry/domain/time/Timestamp"
import { Clock, Effect, Option, Schema, Semaphore } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { IntentsClient } from "./intents/IntentsClient.ts"
import type { IntentsToken } from "./intents/IntentsSchemas.ts"
import { refusesUs, type Upstream } from "./Upstream.ts"

/** A list is refreshed at this age. */
const FRESH_MILLIS = 300_000
/** How long a caller waits for a newer list while there is an old one. */
const PATIENCE_MILLIS = 3_000
/** After a failure the old list is returned at once for this long. */
const RETRY_MILLIS = 15_000

const decodeAssets = Schema.decodeEffect(Schema.fromJsonString(Schema.Array(BridgeAsset)))

const toAsset = (token: IntentsToken): BridgeAsset => {
  const { coingeckoId = "", price, priceUpdatedAt } = token
  const millis = priceUpdatedAt === undefined ? undefined : parseIsoMillis(priceUpdatedAt)
  return {
    assetId: token.assetId,
    blockchain: token.blockchain,
    symbol: token.symbol,
    decimals: token.decimals,
    contractAddress: token.contractAddress || null,
    price: price === undefined ? null : (plainDecimal(String(price)) ?? null),
    priceUpdatedAt: millis === undefined ? null : new Date(millis).toISOString(),
    coingeckoId: /^[A-Za-z0-9._-]{1,100}$/.test(coingeckoId) ? coingeckoId : null,
  }
}

/**
 * What can be swapped: stored in `bridge_upstream`, which outlives both the process and the swap service. Fails only when there has
 * never been a list.
 */
export const bridgeTokens = Effect.fnUntraced(function* (intents: IntentsClient, upstream: Upstream) {
  const sql = yield* SqlClient
  const oneAtATime = yield* Semaphore.make(1)
  interface Known {
    readonly byId: ReadonlyMap<string, BridgeAsset>
    readonly asOf: Date
  }
  let known: Known | undefined
  let restsUntilMillis = 0

  const keep = (assets: ReadonlyArray<BridgeAsset>, asOf: Date): Known =>
    (known = { asOf, byId: new Map(assets.map((asset) => [asset.assetId, asset])) })

  const isFresh = (list: Known | undefined, now: number): list is Known =>
    list !== undefined && now - list.asOf.getTime() < FRESH_MILLIS

  /** Another process may have refreshed the list meanwhile. */
  const stored = Effect.gen(function* () {
    const [row] = yield* sql<{ readonly assets: string; readonly assetsAt: Date }>`
      select assets, assets_at from bridge_upstream
      where name = 'tokens' and assets_at > ${known?.asOf ?? new Date(0)}`
    return row === undefined ? known : keep(yield* decodeAssets(row.assets), row.assetsAt)
  }).pipe(Effect.orDie)

  const fetched = Effect.gen(function* () {
    const tokens = yield* upstream
      .now("tokens", intents.tokens)
      .pipe(Effect.catchTag("IntentsRefused", () => Effect.fail(refusesUs)))
    const asOf = new Date(yield* Clock.currentTimeMillis)
    // Each id once: the first that is listed.
    const assets = [...Map.groupBy(tokens, ({ assetId }) => assetId).values()].map(([token]) => toAsset(token!))
    yield* sql`
      update bridge_upstream set assets = ${JSON.stringify(assets)}, assets_at = ${asOf}
      where name = 'tokens' and (assets_at is null or assets_at < ${asOf})`.pipe(Effect.orDie)
    return keep(assets, asOf)
  })

  const refreshed = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const before = isFresh(known, now) ? known : yield* stored
    if (before === undefined) return yield* fetched
    if (isFresh(before, now) || now < restsUntilMillis) return before
    restsUntilMillis = now + RETRY_MILLIS
    const fetching = Effect.timeoutOption(fetched, PATIENCE_MILLIS)
    return Option.getOrElse(yield* Effect.catch(fetching, () => Effect.succeedNone), () => before)
  })

  const current = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    return isFresh(known, now) ? known : yield* oneAtATime.withPermits(1)(refreshed)
  })

  /** Stale: older than it should be, because there is no newer one. `freshMillis`: for how long it is answered as it is. */
  const list = Effect.gen(function* () {
    const { asOf, byId } = yield* current
    const freshMillis = asOf.getTime() + FRESH_MILLIS - (yield* Clock.currentTimeMillis)
    return { assets: [...byId.values()], asOf, isStale: freshMillis <= 0, freshMillis }
  })

  return {
    list,
    find: (assetId: string) => Effect.map(current, ({ byId }) => Option.fromUndefinedOr(byId.get(assetId))),
  }
})

export type BridgeTokens = Effect.Success<ReturnType<typeof bridgeTokens>>
