import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import type { DbcConfig } from "@launch-registry/domain/launch/DbcConfig"
import { type Address, lamports } from "@solana/kit"
import { Effect, Layer } from "effect"
import { AccountReader } from "../../src/accounts/AccountReader.ts"
import { Holders } from "../../src/holders/Holders.ts"
import { newKeyPair } from "../../src/build/NewKeyPair.ts"
import { LaunchTransactions } from "../../src/launches/LaunchTransactions.ts"
import { PoolDirectory } from "../../src/pools/PoolDirectory.ts"
import { Pools } from "../../src/pools/Pools.ts"
import { poolState, stateAccounts } from "../../src/pools/PoolViews.ts"
import { DAMM_V2_PROGRAM } from "../../src/accounts/Programs.ts"
import { Swaps } from "../../src/swaps/Swaps.ts"
import { LocalChain } from "../../src/localnet/LocalChain.ts"
import { Rpc } from "../../src/rpc/Rpc.ts"
import { rpcOver } from "./CountedChain.ts"
import { completedLaunch } from "./Graduation.ts"
import { migrate } from "./Migrate.ts"
import { held, tradesAsQuoted } from "./TradesAsQuoted.ts"

const PROGRAMS = fileURLToPath(new URL("../../../../programs", import.meta.url))
const hasPrograms = ["dynamic_bonding_curve.so", "metaplex.so", "cp_amm.so"].every((file) =>
  existsSync(`${PROGRAMS}/${file}`),
)

const services = Layer.mergeAll(LaunchTransactions.layer(), Swaps.layer, Holders.layer()).pipe(
  Layer.provideMerge(Layer.provide(Pools.layer, PoolDirectory.layerEmpty)),
  Layer.provideMerge(Layer.unwrap(Effect.map(LocalChain, ({ url }) => rpcOver(url)))),
  Layer.provideMerge(LocalChain.layer({ programsFolder: PROGRAMS })),
)

const journey = (dbcConfig: DbcConfig, expected: { readonly feeBps: number; readonly collectFeeMode: number }) =>
  Effect.gen(function* () {
    const rpc = yield* Rpc
    const [swaps, pools] = [yield* Swaps, yield* Pools]
    const { baseMint, pool, wallet } = yield* completedLaunch(dbcConfig)
    const buy = { baseMint, amountIn: 1_000_000n, slippageBps: 100, swapBaseForQuote: false }
    const refused = yield* Effect.flip(swaps.build({ ...buy, signer: wallet.address }))
    assert.strictEqual(refused._tag, "CurveCompleted")
    if (refused._tag === "CurveCompleted")
      assert.deepInclude(refused, { isMigrated: false, graduatedPool: null, venue: "dbc" })

    yield* migrate(wallet.secretKey, pool, dbcConfig.migrationFeeOption!)
    const { accounts, curve } = yield* pools.getCurveWith(baseMint, stateAccounts)
    const state = poolState(curve, accounts)
    assert.deepInclude(state, { isComplete: true, isMigrated: true, quoteProgress: 1, venue: "damm_v2" })
    const [graduated] = (yield* pools.readAccounts([state.graduatedPool!])).accounts
    assert.strictEqual(graduated?.owner, DAMM_V2_PROGRAM)
    const migrated = state.migratedPool!
    assert.deepInclude(migrated, {
      ...{ pool: state.graduatedPool!, isEnabled: true, baseFeeBps: expected.feeBps, feeBps: expected.feeBps },
      ...{ collectFeeMode: expected.collectFeeMode, dynamicFeeEnabled: dbcConfig.migratedPoolFee?.dynamicFee === 1 },
    })
    assert.deepInclude(state, { price: migrated.price, marketCap: migrated.marketCap })
    // What is in the vaults can be traded against; the program keeps back what it rounds.
    const [inBase, inQuote] = yield* held([migrated.baseVault, migrated.quoteVault])
    assert.isTrue(inBase! - BigInt(migrated.baseReserve) < 10n && inBase! >= BigInt(migrated.baseReserve))
    assert.isTrue(inQuote! - BigInt(migrated.quoteReserve) < 10n && inQuote! >= BigInt(migrated.quoteReserve))

    // Another wallet, which has no token accounts yet.
    const trader = yield* Effect.promise(newKeyPair)
    yield* rpc.call((kit) => kit.requestAirdrop(trader.address as Address, lamports(500_000_000_000n)))
    const holders = yield* tradesAsQuoted(trader, baseMint, [{ amountIn: 100_000_000_000n }, { amountIn: 1_234_567n }])
    assert.include(holders, wallet.address)
    const [curveVault] = (yield* pools.readAccounts([curve.pool.baseVault])).accounts
    assert.notInclude(holders, new AccountReader(curveVault!.data).address(32))
  }).pipe(Effect.provide(services))

const custom = (collectFeeMode: 0 | 1 | 2, dynamicFee: 0 | 1, tokenType: 0 | 1 = 0): DbcConfig => ({
  tokenType,
  migrationFeeOption: 6,
  migratedPoolFee: {
    collectFeeMode,
    dynamicFee,
    poolFeeBps: 120,
    ...(collectFeeMode === 2 && { compoundingFeeBps: 5_000 }),
  },
})

describe(`From launch to swaps on DAMM v2 on the real programs${hasPrograms ? "" : " (skipped: no program files in programs/)"}`, () => {
  it.live.skipIf(!hasPrograms)("an SPL token", () =>
    journey({ tokenType: 0, migrationFeeOption: 2 }, { feeBps: 100, collectFeeMode: 1 }),
  )
  it.live.skipIf(!hasPrograms)("a Token-2022 token, with another fee", () =>
    journey({ tokenType: 1, migrationFeeOption: 0 }, { feeBps: 25, collectFeeMode: 1 }),
  )
  it.live.skipIf(!hasPrograms)("with the highest fixed fee", () =>
    journey({ tokenType: 0, migrationFeeOption: 5 }, { feeBps: 600, collectFeeMode: 1 }),
  )
  // The two programs count the modes differently: quote, output and compounding are 0, 1, 2 in one, 1, 0, 2 in the other.
  for (const dynamicFee of [0, 1] as const)
    for (const [collectFeeMode, collected] of [
      [0, 1],
      [1, 0],
      [2, 2],
    ] as const)
      it.live.skipIf(!hasPrograms)(
        `with its own fee, collected by mode ${collectFeeMode}, dynamic fee ${dynamicFee}`,
        () => journey(custom(collectFeeMode, dynamicFee, dynamicFee), { feeBps: 120, collectFeeMode: collected }),
      )
})
