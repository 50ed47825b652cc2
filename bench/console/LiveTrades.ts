import { Effect, Schedule } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { commitChanges, sampleChange } from "../../packages/server/test/stream/IndexChanges.ts"

/** Commits in a second, each with its share of the trades. */
const COMMITS = 20
export const SQRT_PRICE = 98_362_933_813_224_380n

let made = 0

/** A trade of now, with a price of its own. */
const liveTrade = (mint: string): object =>
  sampleChange("trade", mint, {
    ...{ slot: String(500_000_000 + made++), time: new Date().toISOString(), side: made % 3 === 0 ? "SELL" : "BUY" },
    ...{
      sqrtPrice: String(SQRT_PRICE + (SQRT_PRICE / 1_000n) * BigInt(made % 97)),
      quoteAmount: String(1_000_000 + made),
    },
    quoteReserve: String(1_000_000_000 + made * 1_000),
  })

/** Commits so many trades a second, of these mints in turn, until it is interrupted. */
export const tradeLive = (mints: ReadonlyArray<string>, perSecond: number): Effect.Effect<void, never, SqlClient> =>
  Effect.suspend(() => {
    const size = Math.max(1, Math.round(perSecond / COMMITS))
    const batch = Array.from({ length: size }, () => liveTrade(mints[made % mints.length]!))
    return commitChanges(...batch)
  }).pipe(Effect.repeat(Schedule.fixed(`${1_000 / Math.min(COMMITS, perSecond)} millis`)), Effect.orDie, Effect.asVoid)
