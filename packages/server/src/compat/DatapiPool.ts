import type { Launch } from "@launch-registry/domain/launch/Launch"
import type { Market } from "@launch-registry/domain/pools/Market"

/** What a launch is read with. */
export const POOL_PARTS = { market: true, trust: true }

/** Numbers of JSON are doubles: these are for people to read. */
const numberOf = (decimal: string | null | undefined) => (decimal == null ? undefined : Number(decimal))

const percentOf = (fraction: number | null | undefined) =>
  fraction == null ? undefined : Math.round(fraction * 1e6) / 1e4

/** US dollars for one smallest unit of the quote token. */
const unitInUsd = ({ marketCap, marketCapUsd, price, priceUsd, quoteDecimals }: Market) => {
  const [quote, usd] = Number(price) > 0 ? [price, priceUsd] : [marketCap, marketCapUsd]
  return usd === null || quoteDecimals === null || !(Number(quote) > 0)
    ? undefined
    : Number(usd) / Number(quote) / 10 ** quoteDecimals
}

const statsOf = (market: Market, span: "5m" | "1h" | "6h" | "24h") => {
  const unit = unitInUsd(market)
  const inUsd = (volume: string) => (unit === undefined ? undefined : Number(volume) * unit)
  return {
    priceChange: market[`priceChange${span}`] ?? undefined,
    buyVolume: inUsd(market[`buyVolume${span}`]),
    sellVolume: inUsd(market[`sellVolume${span}`]),
  }
}

const curveOf = ({ market, stage }: Launch) =>
  stage === "migrated" ? undefined : stage === "completed" ? 100 : percentOf(market?.quoteProgress)

/** Browsers load no ipfs URI, and our gateway has what is stored here. */
const imageOf = ({ document, market }: Launch, gatewayUrl: string) =>
  market?.imageUri?.replace(/^ipfs:\/\/(?:ipfs\/)?/, `${gatewayUrl}/`) ??
  (document?.image?.startsWith("https:") === true ? document.image : undefined)

/**
 * A launch, with its market and trust, as the template's `Pool`. Its code takes null for 0 where it compares with undefined, so what is not
 * known is left out.
 */
export const toPool = (launch: Launch, gatewayUrl: string) => {
  const { document, market, stage, token, trust } = launch
  const audit = trust?.authorities
  const graduatedPool = market?.graduatedPool ?? undefined
  return {
    id: graduatedPool ?? launch.pool,
    // The order of its lists: of graduated ones by their graduation.
    createdAt: launch.graduatedAt ?? launch.launchedAt,
    bondingCurve: curveOf(launch),
    baseAsset: {
      id: launch.mintAddress,
      name: launch.name,
      symbol: launch.symbol,
      decimals: launch.decimals ?? undefined,
      icon: imageOf(launch, gatewayUrl),
      website: token?.metadata.website || document?.website,
      telegram: token?.metadata.telegram || document?.telegram,
      twitter: token?.metadata.twitter || document?.twitter,
      launchpad: "met-dbc",
      dev: launch.creator,
      graduatedPool,
      graduatedAt: stage === "migrated" ? (launch.graduatedAt ?? undefined) : undefined,
      usdPrice: numberOf(market?.priceUsd),
      mcap: numberOf(market?.marketCapUsd),
      fdv: numberOf(market?.marketCapUsd),
      liquidity: numberOf(market?.liquidityUsd),
      holderCount: market?.holders?.count,
      totalSupply: numberOf(launch.totalSupply),
      circSupply: numberOf(launch.totalSupply),
      ...(market && {
        ...{ stats5m: statsOf(market, "5m"), stats1h: statsOf(market, "1h") },
        ...{ stats6h: statsOf(market, "6h"), stats24h: statsOf(market, "24h") },
      }),
      audit: {
        mintAuthorityDisabled: audit?.mintAuthorityDisabled ?? undefined,
        freezeAuthorityDisabled: audit?.freezeAuthorityDisabled,
        topHoldersPercentage: percentOf(market?.holders?.top10Share),
      },
    },
  }
}
