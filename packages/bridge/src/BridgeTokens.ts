import { plainDecimal } from "@launch-registry/domain/amounts/Decimal"
import { BridgeAsset } from "@launch-registry/domain/bridge/BridgeAsset"
import { AssetId } from "@launch-registry/domain/bridge/ForeignText"
import type { Unavailable } from "@launch-registry/domain/http/Unavailable"
import { parseIsoMillis } from "@launch-registry/domain/time/Timestamp"
import { Clock, Context, Effect, Layer, Option, Schema, Semaphore } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { BridgeUpstream } from "./BridgeUpstream.ts"
import { IntentsClient } from "./intents/IntentsClient.ts"
import { upstreamText } from "./intents/UpstreamText.ts"
import type { IntentsToken } from "./intents/IntentsSchemas.ts"

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

/** Lists that were stored before assets had an id at CoinGecko lack it. */
const StoredAsset = Schema.Struct({
  ...BridgeAsset.fields,
  coingeckoId: Schema.optionalKey(Schema.NullOr(Schema.String)),
})
const Assets = Schema.fromJsonString(Schema.Array(StoredAsset))

/** Digits after the point that any token has; more would make amounts that nothing holds. */
const DECIMALS_MAX = 38
const SYMBOL_LENGTH_MAX = 64
const CONTRACT_LENGTH_MAX = 256
/** USD for a whole token. */
const PRICE_MAX = 1e20
/** A new list with less than this part of the old one is taken for a fault, until the old one is this old. */
const SHARE_MIN = 0.5
const SHRUNK_MILLIS_MAX = 86_400_000

const isAssetId = Schema.is(AssetId)

/** Whether a token can be shown, stored and asked for by its id. */
const isSound = ({ assetId, blockchain, contractAddress, decimals, price, symbol }: IntentsToken): boolean =>
  isAssetId(assetId) &&
  /^[A-Za-z0-9_-]{1,32}$/.test(blockchain) &&
  symbol !== "" &&
  symbol === upstreamText(symbol, SYMBOL_LENGTH_MAX) &&
  decimals <= DECIMALS_MAX &&
  (price === undefined || (price >= 0 && price < PRICE_MAX)) &&
  (contractAddress === undefined ||
    contractAddress === "" ||
    (/^[\u0021-\u007e]+$/.test(contractAddress) && contractAddress.length <= CONTRACT_LENGTH_MAX))

/** The tokens that are sound, each id once: the first that is listed. */
const soundAssets = (tokens: ReadonlyArray<IntentsToken>): ReadonlyArray<BridgeAsset> => {
  const assets = new Map<string, BridgeAsset>()
  for (const token of tokens)
    if (isSound(token) && !assets.has(token.assetId)) assets.set(token.assetId, toAsset(token))
  return [...assets.values()]
}

const toAsset = (token: IntentsToken): BridgeAsset => {
  const millis = token.priceUpdatedAt === undefined ? undefined : parseIsoMillis(token.priceUpdatedAt)
  return {
    assetId: token.assetId,
    blockchain: token.blockchain,
    symbol: token.symbol,
    decimals: token.decimals,
    contractAddress: token.contractAddress || null,
    price: token.price === undefined ? null : (plainDecimal(String(token.price)) ?? null),
    priceUpdatedAt: millis === undefined ? null : new Date(millis).toISOString(),
    coingeckoId: /^[A-Za-z0-9._-]{1,100}$/.test(token.coingeckoId ?? "") ? token.coingeckoId! : null,
  }
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
      const upstream = yield* BridgeUpstream
      const oneAtATime = yield* Semaphore.make(1)
      let known: { readonly assets: ReadonlyArray<BridgeAsset>; readonly asOf: Date } | undefined
      let byId = new Map<string, BridgeAsset>()
      let restsUntilMillis = 0

      const keep = (list: NonNullable<typeof known>) => {
        known = list
        byId = new Map(list.assets.map((asset) => [asset.assetId, asset]))
        return list
      }

      const isFresh = (list: typeof known, now: number): list is NonNullable<typeof known> =>
        list !== undefined && now - list.asOf.getTime() < FRESH_MILLIS

      const stored = Effect.gen(function* () {
        const [row] = yield* sql<{ readonly assets: string; readonly asOf: Date }>`
          select assets, as_of from bridge_tokens`.pipe(Effect.orDie)
        if (row === undefined || (known !== undefined && row.asOf <= known.asOf)) return known
        const assets = yield* Effect.orDie(Schema.decodeEffect(Assets)(row.assets))
        return keep({ assets: assets.map((asset) => ({ coingeckoId: null, ...asset })), asOf: row.asOf })
      })

      const fetched = Effect.fnUntraced(function* (before: typeof known) {
        const tokens = yield* upstream
          .now("tokens", intents.tokens)
          .pipe(Effect.catchTag("IntentsRefused", () => upstream.refused))
        const asOf = new Date(yield* Clock.currentTimeMillis)
        const assets = soundAssets(tokens)
        const isShrunk =
          before !== undefined &&
          assets.length < before.assets.length * SHARE_MIN &&
          asOf.getTime() - before.asOf.getTime() < SHRUNK_MILLIS_MAX
        if (assets.length === 0 || isShrunk) {
          yield* Effect.logWarning("The swap service lists too few valid tokens: the list is ignored").pipe(
            Effect.annotateLogs({ listed: tokens.length, sound: assets.length, before: before?.assets.length ?? 0 }),
          )
          return yield* upstream.refused
        }
        yield* sql`
          insert into bridge_tokens as t (assets, as_of) values (${JSON.stringify(assets)}, ${asOf})
          on conflict (id) do update set assets = excluded.assets, as_of = excluded.as_of
          where t.as_of < excluded.as_of`.pipe(Effect.orDie)
        return keep({ assets, asOf })
      })

      /** Another process may have refreshed the list meanwhile. */
      const refreshed = Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const before = isFresh(known, now) ? known : yield* stored
        if (isFresh(before, now)) return before
        if (before === undefined) return yield* fetched(before)
        if (now < restsUntilMillis) return before
        return yield* fetched(before).pipe(
          Effect.timeoutOption(PATIENCE_MILLIS),
          Effect.catch(() => Effect.succeed(Option.none())),
          Effect.map(
            Option.getOrElse(() => {
              restsUntilMillis = now + RETRY_MILLIS
              return before
            }),
          ),
        )
      })

      const current = Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        return isFresh(known, now) ? known : yield* oneAtATime.withPermits(1)(refreshed)
      })

      const list = Effect.gen(function* () {
        const { asOf, assets } = yield* current
        const now = yield* Clock.currentTimeMillis
        const freshMillis = asOf.getTime() + FRESH_MILLIS - now
        return { assets, asOf, isStale: freshMillis <= 0, freshMillis }
      })

      return BridgeTokens.of({
        list,
        find: (assetId) => Effect.map(current, () => Option.fromUndefinedOr(byId.get(assetId))),
      })
    }),
  )
}
