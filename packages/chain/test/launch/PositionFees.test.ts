import { assert, describe, it } from "@effect/vitest"
import * as sdk from "@meteora-ag/cp-amm-sdk"
import { Schema } from "effect"
import { decodeDammPool } from "../../src/dammV2/DammPoolAccount.ts"
import { decodePosition, unclaimedFees } from "../../src/dammV2/DammPosition.ts"
import { damm, decodedPool } from "./MeteoraSdk.ts"
import { seeded } from "./GeneratedConfigs.ts"
import { generatedDammPool } from "./GeneratedDammPools.ts"

const U64_MAX = 2n ** 64n - 1n
const POSITION = "aabc8fe47a40f7d0"

/** Up to so many bits, small ones as often as large ones. */
const upTo = (bits: number) =>
  Schema.Struct({
    value: Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 0n, maximum: 2n ** BigInt(bits) - 1n })),
    shift: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: bits })),
  })
const cut = ({ shift, value }: { readonly value: bigint; readonly shift: number }) => value >> BigInt(shift)

const write = (bytes: Buffer, value: bigint, at: number, words: number) => {
  for (let word = 0; word < words; word++) bytes.writeBigUInt64LE((value >> BigInt(64 * word)) & U64_MAX, at + 8 * word)
}

const State = Schema.Struct({
  ...{ unlocked: upTo(120), vested: upTo(120), locked: upTo(120) },
  ...{ growthA: upTo(140), growthB: upTo(140), sinceA: upTo(140), sinceB: upTo(140) },
  ...{ pendingA: upTo(64), pendingB: upTo(64) },
})

const pool = generatedDammPool(seeded(5)).bytes

describe("Fees of a position", () => {
  it.prop("are what Meteora's SDK computes, or more than a claim can give", [State], ([state]) => {
    const of = Object.fromEntries(Object.entries(state).map(([name, value]) => [name, cut(value)])) as Readonly<
      Record<keyof typeof state, bigint>
    >
    const position = Buffer.alloc(408)
    position.write(POSITION, "hex")
    const poolBytes = Buffer.from(pool)
    for (const [at, growth, since] of [
      [0, of.growthA, of.sinceA],
      [1, of.growthB, of.sinceB],
    ] as const) {
      write(position, growth, 72 + 32 * at, 4)
      write(poolBytes, growth + since, 488 + 32 * at, 4)
    }
    write(position, of.pendingA, 136, 1)
    write(position, of.pendingB, 144, 1)
    for (const [at, liquidity] of [of.unlocked, of.vested, of.locked].entries())
      write(position, liquidity, 152 + 16 * at, 2)

    const ours = unclaimedFees(decodePosition(position)!, decodeDammPool(poolBytes)!)
    const decoded = damm.coder.accounts.decode("position", position)
    const theirs = sdk.getUnClaimLpFee(decodedPool(poolBytes), decoded)
    const liquidity = of.unlocked + of.vested + of.locked
    const earned = [of.pendingA + ((liquidity * of.sinceA) >> 128n), of.pendingB + ((liquidity * of.sinceB) >> 128n)]
    if (earned.some((amount) => amount > U64_MAX)) return assert.isUndefined(ours)
    assert.deepStrictEqual(
      { a: String(ours?.a), b: String(ours?.b) },
      { a: theirs.feeTokenA.toString(), b: theirs.feeTokenB.toString() },
    )
  })

  it("are none of an account that is no position, or of a pool whose counters run backwards", () => {
    assert.isUndefined(decodePosition(Buffer.alloc(408)))
    const position = Buffer.alloc(408)
    position.write(POSITION, "hex")
    assert.isUndefined(decodePosition(position.subarray(0, 407)))
    write(position, 1n, 72, 4)
    write(position, 1n, 152, 2)
    const empty = { feeAPerLiquidity: 0n, feeBPerLiquidity: 0n }
    assert.isUndefined(unclaimedFees(decodePosition(position)!, empty))
  })
})
