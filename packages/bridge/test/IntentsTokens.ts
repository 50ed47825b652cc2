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

/** Assets as the service listed them in 2026: natives without a contract, and wrapped SOL beside SOL. */
export const STAND_IN_TOKENS: ReadonlyArray<StandInToken> = [
  {
    assetId: "nep141:sol.omft.near",
    decimals: 9,
    blockchain: "sol",
    symbol: "SOL",
    price: 140.25,
    contractAddress: null,
    coingeckoId: "solana",
    minimum: 1_000_000n,
  },
  {
    assetId: "nep141:sol-91914f13d3b54f8126a2824d71632d4b078d7403.omft.near",
    decimals: 9,
    blockchain: "sol",
    symbol: "wSOL",
    price: 140.25,
    contractAddress: "So11111111111111111111111111111111111111112",
    minimum: 1_000_000n,
  },
  {
    assetId: "nep141:sol-5ce3bf3a31af18be40ba30f721101b4341690186.omft.near",
    decimals: 6,
    blockchain: "sol",
    symbol: "USDC",
    price: 0.9998,
    contractAddress: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
    coingeckoId: "usd-coin",
    minimum: 10_000n,
  },
  {
    assetId: "nep141:eth.omft.near",
    decimals: 18,
    blockchain: "eth",
    symbol: "ETH",
    price: 2801.5,
    contractAddress: null,
    coingeckoId: "ethereum",
    minimum: 100_000_000_000_000n,
  },
  {
    assetId: "nep141:eth-0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48.omft.near",
    decimals: 6,
    blockchain: "eth",
    symbol: "USDC",
    price: 0.9998,
    contractAddress: "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48",
    minimum: 500_000n,
  },
  {
    assetId: "nep141:arb-0xaf88d065e77c8cc2239327c5edb3a432268e5831.omft.near",
    decimals: 6,
    blockchain: "arb",
    symbol: "USDC",
    price: 0.9998,
    contractAddress: "0xaf88d065e77c8cc2239327c5edb3a432268e5831",
    minimum: 10_000n,
  },
  {
    assetId: "nep141:base-0x833589fcd6edb6e08f4c7c32d4f71b54bda02913.omft.near",
    decimals: 6,
    blockchain: "base",
    symbol: "USDC",
    price: 0.9998,
    contractAddress: "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913",
    minimum: 10_000n,
  },
  {
    assetId: "1cs_v1:btc:native:coin",
    decimals: 8,
    blockchain: "btc",
    symbol: "BTC",
    price: 86_120.4,
    contractAddress: null,
    coingeckoId: "bitcoin",
    minimum: 6_400n,
  },
  {
    assetId: "nep141:wrap.near",
    decimals: 24,
    blockchain: "near",
    symbol: "wNEAR",
    price: 2.1,
    contractAddress: "wrap.near",
    minimum: 1n,
  },
  {
    assetId: "nep245:v2_1.omni.hot.tg:1117_",
    decimals: 9,
    blockchain: "ton",
    symbol: "TON",
    price: 1.62,
    contractAddress: null,
    minimum: 10_000_000n,
  },
  {
    assetId: "nep245:v2_1.omni.hot.tg:1100_111bzQBB5v7AhLyPMDwS8uJgQV24KaAPXtwyVWu2KXbbfQU6NXRCz",
    decimals: 7,
    blockchain: "stellar",
    symbol: "XLM",
    price: 0.24,
    contractAddress: null,
    minimum: 5_000_000n,
  },
  {
    assetId: "nep245:v2_1.omni.hot.tg:137_11111111111111111111",
    decimals: 18,
    blockchain: "pol",
    symbol: "POL",
    price: 0.14,
    contractAddress: null,
    minimum: 10_000_000_000_000_000n,
  },
]

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
