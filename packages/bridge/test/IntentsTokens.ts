/** A token as GET /v0/tokens lists it, and what the stand-in needs to quote it. */
export interface StandInToken {
  readonly assetId: string
  readonly decimals: number
  readonly blockchain: string
  readonly symbol: string
  /** USD. */
  readonly price: number
  readonly contractAddress: string | null
  readonly coingeckoId?: string
  /** Smallest units that its bridge moves at least. */
  readonly minimum: bigint
}

type TokenRow = readonly [string, number, string, string, number, string | null, bigint, string?]

/** Assets as the service listed them in 2026: natives without a contract, and wrapped SOL beside SOL. */
const ROWS: ReadonlyArray<TokenRow> = [
  ["nep141:sol.omft.near", 9, "sol", "SOL", 140.25, null, 1_000_000n, "solana"],
  [
    ...(["nep141:sol-91914f13d3b54f8126a2824d71632d4b078d7403.omft.near", 9, "sol", "wSOL", 140.25] as const),
    ...(["So11111111111111111111111111111111111111112", 1_000_000n] as const),
  ],
  [
    ...(["nep141:sol-5ce3bf3a31af18be40ba30f721101b4341690186.omft.near", 6, "sol", "USDC", 0.9998] as const),
    ...(["EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v", 10_000n, "usd-coin"] as const),
  ],
  ["nep141:eth.omft.near", 18, "eth", "ETH", 2801.5, null, 100_000_000_000_000n, "ethereum"],
  [
    ...(["nep141:eth-0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48.omft.near", 6, "eth", "USDC", 0.9998] as const),
    ...(["0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48", 500_000n] as const),
  ],
  [
    ...(["nep141:arb-0xaf88d065e77c8cc2239327c5edb3a432268e5831.omft.near", 6, "arb", "USDC", 0.9998] as const),
    ...(["0xaf88d065e77c8cc2239327c5edb3a432268e5831", 10_000n] as const),
  ],
  [
    ...(["nep141:base-0x833589fcd6edb6e08f4c7c32d4f71b54bda02913.omft.near", 6, "base", "USDC", 0.9998] as const),
    ...(["0x833589fcd6edb6e08f4c7c32d4f71b54bda02913", 10_000n] as const),
  ],
  ["1cs_v1:btc:native:coin", 8, "btc", "BTC", 86_120.4, null, 6_400n, "bitcoin"],
  ["nep141:wrap.near", 24, "near", "wNEAR", 2.1, "wrap.near", 1n],
  ["nep245:v2_1.omni.hot.tg:1117_", 9, "ton", "TON", 1.62, null, 10_000_000n],
  [
    ...(["nep245:v2_1.omni.hot.tg:1100_111bzQBB5v7AhLyPMDwS8uJgQV24KaAPXtwyVWu2KXbbfQU6NXRCz", 7] as const),
    ...(["stellar", "XLM", 0.24, null, 5_000_000n] as const),
  ],
  ["nep245:v2_1.omni.hot.tg:137_11111111111111111111", 18, "pol", "POL", 0.14, null, 10_000_000_000_000_000n],
]

export const STAND_IN_TOKENS = ROWS.map(
  ([assetId, decimals, blockchain, symbol, price, contractAddress, minimum, coingeckoId]): StandInToken => ({
    ...{ assetId, decimals, blockchain, symbol, price, contractAddress, minimum },
    ...(coingeckoId !== undefined && { coingeckoId }),
  }),
)

/** An older name that the service takes and answers with the newer one. */
const RENAMED: ReadonlyMap<string, string> = new Map([["nep141:btc.omft.near", "1cs_v1:btc:native:coin"]])

export const currentAssetId = (assetId: string): string => RENAMED.get(assetId) ?? assetId

export const tokenOf = (assetId: string): StandInToken | undefined =>
  STAND_IN_TOKENS.find((token) => token.assetId === currentAssetId(assetId))

const ADDRESSES: ReadonlyMap<string, RegExp> = new Map([
  ["sol", /^[1-9A-HJ-NP-Za-km-z]{32,44}$/],
  ["btc", /^(?:bc1[02-9ac-hj-np-z]{11,71}|[13][1-9A-HJ-NP-Za-km-z]{25,34})$/],
  ["near", /^(?:[0-9a-f]{64}|[a-z0-9._-]{2,64})$/],
  ["ton", /^[A-Za-z0-9_-]{48}$/],
  ["stellar", /^G[A-Z2-7]{55}$/],
])

/** Whether `address` can be one of `blockchain`; those not listed are EVM chains. */
export const isAddressOf = (blockchain: string, address: string): boolean =>
  (ADDRESSES.get(blockchain) ?? /^0x[0-9a-fA-F]{40}$/).test(address)

/** Chains where all deposits come to one address, told apart by their memo. */
export const isMemoChain = (blockchain: string): boolean => blockchain === "stellar"
