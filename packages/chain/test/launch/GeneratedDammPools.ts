import { decodeBase58 } from "@launch-registry/domain/solana/Base58"
import type { seeded } from "./GeneratedConfigs.ts"

type Random = ReturnType<typeof seeded>

const DISCRIMINATOR = "f19a6d0411b16dbc"
const BYTES = 1112
const SQRT_PRICE_MIN = 4_295_048_016n
const SQRT_PRICE_MAX = 79_226_673_521_066_979_257_578_248_091n
const U128_MAX = 2n ** 128n - 1n
const NUMERATOR_PER_BPS = 100_000
const VOLATILITY_MAX = 14_460_000
/** A hundredth of a percent in Q64.64. */
const BIN_STEP_Q64 = 1_844_674_407_370_955n
/** The tokens of generated pools. */
export const DAMM_MINTS = {
  a: "2Fiik5PmHBGE9AU7b3UA9FhVLtQaQaYxsLLzBdjmK9w1",
  b: "So11111111111111111111111111111111111111112",
}
/** When every generated pool opened. */
export const ACTIVATION_POINT = 1_700_000_000

const writeU128 = (data: Buffer, value: bigint, at: number): void => {
  data.writeBigUInt64LE(value & 0xffff_ffff_ffff_ffffn, at)
  data.writeBigUInt64LE(value >> 64n, at + 8)
}

/** A number of up to `bits` bits; small ones as likely as large ones. */
const wide = ({ int }: Random, bits: number): bigint => {
  let value = 1n
  for (let bit = int(0, bits - 1); bit > 0; bit--) value = (value << 1n) | BigInt(int(0, 1))
  return value
}

/** Fills in a base fee that the program would accept; returns its mode. */
const writeBaseFee = (data: Buffer, { int, pick }: Random, collectFeeMode: number): number => {
  const mode = pick(collectFeeMode === 1 ? [0, 1, 2, 3, 4] : [0, 1, 3, 4])
  const cliff = int(10, 5_000) * NUMERATOR_PER_BPS + int(0, NUMERATOR_PER_BPS - 1)
  data.writeBigUInt64LE(BigInt(cliff), 8)
  data.writeUInt8(mode, 16)
  if (mode === 2) {
    data.writeUInt16LE(int(1, 2_000), 22)
    data.writeUInt32LE(int(1, 43_200), 24)
    data.writeUInt32LE(int(5_001, 9_900), 28)
    data.writeBigUInt64LE(BigInt(int(1, 2_000_000_000)), 32)
    return mode
  }
  const periods = int(1, 1_000)
  if (mode < 2 && int(0, 3) === 0) return mode
  const isLinear = mode === 0 || mode === 3
  // The last period must leave a fee: it is never below 1 bps.
  const reduction = isLinear
    ? int(1, Math.floor((cliff - NUMERATOR_PER_BPS) / periods))
    : int(1, Math.max(Math.floor(10_000 * (1 - (NUMERATOR_PER_BPS / cliff) ** (1 / periods))), 1))
  data.writeUInt16LE(periods, 22)
  if (mode < 2) data.writeBigUInt64LE(BigInt(int(1, 10_000)), 24)
  else {
    data.writeUInt32LE(int(1, 500), 24)
    data.writeUInt32LE(int(1, 2_000_000), 28)
  }
  data.writeBigUInt64LE(BigInt(reduction), 32)
  return mode
}

/** Fills in a dynamic fee at some volatility, with the periods that the program gives pools of migrated curves. */
const writeDynamicFee = (data: Buffer, { int }: Random, sqrtPrice: bigint): void => {
  data.writeUInt8(1, 56)
  data.writeUInt32LE(VOLATILITY_MAX, 64)
  data.writeUInt32LE(int(1, 1_000_000), 68)
  const [binStep, filterPeriod, decayPeriod, reductionFactor] = [1, 10, 120, 5_000]
  for (const [index, value] of [binStep, filterPeriod, decayPeriod, reductionFactor].entries())
    data.writeUInt16LE(value, 72 + 2 * index)
  data.writeBigUInt64LE(BigInt(ACTIVATION_POINT), 80)
  writeU128(data, BIN_STEP_Q64, 88)
  writeU128(data, sqrtPrice, 104)
  writeU128(data, BigInt(int(0, VOLATILITY_MAX)), 120)
}

/** The account of a DAMM v2 pool with any fee, price, liquidity and reserves, as bytes. */
export const generatedDammPool = (random: Random, mints: { readonly a: string; readonly b: string } = DAMM_MINTS) => {
  const { int, pick } = random
  const data = Buffer.alloc(BYTES)
  data.write(DISCRIMINATOR, "hex")
  const collectFeeMode = pick([0, 1, 2])
  const baseFeeMode = writeBaseFee(data, random, collectFeeMode)
  data.writeUInt8(20, 48)
  data.writeUInt8(20, 50)
  if (collectFeeMode === 2) data.writeUInt16LE(int(1, 10_000), 54)
  const [minimum, maximum] = collectFeeMode === 2 ? [0n, U128_MAX] : [SQRT_PRICE_MIN, SQRT_PRICE_MAX]
  const sqrtPrice = SQRT_PRICE_MIN + wide(random, 92)
  if (pick([true, false])) writeDynamicFee(data, random, sqrtPrice)
  writeU128(data, (sqrtPrice * BigInt(int(500, 1_100))) / 1_000n, 152)
  data.set(decodeBase58(mints.a)!, 168)
  data.set(decodeBase58(mints.b)!, 200)
  writeU128(data, wide(random, 120), 360)
  writeU128(data, minimum, 424)
  writeU128(data, maximum, 440)
  writeU128(data, sqrtPrice, 456)
  data.writeBigUInt64LE(BigInt(ACTIVATION_POINT), 472)
  data.writeUInt8(1, 480)
  data.writeUInt8(collectFeeMode, 484)
  data.writeUInt8(pick([0, 1]), 486)
  data.writeBigUInt64LE(wide(random, 60), 680)
  data.writeBigUInt64LE(wide(random, 60), 688)
  data.writeUInt8(1, 696)
  // Schedules and limits begin and end at exact points: @28 and @24 hold how long those by price and by size last.
  const [priced, limited] = [data.readUInt32LE(28), data.readUInt32LE(24)]
  const ends = baseFeeMode >= 3 ? [priced, priced + 1] : baseFeeMode === 2 ? [limited, limited + 1] : [0]
  const elapsed = int(0, 4) === 0 ? pick([0, ...ends]) : int(0, pick([100, 100_000, 20_000_000]))
  const currentPoint = BigInt(ACTIVATION_POINT + elapsed)
  return { bytes: Uint8Array.from(data), baseFeeMode, collectFeeMode, currentPoint, amountIn: wide(random, 63) }
}
