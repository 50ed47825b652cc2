import { assert, describe, it } from "@effect/vitest"
import { type Address, lamports } from "@solana/kit"
import { Effect } from "effect"
import { examples, SEED } from "../../../../scripts/Laws.ts"
import { newKeyPair } from "../../src/build/NewKeyPair.ts"
import { completeConfig, LAUNCHPAD_PRESETS } from "../../src/launches/ConfigPreset.ts"
import { configTerms } from "../../src/launches/ConfigTerms.ts"
import { LaunchTransactions } from "../../src/launches/LaunchTransactions.ts"
import { poolConfig, poolState } from "../../src/pools/PoolViews.ts"
import { Pools } from "../../src/pools/Pools.ts"
import { Rpc } from "../../src/rpc/Rpc.ts"
import { Swaps } from "../../src/swaps/Swaps.ts"
import { acceptedConfigs } from "./GeneratedConfigs.ts"
import { migrate } from "./GraduatedLaunch.ts"
import { hasDammV2Programs, launchServices } from "./RealPrograms.ts"
import { signAndSend } from "./Wallet.ts"

const LAUNCHES = examples(8, 400)
const LABEL = { name: "Matrix", symbol: "MTX", uri: "https://example.com/m.json" }
/** More than any curve takes, with any fee. */
const EVERYTHING = 2n ** 60n
/** Rounds of buying all that the curve takes; a falling fee can leave some for the next one. */
const BUYS_MAX = 5

/** A configuration that is accepted is launched, bought from its first unit to its end, and migrated. */
const lifeOf = Effect.fnUntraced(function* (dbcConfig: ReturnType<typeof acceptedConfigs>[number]) {
  const [rpc, transactions, swaps, pools] = [
    ...([yield* Rpc, yield* LaunchTransactions] as const),
    ...([yield* Swaps, yield* Pools] as const),
  ]
  const { address: signer, keyPair, secretKey } = yield* Effect.promise(newKeyPair)
  for (let airdrops = 0; airdrops < 10; airdrops++)
    yield* rpc.call((kit) => kit.requestAirdrop(signer as Address, lamports(10_000_000_000_000n)))
  const land = (transaction: string) => signAndSend(keyPair, transaction)
  const config = yield* transactions.buildConfig({ signer, launchpad: "launchpad_a", dbcConfig })
  yield* land(config.unsigned.transaction)
  const built = yield* transactions.buildPool({ signer, config: config.configAddress, facts: config, label: LABEL })
  yield* land(built.unsigned.transaction)
  const shown = poolConfig(yield* pools.getCurve(built.baseMint))
  assert.deepStrictEqual({ feeSchedule: shown.feeSchedule, lockedVesting: shown.lockedVesting }, config.terms)

  const buy = { baseMint: built.baseMint, signer, slippageBps: 0, swapBaseForQuote: false }
  for (let buys = 0; buys < BUYS_MAX; buys++) {
    const refused = yield* Effect.flip(swaps.build({ ...buy, amountIn: EVERYTHING }))
    if (refused._tag === "CurveCompleted") break
    const { maximum, message } = refused._tag === "InvalidRequest" ? refused.issues[0]! : assert.fail(refused._tag)
    if (maximum === undefined) return assert.fail(message)
    const bought = yield* swaps.build({ ...buy, amountIn: BigInt(maximum) })
    assert.deepStrictEqual(bought.simulation.problems, [])
    // A slippage of nothing: it lands exactly as quoted.
    yield* land(bought.unsigned.transaction)
  }
  const complete = poolState(yield* pools.getCurve(built.baseMint), { mint: undefined })
  assert.deepInclude(complete, { isComplete: true, quoteRemaining: "0" })
  // What is locked goes to a program of which there is no file.
  if (shown.lockedVesting.total !== "0") return "complete"
  yield* migrate(secretKey, built.pool, shown.migrationFeeOption)
  assert.isTrue((yield* pools.getCurve(built.baseMint)).pool.isMigrated)
  return "migrated"
})

describe("Whatever configuration is accepted", () => {
  it.live.skipIf(!hasDammV2Programs)("its curve is sold to the end as quoted, and migrates", () =>
    Effect.gen(function* () {
      const ends: Array<string> = []
      const { config: preset } = LAUNCHPAD_PRESETS.launchpad_a
      for (const dbcConfig of acceptedConfigs(SEED * 7_919, LAUNCHES)) {
        if ("issue" in configTerms(completeConfig(preset, dbcConfig), 9)) continue
        ends.push(
          // A chain for each: their faucets are not endless.
          yield* lifeOf(dbcConfig).pipe(
            Effect.provide(launchServices()),
            Effect.mapError((error) => new Error(JSON.stringify(dbcConfig), { cause: error })),
          ),
        )
      }
      assert.includeMembers(ends, ["migrated"])
    }),
  )
})
