import { assert, describe, it } from "@effect/vitest"
import * as sdk from "@meteora-ag/cp-amm-sdk"
import { Schema } from "effect"
import { decodePosition } from "../../src/dammV2/DammPosition.ts"
import { vestingAtPoint } from "../../src/dammV2/InnerVesting.ts"
import { damm } from "./MeteoraSdk.ts"

const upTo = (maximum: bigint) => Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 0n, maximum }))
const State = Schema.Struct({
  ...{ cliffPoint: upTo(1_000n), periodFrequency: upTo(20n), numberOfPeriods: upTo(20n), point: upTo(1_500n) },
  ...{ cliffUnlock: upTo(2n ** 100n), perPeriod: upTo(2n ** 100n), elsewhere: upTo(1n) },
})

const positionOf = (state: typeof State.Type) => {
  const bytes = Buffer.alloc(408)
  bytes.write("aabc8fe47a40f7d0", "hex")
  const write = (value: bigint, at: number, words: number) => {
    for (let word = 0; word < words; word++)
      bytes.writeBigUInt64LE((value >> BigInt(64 * word)) & (2n ** 64n - 1n), at + 8 * word)
  }
  write(state.cliffUnlock + state.perPeriod * state.numberOfPeriods + state.elsewhere, 168, 2)
  write(state.cliffPoint, 312, 1)
  write(state.periodFrequency, 320, 1)
  write(state.cliffUnlock, 328, 2)
  write(state.perPeriod, 344, 2)
  bytes.writeUInt16LE(Number(state.numberOfPeriods), 376)
  return bytes
}

describe("The vesting of a position", () => {
  it.prop("releases what Meteora's SDK computes, until its end", [State], ([given]) => {
    // The program takes periods only whole: of some length, with some liquidity.
    const hasPeriods = given.periodFrequency > 0n && given.perPeriod > 0n && given.numberOfPeriods > 0n
    const state = hasPeriods ? given : { ...given, periodFrequency: 0n, perPeriod: 0n, numberOfPeriods: 0n }
    const bytes = positionOf(state)
    const { innerVesting, vestedLiquidity } = decodePosition(bytes)!
    const decoded = damm.coder.accounts.decode("position", bytes)
    const { cliffPoint } = decoded.innerVesting
    const pointOf = (point: bigint) => cliffPoint.muln(0).addn(Number(point))
    const { releasable, schedule } = vestingAtPoint(innerVesting, vestedLiquidity, state.point)
    const theirs = sdk.getAvailableVestingLiquidity(decoded, pointOf(state.point))
    assert.strictEqual(releasable.toString(), theirs.toString())

    const isOver = releasable === state.cliffUnlock + state.perPeriod * state.numberOfPeriods
    // A part that vests in an account of its own has a schedule that is not read.
    if (isOver || state.elsewhere > 0n) return assert.isUndefined(schedule)
    const at = (point: bigint) => vestingAtPoint(innerVesting, vestedLiquidity, point)
    assert.strictEqual(at(schedule!.endPoint).releasable, vestedLiquidity)
    assert.isTrue(schedule!.endPoint === 0n || at(schedule!.endPoint - 1n).releasable < vestedLiquidity)
    assert.strictEqual(schedule!.cliffPoint, state.cliffPoint)
  })
})
