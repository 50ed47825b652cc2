import { plainDecimal } from "@launch-registry/domain/amounts/Decimal"
import { BridgeAsset } from "@launch-registry/domain/bridge/BridgeAsset"
import { AssetId } from "@launch-registry/domain/bridge/ForeignText"
import type { Unavailable } from "@launch-registry/domain/http/Unavailable"
import { parseIsoMillis } from "@launch-registry/domain/time/Timestamp"
import { Clock, Context, Effect, Layer, Option, Schema, Semaphore } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { IntentsClient } from "./intents/IntentsClient.ts"
import type { IntentsToken } from "./intents/IntentsSchemas.ts"
import { upstreamText } from "./intents/UpstreamText.ts"
import { refusesUs, Upstream } from "./Upstream.ts"

/** A list is refreshed at this age. */
const FRESH_MILLIS = 300_000
/** How long a caller waits for a newer list while there is an old one. */
const PATIENCE_MILLIS = 3_000
/** After a failure the old list is returned at once for this long. */
const RETRY_MILLIS = 15_000

/** The assets of the swap service at `asOf`. Stale: older than it should be, because there is no newer one. */
export interface AssetList {
  readonly assets: ReadonlyArray<BridgeAsset>
  readonly asOf: Date
  readonly isStale: boolean
  /** For how long it is answered as it is. */
  readonly freshMillis: number
}

const decodeAssets = Schema.decodeEffect(Schema.fromJsonString(Schema.Array(BridgeAsset)))

/** Digits after the point that any token has; more would make amounts that nothing holds. */
const DECIMALS_MAX = 38
const SYMBOL_LENGTH_MAX = 64
/** USD for a whole token. */
const PRICE_MAX = 1e20

const isAssetId = Schema.is(AssetId)

/** Whether a token can be shown, stored and asked for by its id. */
const isSound = ({ assetId, blockchain, contractAddress = "", decimals, price = 0, symbol }: IntentsToken): boolean =>
  isAssetId(assetId) &&
  /^[A-Za-z0-9_-]{1,32}$/.test(blockchain) &&
  symbol !== "" &&
  symbol === upstreamText(symbol, SYMBOL_LENGTH_MAX) &&
  decimals <= DECIMALS_MAX &&
  price >= 0 &&
  price < PRICE_MAX &&
  /^[\u0021-\u007e]{0,256}$/.test(contractAddress)

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

/** The tokens that are sound, each id once: the first that is listed. */
const soundAssets = (tokens: ReadonlyArray<IntentsToken>): ReadonlyArray<BridgeAsset> => {
  const assets = new Map<string, BridgeAsset>()
  for (const token of tokens)
    if (isSound(token) && !assets.has(token.assetId)) assets.set(token.assetId, toAsset(token))
  return [...assets.values()]
}

/** What can be swapped: owner of `bridge_tokens`, which outlives both the process and the swap service. */
export class BridgeTokens extends Context.Service<
  BridgeTokens,
  {
    /** Fails only when there has never been a list. */
    readonly list: Effect.Effect<AssetList, Unavailable>
    readonly find: (assetId: string) => Effect.Effect<Option.Option<BridgeAsset>, Unavailable>
  }
>()("@launch-registry/bridge/BridgeTokens") {
  static readonly layer = Layer.effect(
    BridgeTokens,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const intents = yield* IntentsClient
      const upstream = yield* Upstream
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
        const [row] = yield* sql<{ readonly assets: string; readonly asOf: Date }>`
          select assets, as_of from bridge_tokens`
        if (row === undefined || (known !== undefined && row.asOf <= known.asOf)) return known
        return keep(yield* decodeAssets(row.assets), row.asOf)
      }).pipe(Effect.orDie)

      const fetched = Effect.gen(function* () {
        const tokens = yield* upstream
          .now("tokens", intents.tokens)
          .pipe(Effect.catchTag("IntentsRefused", () => Effect.fail(refusesUs)))
        const asOf = new Date(yield* Clock.currentTimeMillis)
        const assets = soundAssets(tokens)
        if (assets.length === 0) return yield* refusesUs
        yield* sql`
          insert into bridge_tokens as t (assets, as_of) values (${JSON.stringify(assets)}, ${asOf})
          on conflict (id) do update set assets = excluded.assets, as_of = excluded.as_of
          where t.as_of < excluded.as_of`.pipe(Effect.orDie)
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

      const list = Effect.gen(function* () {
        const { asOf, byId } = yield* current
        const freshMillis = asOf.getTime() + FRESH_MILLIS - (yield* Clock.currentTimeMillis)
        return { assets: [...byId.values()], asOf, isStale: freshMillis <= 0, freshMillis }
      })

      return BridgeTokens.of({
        list,
        find: (assetId) => Effect.map(current, ({ byId }) => Option.fromUndefinedOr(byId.get(assetId))),
      })
    }),
  )
}
