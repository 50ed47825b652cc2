import { assert, describe, it } from "@effect/vitest"
import type { BuiltLaunch } from "@launch-registry/domain/launch/CreateLaunch"
import type { DbcConfig } from "@launch-registry/domain/pools/DbcConfig"
import { Effect, Redacted } from "effect"
import { newKeyPair } from "../../src/build/NewKeyPair.ts"
import { OneStepLaunches } from "../../src/launches/OneStepLaunches.ts"
import { Pools } from "../../src/pools/Pools.ts"
import { metadataAccounts, poolMetadata } from "../../src/pools/PoolViews.ts"
import { TOKEN_PROGRAM } from "../../src/accounts/Programs.ts"
import { LABEL, launchAndCheck, SOL } from "./LaunchedInOneStep.ts"
import { hasLaunchPrograms, launchServices } from "./RealPrograms.ts"
import { heldOf, signAndSend, walletWith } from "./Wallet.ts"

const LONG_LABEL = { name: "N".repeat(32), symbol: "S".repeat(10), uri: "https://example.com/".padEnd(200, "x") }

const SNIPED = { startingFeeBps: 5000, endingFeeBps: 100, numberOfPeriod: 10, totalDuration: 600 }
const WEIGHTS = Array.from({ length: 16 }, (_, index) => 1.1 ** index)
const SIXTEEN: DbcConfig = {
  buildCurveMode: 3,
  buildCurveParam: { initialMarketCap: "30", migrationMarketCap: "400", liquidityWeights: WEIGHTS },
}

const CONFIGURATIONS: ReadonlyArray<readonly [what: string, dbcConfig: DbcConfig]> = [
  ["the preset", {}],
  ["Token-2022", { tokenType: 1 }],
  ["a fee against snipers", { baseFeeParams: { baseFeeMode: 0, feeSchedulerParam: SNIPED } }],
  ["an exponential fee against snipers", { baseFeeParams: { baseFeeMode: 1, feeSchedulerParam: SNIPED } }],
  [
    "a fee against snipers that the creator does not pay",
    { enableFirstSwapWithMinFee: true, baseFeeParams: { baseFeeMode: 0, feeSchedulerParam: SNIPED } },
  ],
  ["a fee for creating the pool", { poolCreationFee: "0.5" }],
  ["the fee on the output", { collectFeeMode: 1 }],
  ["activation by slot", { activationType: 0 }],
  ["sixteen points", SIXTEEN],
  ["sixteen points and Token-2022", { ...SIXTEEN, tokenType: 1 }],
]

const purposesOf = ({ built }: { readonly built: { readonly transactions: BuiltLaunch["transactions"] } }) =>
  built.transactions.map(({ purposes }) => purposes)

const named = (what: string) => Effect.mapError((error: unknown) => new Error(what, { cause: error }))

describe.skipIf(!hasLaunchPrograms)("A launch in one step on the real program (needs the program files)", () => {
  it.live("takes what it costs to the lamport, and the first buy gives what was quoted", () =>
    Effect.gen(function* () {
      for (const launchpad of ["launchpad_a", "launchpad_b"] as const)
        for (const [what, dbcConfig] of CONFIGURATIONS) {
          const request = { config: { launchpad, dbcConfig }, firstBuy: { amountIn: SOL } }
          const launched = yield* launchAndCheck(request, dbcConfig.tokenType).pipe(named(`${launchpad}, ${what}`))
          // The configuration alone takes half a packet; the pool is never without the buy.
          assert.deepStrictEqual(purposesOf(launched), [["config"], ["pool", "first_buy"]])
          assert.deepStrictEqual(
            launched.built.transactions.map(({ requires }) => requires),
            [[], [0]],
          )
        }
    }).pipe(Effect.provide(launchServices())),
  )

  it.live("is one transaction with an existing configuration, and with a configuration of its own without a buy", () =>
    Effect.gen(function* () {
      const preset = { launchpad: "launchpad_a" } as const
      const first = yield* launchAndCheck({ config: preset, label: { name: "A", symbol: "B", uri: "https://a.b/c" } })
      assert.deepStrictEqual(purposesOf(first), [["config", "pool"]])
      const config = first.built.config
      for (const label of [LABEL, LONG_LABEL]) {
        const bought = yield* launchAndCheck({
          config,
          label,
          firstBuy: { amountIn: 3n * SOL },
          priorityFee: 123_456n,
        })
        assert.deepStrictEqual(purposesOf(bought), [["pool", "first_buy"]])
        assert.strictEqual(bought.built.transactions[0]!.priorityFeeLamports, "123456")
        assert.isUndefined(bought.built.created)
        assert.deepStrictEqual(purposesOf(yield* launchAndCheck({ config, label, priorityFee: "none" })), [["pool"]])
      }
      const texts = { name: "One", website: "https://example.com", logo: "https://example.com/logo.png" }
      const all = yield* launchAndCheck({ config, poolMetadata: texts, firstBuy: { amountIn: SOL } })
      assert.deepStrictEqual(purposesOf(all), [["pool", "first_buy", "pool_metadata"]])
      const request = { config, label: LONG_LABEL, poolMetadata: texts, firstBuy: { amountIn: SOL } }
      const told = yield* launchAndCheck(request)
      assert.deepStrictEqual(purposesOf(told), [["pool", "first_buy"], ["pool_metadata"]])
      const { accounts, curve } = yield* Effect.flatMap(Pools, (pools) =>
        pools.getCurveWith(told.built.mintAddress, metadataAccounts),
      )
      assert.deepStrictEqual(poolMetadata(curve, accounts).pool, texts)
    }).pipe(Effect.provide(launchServices())),
  )

  it.live("is one transaction of version 1, with the limits that its simulation asks for", () =>
    Effect.gen(function* () {
      const texts = { name: "One", website: "https://example.com", logo: "https://example.com/logo.png" }
      const whole = { transactionVersion: 1, poolMetadata: texts, firstBuy: { amountIn: SOL } } as const
      for (const [what, dbcConfig] of CONFIGURATIONS) {
        const request = { ...whole, config: { launchpad: "launchpad_a", dbcConfig }, priorityFee: "none" } as const
        const launched = yield* launchAndCheck(request, dbcConfig.tokenType).pipe(named(what))
        assert.deepStrictEqual(purposesOf(launched), [["config", "pool", "first_buy", "pool_metadata"]])
        const { simulation, transactions } = launched.built
        assert.deepInclude(simulation, { willSucceed: true, isSimulated: true, problems: [] })
        assert.strictEqual(transactions[0]!.computeUnitLimit, Math.ceil(simulation!.unitsConsumed! * 1.2) + 5_000)
      }
      // A priority fee is a total in the message.
      const paid = yield* launchAndCheck({ ...whole, config: { launchpad: "launchpad_b" }, priorityFee: 123_456n })
      assert.strictEqual(paid.built.transactions[0]!.priorityFeeLamports, "123456")
      assert.isAbove(paid.built.transactions[0]!.size, 1_232)
    }).pipe(Effect.provide(launchServices())),
  )

  it.live("creates the caller's own mint, which the caller or the service signs for, and refuses one that exists", () =>
    Effect.gen(function* () {
      const launches = yield* OneStepLaunches
      const config = { launchpad: "launchpad_a" } as const
      const given = yield* Effect.promise(newKeyPair)
      const secretKey = Redacted.make(given.secretKey)
      const signedHere = yield* launchAndCheck({ config, mint: { _tag: "KeyPair", secretKey } })
      assert.strictEqual(signedHere.built.mintAddress, given.address)

      const ground = yield* Effect.promise(newKeyPair)
      const wallet = yield* walletWith(10n * SOL)
      const request = { label: LABEL, signer: wallet.address, config: signedHere.built.config }
      const mint = { _tag: "Address", address: ground.address } as const
      const built = yield* launches.build({ ...request, mint, firstBuy: { amountIn: SOL } })
      const [transaction] = built.transactions
      assert.deepInclude(transaction!.signers, { address: ground.address, role: "mint", hasSigned: false })
      yield* signAndSend([wallet.keyPair, ground.keyPair], transaction!.transaction)
      assert.isAbove(Number(yield* heldOf(wallet.address, ground.address, TOKEN_PROGRAM)), 0)

      const again = yield* Effect.flip(launches.build({ ...request, mint }))
      assert.strictEqual(again._tag === "InvalidRequest" && again.issues[0]?.path, "body.mintAddress")
      const mixed = Redacted.make(
        Uint8Array.from([...given.secretKey.subarray(0, 32), ...ground.secretKey.subarray(32)]),
      )
      const forged = yield* Effect.flip(launches.build({ ...request, mint: { _tag: "KeyPair", secretKey: mixed } }))
      assert.strictEqual(forged._tag === "InvalidRequest" && forged.issues[0]?.path, "body.mintKeypair")
    }).pipe(Effect.provide(launchServices())),
  )
})
