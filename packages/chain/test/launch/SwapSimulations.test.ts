import { assert, describe, it } from "@effect/vitest"
import { type Address, generateKeyPairSigner, type Instruction } from "@solana/kit"
import { Effect } from "effect"
import { DAMM_V2_PROGRAM, DBC_PROGRAM } from "../../src/accounts/Programs.ts"
import { simulated } from "../../src/swaps/SwapSimulations.ts"
import { transfer, unsignedOf } from "../submissions/SignedTransfers.ts"

const LIFETIME = { blockhash: "4QjEBrJnATvydaCoPb7j4cneA5vSJNFsAYHQwRAjAjmQ", lastValidBlockHeight: 7n }

/** What is said of a swap by this program, the second instruction, after a node simulated it so. */
const said = Effect.fn(function* (program: string, err: unknown, logs: ReadonlyArray<string> | null = []) {
  const wallet = yield* Effect.promise(() => generateKeyPairSigner())
  const swap: Instruction = { programAddress: program as Address, data: new Uint8Array(8) }
  const transaction = unsignedOf(wallet, [transfer(wallet, 1n), swap], LIFETIME)
  const value = { err, logs, unitsConsumed: 5_000n, loadedAccountsDataSize: 100_000 }
  const rpc = { call: () => Effect.succeed({ value }) }
  const { limits, simulation } = yield* simulated(rpc as never, { transaction }, [])
  // A fifth more, and whole pages.
  const expected = err === null ? { computeUnitLimit: 11_000, loadedBytesLimit: 131_072 } : undefined
  assert.deepStrictEqual(limits, expected)
  return simulation
})

describe("A swap that a node simulated", () => {
  it.effect("fails with the error of its program in words, of curves and of DAMM v2 pools", () =>
    Effect.gen(function* () {
      const slippage = { InstructionError: [1n, { Custom: 6002n }] }
      const ofCurve = yield* said(DBC_PROGRAM, slippage, null)
      assert.deepInclude(ofCurve, { willSucceed: false, isSimulated: true, unitsConsumed: 5_000, logs: [] })
      assert.deepStrictEqual(ofCurve.problems, [
        {
          code: "simulation_failed",
          message: "it would fail at instruction 1: Exceeded slippage tolerance (ExceededSlippage)",
        },
      ])
      const { problems } = yield* said(DAMM_V2_PROGRAM, slippage)
      assert.strictEqual(
        problems[0]?.message,
        "it would fail at instruction 1: the price has moved: the swap would give less than the minimum (ExceededSlippage)",
      )
      const ofNetwork = yield* said(DBC_PROGRAM, "InsufficientFundsForFee")
      assert.match(ofNetwork.problems[0]!.message, /^it would fail: .*fee.* \(InsufficientFundsForFee\)$/)
    }),
  )

  it.effect("has no problem where it succeeds", () =>
    Effect.gen(function* () {
      assert.deepInclude(yield* said(DBC_PROGRAM, null), { willSucceed: true, problems: [], isSimulated: true })
    }),
  )
})
