import { decodeConfig } from "../../src/dbc/ConfigAccount.ts"
import { type Curve, type CurveSnapshot, pairOf } from "../../src/dbc/CurveSnapshot.ts"
import { curveVenue } from "../../src/dbc/CurveVenue.ts"
import { decodePool } from "../../src/dbc/PoolAccount.ts"

/** A curve in the bytes of its accounts, against SOL. */
export const curveOf = (
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
