import launches from "../../fixtures/launches.json" with { type: "json" }
import { decodeConfig } from "../../src/dbc/ConfigAccount.ts"
import { type Curve, type CurveSnapshot, pairOf } from "../../src/dbc/CurveSnapshot.ts"
import { curveVenue } from "../../src/dbc/CurveVenue.ts"
import { decodePool } from "../../src/dbc/PoolAccount.ts"
import type { seeded } from "./GeneratedConfigs.ts"

const bytesOf = (data: string) => Buffer.from(data, "base64")

/** A curve in the bytes of its accounts, against SOL. */
const curveOf = (
  address: string,
  poolBytes: Uint8Array,
  configBytes: Uint8Array,
  currentPoint: bigint,
): CurveSnapshot => {
  const [pool, config] = [decodePool(poolBytes)!, decodeConfig(configBytes)!]
  const curve: Curve = {
    ...{ ...pairOf(config, pool.baseMint, 9), address, pool, config, currentPoint, slot: 1n, destination: undefined },
    ...{ poolBytes: Uint8Array.from(poolBytes), configBytes: Uint8Array.from(configBytes) },
  }
  return { ...curve, venue: curveVenue(curve) }
}

/** A pool at some point of its curve, and its configuration, as bytes: generated values overwrite captured accounts. */
export const generatedCurve = (random: ReturnType<typeof seeded>) => {
  const { int, pick } = random
  const launch = pick(launches)
  const [pool, config] = [bytesOf(launch.pools.mid.data), bytesOf(launch.config.data)]
  const { curve, migrationQuoteThreshold, sqrtStartPrice } = decodeConfig(config)!
  const end = curve[curve.length - 1]!.sqrtPrice
  const sqrtPrice = sqrtStartPrice + ((end - sqrtStartPrice) * BigInt(int(0, 999_999))) / 1_000_000n
  pool.writeBigUInt64LE((migrationQuoteThreshold * BigInt(int(0, 999_999))) / 1_000_000n, 240)
  pool.writeBigUInt64LE(sqrtPrice & 0xffff_ffff_ffff_ffffn, 280)
  pool.writeBigUInt64LE(sqrtPrice >> 64n, 288)
  config.writeUInt8(pick([0, 1]), 130)
  config.writeUInt8(pick([0, 1]), 232)
  config.writeUInt8(pick([0, 1]), 365)
  const activation = launch.blockTime
  pool.writeBigUInt64LE(BigInt(activation), 296)
  return curveOf(launch.pools.mid.address, pool, config, BigInt(activation + int(0, 100_000)))
}
