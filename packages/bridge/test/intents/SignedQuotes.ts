/**
 * Responses that the service signed, word for word: of its staging from the tests of its SDK
 * (defuse-protocol/one-click-sdk-typescript, src/__tests__/quote-signature.test.ts), and of production from those of
 * a wallet (dfinity/oisy-wallet, near-intents-quote.utils.spec.ts).
 */

export const STAGING_KEY = "ed25519:5J5tkaxyPoR3Q9S8LXfo5bWnXK5Z2bctJ4mB9gENh7co"

const STAGING_REQUEST = {
  dry: false,
  depositMode: "SIMPLE",
  swapType: "EXACT_INPUT",
  slippageTolerance: 100,
  originAsset: "1cs_v1:btc:native:coin",
  depositType: "ORIGIN_CHAIN",
  destinationAsset: "nep141:eth-0xdac17f958d2ee523a2206206994597c13d831ec7.stft.near",
  amount: "10000",
  refundTo: "bc1q6mte80265ghwq4vsrpm9lnaz46uvdreu9z8wly",
  refundType: "ORIGIN_CHAIN",
  recipient: "0xcac3C41676deF4FE375E57118f3eB83A99105577",
  recipientType: "DESTINATION_CHAIN",
  deadline: "2026-06-23T19:00:00.000Z",
  confidentiality: "public",
  quoteWaitingTimeMs: 0,
  appFees: [{ recipient: "5880ad2b362620fadf759cbceb1cd5737ce8c6ed7fb8e9942881e6731f9247dd", fee: 10 }],
}

export const STAGING_QUOTE = {
  correlationId: "d4f1b110-46cc-4682-aa3f-44d81ffe4b80",
  timestamp: "2026-06-23T17:10:41.104Z",
  signature: "ed25519:53wcpim7FDNLbBHVezUpakthWq2TR9Lag3PwW3e8Cxmz4bFEodcc4rui5BiVHRRaHocYE9URVapzJD8JxLNDs8K9",
  quoteRequest: STAGING_REQUEST,
  quote: {
    amountIn: "10000",
    amountInFormatted: "0.0001",
    amountInUsd: "6.237600000000",
    minAmountIn: "10000",
    amountOut: "5931560",
    amountOutFormatted: "5.93156",
    amountOutUsd: "5.925171709880",
    minAmountOut: "5872244",
    timeEstimate: 812,
    refundFee: "1900",
    withdrawFee: "300000",
    deadline: "2026-06-26T19:00:00.000Z",
    timeWhenInactive: "2026-06-26T19:00:00.000Z",
    depositAddress: "bc1q873cxltdc560dth6tpwqpehq9uvhxxcdgwnmnw",
  },
}

/** The same quote as repeated by the status: some fields are null, and some are missing. */
export const STAGING_STATUS_QUOTE = {
  ...STAGING_QUOTE,
  correlationId: "a60bbb06-4609-4976-873a-1f2f72c080e4",
  quoteRequest: {
    ...STAGING_REQUEST,
    quoteWaitingTimeMs: undefined,
    virtualChainRecipient: null,
    virtualChainRefundRecipient: null,
    referral: null,
  },
}

export const STAGING_DRY_QUOTE = {
  correlationId: "7d6d78f0-601f-4022-9735-854a22ed9dcb",
  timestamp: "2026-06-23T17:10:55.616Z",
  signature: "ed25519:3yVRcYGXRVj2YqrUng4Ne2yiWgh9YQfer46KW6sXiWzoyRHgsifwDp1HSZW7VLRTdKXoMgxJce22LQ9dcoihyfu5",
  quoteRequest: { ...STAGING_REQUEST, dry: true },
  quote: {
    amountIn: "10000",
    amountInFormatted: "0.0001",
    amountInUsd: "6.237600000000",
    minAmountIn: "10000",
    amountOut: "5935024",
    amountOutFormatted: "5.935024",
    amountOutUsd: "5.928631979152",
    minAmountOut: "5875673",
    timeEstimate: 812,
    refundFee: "1900",
    withdrawFee: "300000",
  },
}

export const PRODUCTION_QUOTE = {
  quote: {
    amountIn: "10000000",
    amountInFormatted: "10.0",
    amountInUsd: "9.999200000000",
    minAmountIn: "10000000",
    amountOut: "9986764",
    amountOutFormatted: "9.986764",
    amountOutUsd: "9.985965058880",
    minAmountOut: "9886896",
    timeEstimate: 27,
    refundFee: "5300",
    withdrawFee: "2400",
    deadline: "2026-08-30T07:21:43.997Z",
    timeWhenInactive: "2026-08-30T07:21:43.997Z",
    depositAddress: "0xE7fDD0A40C1fD2214c5df75A0CF6f03891489834",
    depositMemo: null,
  },
  quoteRequest: {
    dry: false,
    swapType: "EXACT_INPUT",
    slippageTolerance: 100,
    originAsset: "nep141:arb-0xaf88d065e77c8cc2239327c5edb3a432268e5831.omft.near",
    depositType: "ORIGIN_CHAIN",
    destinationAsset: "nep141:base-0x833589fcd6edb6e08f4c7c32d4f71b54bda02913.omft.near",
    amount: "10000000",
    refundTo: "0x742d35Cc6634C0532925a3b844Bc454e4438f44e",
    refundType: "ORIGIN_CHAIN",
    recipient: "0x742d35Cc6634C0532925a3b844Bc454e4438f44e",
    recipientType: "DESTINATION_CHAIN",
    deadline: "2026-08-27T07:21:43.997Z",
    quoteWaitingTimeMs: 0,
  },
  signature: "ed25519:41SSU61qeMdkRzUyzenvev239aziPQT86qBwG6u2xzr1rSbaG7oRZjVAYsK8MrUAtVnwUpCqmhfRFmnoeRsH816E",
  timestamp: "2026-08-27T07:11:44.188Z",
  correlationId: "18778575-3129-43fa-89c1-18dfdf9c75af",
}
