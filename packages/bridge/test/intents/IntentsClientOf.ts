import { Effect, Redacted } from "effect"
import { intentsClient, type IntentsClientOptions } from "../../src/intents/IntentsClient.ts"
import type { IntentsQuoteRequest } from "../../src/intents/IntentsSchemas.ts"
import { IntentsStandIn, type StandInOptions } from "../IntentsStandIn.ts"

export const API_KEY = "CANARY-jwt-5f1d0c"

/** A client of a stand-in that stops with the scope. The key is passed on when the stand-in has one. */
export const clientOf = Effect.fnUntraced(function* (
  options: StandInOptions & Partial<Omit<IntentsClientOptions, "apiKey">> = {},
) {
  const standIn = yield* IntentsStandIn.make(options)
  const apiKey = options.apiKey === undefined ? undefined : Redacted.make(options.apiKey)
  return { client: intentsClient({ url: standIn.url, ...options, apiKey }), standIn }
})

/** 1 SOL for USDC on Base, to be paid within half an hour. */
export const requestOf = (changes: Partial<IntentsQuoteRequest> = {}): IntentsQuoteRequest => ({
  dry: false,
  swapType: "EXACT_INPUT",
  slippageTolerance: 100,
  originAsset: "nep141:sol.omft.near",
  depositType: "ORIGIN_CHAIN",
  destinationAsset: "nep141:base-0x833589fcd6edb6e08f4c7c32d4f71b54bda02913.omft.near",
  amount: "1000000000",
  refundTo: "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
  refundType: "ORIGIN_CHAIN",
  recipient: "0x742d35Cc6634C0532925a3b844Bc454e4438f44e",
  recipientType: "DESTINATION_CHAIN",
  deadline: new Date(Date.now() + 1_800_000).toISOString(),
  ...changes,
})

export const XLM = "nep245:v2_1.omni.hot.tg:1100_111bzQBB5v7AhLyPMDwS8uJgQV24KaAPXtwyVWu2KXbbfQU6NXRCz"

/** 100 XLM: a chain where every deposit needs its memo. */
export const memoRequest = (): IntentsQuoteRequest =>
  requestOf({ originAsset: XLM, amount: "1000000000", depositMode: "MEMO", refundTo: `G${"A".repeat(55)}` })
