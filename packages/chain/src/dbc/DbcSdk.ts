import type { ConfigParameters } from "./ConfigParameters.ts"
import type { Curve } from "./CurveSnapshot.ts"
import type { Fill, QuoteOf } from "../venues/Fill.ts"
import type { Swap } from "../venues/TokenPair.ts"

/**
 * The part of Meteora's SDK that the service uses. The SDK brings web3.js v1 and Anchor with it, so it is imported
 * here alone, on first use, and nothing of theirs leaves this module.
 */
export interface DbcSdk {
  /**
   * Quotes buys when the pool opens: of a configuration to create, or of the bytes of one. They pay the lowest fee of the schedule in the
   * transaction of the pool, where the configuration says so.
   */
  readonly firstBuyQuoting: (curve: ConfigParameters | Uint8Array, paysLowestFee: boolean) => QuoteOf
  readonly quoting: (curve: Curve, swap: Pick<Swap, "swapBaseForQuote" | "referralTokenAccount">) => QuoteOf
  /** Errors of the DBC program by their code, as its IDL has them. */
  readonly errors: ReadonlyMap<number, { readonly name: string; readonly sentence: string }>
}

let loading: Promise<DbcSdk> | undefined

/** The SDK, loaded once. */
export const loadDbcSdk = (): Promise<DbcSdk> => (loading ??= load())

/** The SDK asks for a connection; nothing that is used here calls it. */
const UNUSED_RPC = "http://127.0.0.1:9"

const load = async (): Promise<DbcSdk> => {
  const [sdk, { default: BN }] = await quietly(() =>
    Promise.all([import("@meteora-ag/dynamic-bonding-curve-sdk"), import("bn.js")]),
  )
  const Connection = await connectionClass()
  const connection = new Connection(UNUSED_RPC)
  const client = new sdk.DynamicBondingCurveClient(connection as never, "confirmed")
  const { coder } = client.pool.getProgram()
  const big = (value: bigint) => new BN(value.toString())
  /** Of the SDK's own numbers. */
  const ofSdk = (value: unknown): unknown => {
    if (typeof value === "bigint") return big(value)
    if (Array.isArray(value)) return value.map(ofSdk)
    if (typeof value !== "object" || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, of]) => [name, ofSdk(of)]))
  }

  return {
    errors: new Map(sdk.DynamicBondingCurveIdl.errors.map(({ code, msg, name }) => [code, { name, sentence: msg }])),
    firstBuyQuoting: (curve, eligibleForFirstSwapWithMinFee) => {
      const config =
        curve instanceof Uint8Array ? coder.accounts.decode("poolConfig", Buffer.from(curve)) : ofSdk(curve)
      const buy = { config: config as never, swapBaseForQuote: false, slippageBps: 0, eligibleForFirstSwapWithMinFee }
      return filled(
        (amountIn) => client.pool.getQuoteFromInputAmount({ ...buy, amountIn: big(amountIn) }) as QuotedSwap,
      )
    },
    quoting: ({ configBytes, currentPoint, poolBytes }, { referralTokenAccount, swapBaseForQuote }) => {
      const pool = coder.accounts.decode("virtualPool", Buffer.from(poolBytes))
      const config = coder.accounts.decode("poolConfig", Buffer.from(configBytes))
      const [hasReferral, point] = [referralTokenAccount !== undefined, big(currentPoint)]
      return filled((amountIn) =>
        sdk.swapQuote(pool, config, swapBaseForQuote, big(amountIn), 0, hasReferral, point, false),
      )
    },
  }
}

interface Digits {
  toString(): string
}

interface QuotedSwap {
  readonly outputAmount: Digits
  readonly tradingFee: Digits
  readonly protocolFee: Digits
  readonly referralFee: Digits
  readonly nextSqrtPrice: Digits
}

/** The SDK throws where the curve cannot fill a swap. */
const filled =
  (quoted: (amountIn: bigint) => QuotedSwap): QuoteOf =>
  (amountIn) => {
    try {
      return fillOf(quoted(amountIn))
    } catch {
      return undefined
    }
  }

const fillOf = ({ nextSqrtPrice, outputAmount, protocolFee, referralFee, tradingFee }: QuotedSwap): Fill => ({
  amountOut: BigInt(outputAmount.toString()),
  fee: [tradingFee, protocolFee, referralFee].reduce<bigint>((sum, fee) => sum + BigInt(fee.toString()), 0n),
  nextSqrtPrice: BigInt(nextSqrtPrice.toString()),
})

/**
 * A dependency of web3.js v1 writes to the console that its optional native part is missing: once, when it is imported,
 * past every logger. It works without.
 */
const quietly = async <A>(load: () => Promise<A>): Promise<A> => {
  // oxlint-disable-next-line no-console
  const { warn } = console
  // oxlint-disable-next-line no-console
  console.warn = () => undefined
  try {
    return await load()
  } finally {
    // oxlint-disable-next-line no-console
    console.warn = warn
  }
}

/** web3.js v1 as the SDK itself resolves it: the service has no dependency of its own on it. */
const connectionClass = async (): Promise<new (url: string) => unknown> => {
  const { createRequire } = await import("node:module")
  const sdkRequire = createRequire(createRequire(import.meta.url).resolve("@meteora-ag/dynamic-bonding-curve-sdk"))
  return (sdkRequire("@solana/web3.js") as { readonly Connection: new (url: string) => unknown }).Connection
}
