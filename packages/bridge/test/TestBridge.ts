import type { NotificationOptions } from "../../server/src/notifications/NotificationOptions.ts"
import type * as TestDatabase from "@launch-registry/migrations/TestDatabase"
import { Clock, Context, Effect, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { Bridge, type BridgeOptions } from "../src/Bridge.ts"
import { type Answer, TestServer } from "../../service/test/TestServer.ts"
import { IntentsStandIn } from "./IntentsStandIn.ts"

export const API_KEY = "key-of-the-swap-service"
export const START_MILLIS = Date.parse("2026-11-21T12:00:00.000Z")

export const SOL = "nep141:sol.omft.near"
export const USDC_ON_SOL = "nep141:sol-5ce3bf3a31af18be40ba30f721101b4341690186.omft.near"
export const USDC_ON_ARB = "nep141:arb-0xaf88d065e77c8cc2239327c5edb3a432268e5831.omft.near"
export const XLM = "nep245:v2_1.omni.hot.tg:1100_111bzQBB5v7AhLyPMDwS8uJgQV24KaAPXtwyVWu2KXbbfQU6NXRCz"
export const SOL_USER = "7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU"
export const EVM_USER = "0x742d35Cc6634C0532925a3b844Bc454e4438f44e"
export const STELLAR_USER = "GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN"

/** The body of a quote request: ten USDC from Solana to Arbitrum, with the given changes. */
export const quoteBody = (fields: Readonly<Record<string, unknown>> = {}) => ({
  originAsset: USDC_ON_SOL,
  destinationAsset: USDC_ON_ARB,
  amount: "10000000",
  recipient: EVM_USER,
  refundTo: SOL_USER,
  ...fields,
})

/** Rates that only tests about rates reach. */
export const AMPLE = { perSecond: 1_000, burst: 1_000 }

/** Bridging over HTTP with the stand-in for the swap service, on a clock that tests move. */
export class TestBridge extends Context.Service<
  TestBridge,
  {
    readonly standIn: IntentsStandIn
    /** A server on the same stand-in also has these options. */
    readonly options: BridgeOptions
    readonly quote: (
      fields?: Readonly<Record<string, unknown>>,
      headers?: Readonly<Record<string, string>>,
    ) => Effect.Effect<Answer>
    /** A payable swap. */
    readonly swap: (fields?: Readonly<Record<string, unknown>>) => Effect.Effect<{
      readonly id: string
      readonly depositAddress: string
      readonly depositMemo: string | null
      readonly amountIn: string
      readonly amountOut: string
    }>
    readonly report: (depositAddress: string, txHash: string) => Effect.Effect<Answer>
    readonly read: (id: string) => Effect.Effect<Answer["body"]>
    /** Does what is due; returns how much that was. */
    readonly step: Effect.Effect<number>
    /** Moves the clock second by second and does what becomes due. */
    readonly pass: (seconds: number) => Effect.Effect<void>
  }
>()("@launch-registry/bridge/test/TestBridge") {
  static readonly layer = (
    changes: Partial<BridgeOptions> & {
      readonly observation?: Layer.Layer<never>
      /** The key that the stand-in accepts. */
      readonly standInKey?: string
      readonly database?: typeof TestDatabase.layer
      readonly startMillis?: number
      readonly notifications?: NotificationOptions
    } = {},
  ) => {
    const { database, notifications, observation, ...others } = changes
    const { standInKey = API_KEY, startMillis = START_MILLIS, ...bridgeChanges } = others
    return Layer.unwrap(
      Effect.gen(function* () {
        yield* TestClock.setTime(startMillis)
        const clock = yield* Clock.Clock
        const standIn = yield* IntentsStandIn.make({ apiKey: standInKey, now: () => clock.currentTimeMillisUnsafe() })
        const options: BridgeOptions = {
          url: standIn.url,
          apiKey: Redacted.make(API_KEY),
          quoteKey: standIn.publicKey,
          rates: { watch: AMPLE, quote: AMPLE },
          ...bridgeChanges,
        }
        return Layer.effect(TestBridge, make(standIn, options)).pipe(
          Layer.provideMerge(
            TestServer.layer({
              ...{ bridge: options, ...(database && { database }), ...(observation && { observation }) },
              ...(notifications && { notifications }),
            }),
          ),
        )
      }),
    )
  }
}

const make = Effect.fnUntraced(function* (standIn: IntentsStandIn, options: BridgeOptions) {
  const { request } = yield* TestServer
  const { watch } = yield* Effect.orDie((yield* Bridge).parts)
  const quote = (fields = {}, headers = {}) => request("/api/bridge/quote", { json: quoteBody(fields), headers })
  const step = Effect.gen(function* () {
    const work = yield* watch(16)
    yield* Effect.all(work, { concurrency: "unbounded", discard: true })
    return work.length
  })
  return TestBridge.of({
    standIn,
    options,
    quote,
    swap: (fields = {}) =>
      Effect.map(quote({ dry: false, ...fields }), ({ body, status }) => {
        if (status !== 200) throw new Error(`no swap: ${JSON.stringify(body)}`)
        return body.data
      }),
    report: (depositAddress, txHash) => request("/api/bridge/deposit", { json: { depositAddress, txHash } }),
    read: (id) => Effect.map(request(`/api/bridge/swaps/${id}`), ({ body }) => body.data),
    step,
    pass: Effect.fnUntraced(function* (seconds: number) {
      for (let second = 0; second < seconds; second++) {
        yield* TestClock.adjust("1 second")
        while ((yield* step) > 0) continue
      }
    }),
  })
})
