import { createHash, generateKeyPairSync, randomUUID, sign } from "node:crypto"
import { encodeBase58 } from "@launch-registry/domain/solana/Base58"
import { type OneClickQuoteResponse, quoteHash } from "@defuse-protocol/one-click-sdk-typescript"
import { currentAssetId, isMemoChain, type StandInToken, tokenOf } from "./IntentsTokens.ts"

/** The account that the service takes its own fee with. */
export const SERVICE_ACCOUNT = "5880ad2b362620fadf759cbceb1cd5737ce8c6ed7fb8e9942881e6731f9247dd"

const INACTIVE_MILLIS = 72 * 3_600_000
const PRICE_UNITS = 1e8

export interface QuoteKey {
  /** As the service writes it. */
  readonly publicKey: string
  readonly sign: (message: string) => string
}

export const quoteKey = (): QuoteKey => {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519")
  const bytes = Buffer.from(String(publicKey.export({ format: "jwk" }).x), "base64url")
  return {
    publicKey: `ed25519:${encodeBase58(bytes)}`,
    sign: (message) => `ed25519:${encodeBase58(sign(null, Buffer.from(message), privateKey))}`,
  }
}

/** Signs what the service's SDK says is signed. */
export const signed = (key: QuoteKey, response: Readonly<Record<string, unknown>>): OneClickQuoteResponse => {
  const typed: OneClickQuoteResponse = JSON.parse(JSON.stringify(response))
  return { ...typed, signature: key.sign(quoteHash(typed)) }
}

const made = (seed: string): Buffer => createHash("sha256").update(seed).digest()

const within = (bytes: Buffer, alphabet: string): string =>
  Array.from({ length: 64 }, (_, at) => alphabet[bytes[at % 32]! % alphabet.length]).join("")

/** A unique address in the form of its chain. */
const freshAddress = (blockchain: string, seed: string): string => {
  const bytes = made(seed)
  if (blockchain === "sol") return encodeBase58(bytes)
  if (blockchain === "btc") return `bc1q${within(bytes, "023456789acdefghjklmnpqrstuvwxyz").slice(0, 38)}`
  if (blockchain === "near") return bytes.toString("hex")
  if (blockchain === "ton") return `UQ${bytes.toString("base64url")}${bytes.toString("hex")}`.slice(0, 48)
  return `0x${bytes.toString("hex").slice(0, 40)}`
}

/** All deposits on a chain with memos use this address. */
const MEMO_ADDRESS = `G${within(made("shared"), "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567").slice(0, 55)}`

const decimal = (amount: bigint, decimals: number): string => {
  const digits = amount.toString().padStart(decimals + 1, "0")
  const fraction = digits.slice(-decimals).replace(/0+$/, "")
  return `${digits.slice(0, -decimals)}${fraction === "" ? ".0" : `.${fraction}`}`
}

const usd = (amount: bigint, { decimals, price }: StandInToken): string =>
  ((Number(amount) / 10 ** decimals) * price).toFixed(12)

const converted = (amount: bigint, from: StandInToken, to: StandInToken): bigint =>
  (amount * BigInt(Math.round(from.price * PRICE_UNITS)) * 10n ** BigInt(to.decimals)) /
  (BigInt(Math.round(to.price * PRICE_UNITS)) * 10n ** BigInt(from.decimals))

interface AskedFee {
  readonly recipient: string
  readonly fee: number
}

/** The fields of a validated request. */
export interface AskedQuote {
  readonly dry: boolean
  readonly swapType: string
  readonly slippageTolerance: number
  readonly originAsset: string
  readonly destinationAsset: string
  readonly amount: string
  readonly depositType: string
  readonly appFees?: ReadonlyArray<AskedFee>
}

/** A quote as the service answers it: the echo has more than was requested, with its own fee. `serial` makes it unique. */
export const quoteResponse = (
  asked: AskedQuote,
  serial: string,
  serviceFeeBps: number,
  nowMillis: number,
): Readonly<Record<string, unknown>> & { readonly quote: Readonly<Record<string, unknown>> } => {
  const origin = tokenOf(asked.originAsset)!
  const destination = tokenOf(asked.destinationAsset)!
  const appFees = [...(asked.appFees ?? []), { recipient: SERVICE_ACCOUNT, fee: serviceFeeBps }]
  const kept = BigInt(10_000 - appFees.reduce((sum, { fee }) => sum + fee, 0))
  const slippage = BigInt(asked.slippageTolerance)
  const isExactOutput = asked.swapType === "EXACT_OUTPUT"
  const amount = BigInt(asked.amount)
  const needed = (converted(amount, destination, origin) * 10_000n) / kept + 1n
  const amountIn = isExactOutput ? (needed * (10_000n + slippage)) / 10_000n : amount
  const amountOut = isExactOutput ? amount : (converted(amount, origin, destination) * kept) / 10_000n
  const isFlexible = asked.swapType === "FLEX_INPUT"
  const slipped = (of: bigint) => (of * (10_000n - slippage)) / 10_000n
  const minAmountIn = isExactOutput ? needed : isFlexible ? slipped(amountIn) : amountIn
  const minAmountOut = isExactOutput ? amountOut : isFlexible ? slipped(slipped(amountOut)) : slipped(amountOut)
  const isMemo = asked.depositType === "ORIGIN_CHAIN" && isMemoChain(origin.blockchain)
  const inactive = new Date(nowMillis + INACTIVE_MILLIS).toISOString()
  return {
    correlationId: randomUUID(),
    timestamp: new Date(nowMillis).toISOString(),
    signature: "",
    quoteRequest: {
      depositMode: "SIMPLE",
      confidentiality: "public",
      insured: false,
      quoteWaitingTimeMs: 0,
      ...asked,
      originAsset: currentAssetId(asked.originAsset),
      destinationAsset: currentAssetId(asked.destinationAsset),
      appFees,
    },
    quote: {
      amountIn: amountIn.toString(),
      amountInFormatted: decimal(amountIn, origin.decimals),
      amountInUsd: usd(amountIn, origin),
      minAmountIn: minAmountIn.toString(),
      amountOut: amountOut.toString(),
      amountOutFormatted: decimal(amountOut, destination.decimals),
      amountOutUsd: usd(amountOut, destination),
      minAmountOut: minAmountOut.toString(),
      timeEstimate: origin.blockchain === "btc" ? 812 : 27,
      refundFee: "1900",
      withdrawFee: "2400",
      ...(asked.dry
        ? {}
        : {
            deadline: inactive,
            timeWhenInactive: inactive,
            depositAddress: isMemo
              ? MEMO_ADDRESS
              : freshAddress(asked.depositType === "INTENTS" ? "near" : origin.blockchain, serial),
            depositMemo: isMemo ? made(serial).readUInt32BE().toString() : null,
          }),
    },
  }
}
