import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { type Address, lamports } from "@solana/kit"
import { Effect, Layer, Redacted } from "effect"
import { readAuthorities } from "../../src/tokens/Authorities.ts"
import { Holders } from "../../src/holders/Holders.ts"
import { newKeyPair } from "../../src/build/NewKeyPair.ts"
import { LaunchTransactions } from "../../src/launches/LaunchTransactions.ts"
import { PoolDirectory } from "../../src/pools/PoolDirectory.ts"
import { Pools } from "../../src/pools/Pools.ts"
import { metadataAccounts, poolMetadata } from "../../src/pools/PoolViews.ts"
import { Swaps } from "../../src/swaps/Swaps.ts"
import type { LedgerOptions } from "../../src/localnet/LedgerOptions.ts"
import { LocalChain } from "../../src/localnet/LocalChain.ts"
import { Rpc } from "../../src/rpc/Rpc.ts"
import { acceptedConfigs } from "./GeneratedConfigs.ts"
import { PRICES, rentOf } from "./SwapCases.ts"
import { signAndSend, transferOut } from "./Wallet.ts"

/** Program files are under a licence that keeps them out of the repository; see CONTRIBUTING. */
const PROGRAMS = fileURLToPath(new URL("../../../../programs", import.meta.url))
const hasPrograms = existsSync(`${PROGRAMS}/dynamic_bonding_curve.so`) && existsSync(`${PROGRAMS}/metaplex.so`)

const chain = Layer.unwrap(
  Effect.map(LocalChain, ({ url }) => Rpc.layer({ urls: [Redacted.make(url)], genesisHash: "any" })),
)
const servicesOn = (options: Partial<LedgerOptions>) =>
  Layer.mergeAll(LaunchTransactions.layer(), Swaps.layer, Holders.layer()).pipe(
    Layer.provideMerge(Layer.provide(Pools.layer, PoolDirectory.layerEmpty)),
    Layer.provideMerge(chain),
    Layer.provide(LocalChain.layer({ programsFolder: PROGRAMS, ...options })),
  )
const services = servicesOn({})

const journey = (tokenType: 0 | 1, tokenUpdateAuthority: 0 | 1, transactionVersion: 0 | 1) =>
  Effect.gen(function* () {
    const rpc = yield* Rpc
    const transactions = yield* LaunchTransactions
    const pools = yield* Pools
    const swaps = yield* Swaps
    const holders = yield* Holders
    const { address: signer, keyPair: wallet } = yield* Effect.promise(newKeyPair)
    yield* rpc.call((kit) => kit.requestAirdrop(signer as Address, lamports(100_000_000_000n)))

    const config = yield* transactions.buildConfig({
      signer,
      launchpad: "launchpad_a",
      dbcConfig: { tokenType, tokenUpdateAuthority },
      transactionVersion,
    })
    yield* signAndSend(wallet, config.unsigned.transaction)
    assert.strictEqual((yield* pools.getConfig(config.configAddress)).tokenType, tokenType)

    const label = { name: "End to End", symbol: "E2E", uri: "https://example.com/e2e.json" }
    const published = { name: label.name, website: "https://example.com", logo: "https://example.com/logo.png" }
    const poolRequest = { signer, config: config.configAddress, facts: config, label, transactionVersion }
    const pool = yield* transactions.buildPool({ ...poolRequest, poolMetadata: published })
    assert.isTrue(pool.isMetadataPublished)
    yield* signAndSend(wallet, pool.unsigned.transaction)
    const { accounts, curve } = yield* pools.getCurveWith(pool.baseMint, metadataAccounts)
    assert.deepInclude(poolMetadata(curve, accounts), { ...label, pool: published })
    const authorities = yield* readAuthorities(pools.readAccounts, pool.baseMint, config.configAddress)
    const isMutable = tokenUpdateAuthority === 0
    assert.deepInclude(authorities, { configOption: tokenUpdateAuthority })
    assert.deepInclude(authorities.mint, { mintAuthority: null, freezeAuthority: null, permanentDelegate: null })
    assert.deepInclude(authorities.metadata, { isMutable, updateAuthority: isMutable ? (signer as never) : null })
    const tooLong = { ...published, logo: `https://example.com/${"l".repeat(600)}` }
    // A transaction of version 1 has room for it.
    const { isMetadataPublished } = yield* transactions.buildPool({ ...poolRequest, poolMetadata: tooLong })
    assert.strictEqual(isMetadataPublished, transactionVersion === 1)

    // Without knowledge of this launch, the pool is found by the transactions of its mint.
    const found = yield* Effect.flatMap(Pools, ({ getCurve }) => getCurve(pool.baseMint)).pipe(
      Effect.provide(Layer.fresh(Layer.provide(Pools.layer, PoolDirectory.layerEmpty))),
    )
    assert.deepInclude(found, { address: pool.pool })

    const buy = { baseMint: pool.baseMint, signer, amountIn: 2_000_000_000n, slippageBps: 50, swapBaseForQuote: false }
    const bought = yield* swaps.build(buy, { transactionVersion })
    assert.deepStrictEqual(bought.simulation.problems, [])
    yield* signAndSend(wallet, bought.unsigned.transaction)
    const [holder] = (yield* holders.list(pool.baseMint)).holders
    assert.deepInclude(holder, { address: signer, amount: bought.quote.expectedAmountOut })

    const sell = { ...buy, amountIn: BigInt(bought.quote.expectedAmountOut) / 2n, swapBaseForQuote: true }
    const before = yield* pools.getCurve(pool.baseMint)
    const sold = yield* swaps.build(sell, { simulate: true, transactionVersion })
    assert.deepInclude(sold.simulation, { willSucceed: true, isSimulated: true })
    assert.isBelow(sold.unsigned.computeUnitLimit, 150_000)
    yield* signAndSend(wallet, sold.unsigned.transaction)
    const after = yield* pools.getCurve(pool.baseMint)
    // The trading fee stays in the vault but not in the reserve.
    const paid = before.pool.quoteReserve - after.pool.quoteReserve
    assert.strictEqual(paid, BigInt(sold.quote.expectedAmountOut) + BigInt(sold.quote.fee))
  }).pipe(Effect.provide(services))

describe(`Launching on the real program${hasPrograms ? "" : " (skipped: no program files in programs/)"}`, () => {
  it.live.skipIf(!hasPrograms)(
    "an SPL token: configuration, deployment, buy and sell land with the quoted amounts",
    () => Effect.andThen(journey(0, 0, 0), journey(0, 1, 1)),
  )
  it.live.skipIf(!hasPrograms)(
    "a Token-2022 token: configuration, deployment, buy and sell land with the quoted amounts",
    () => Effect.andThen(journey(1, 0, 1), journey(1, 1, 0)),
  )

  it.live.skipIf(!hasPrograms)(
    "the checks of a wallet's balance agree with what the program does, whatever rent is",
    () =>
      Effect.forEach(PRICES, (lamportsPerByte) =>
        Effect.gen(function* () {
          const [rpc, transactions, swaps] = [yield* Rpc, yield* LaunchTransactions, yield* Swaps]
          const { address: creator, keyPair } = yield* Effect.promise(newKeyPair)
          yield* rpc.call((kit) => kit.requestAirdrop(creator as Address, lamports(100_000_000_000n)))
          const config = yield* transactions.buildConfig({ signer: creator, launchpad: "launchpad_a" })
          yield* signAndSend(keyPair, config.unsigned.transaction)
          const label = { name: "Checks", symbol: "CHK", uri: "https://example.com/c.json" }
          const pool = yield* transactions.buildPool({
            signer: creator,
            config: config.configAddress,
            facts: config,
            label,
          })
          yield* signAndSend(keyPair, pool.unsigned.transaction)
          const buy = { baseMint: pool.baseMint, amountIn: 1_000_000_000n, slippageBps: 100, swapBaseForQuote: false }
          // Two token accounts, a signature, 200,000 compute units; and the minimum balance of a wallet.
          const account = rentOf(165, lamportsPerByte)
          const exact = 1_000_000_000n + 2n * account + 5_000n + 2_000n
          const alive = rentOf(0, lamportsPerByte)
          const offsets = [-1_000_000n, -1n, 0n, 1n, alive, alive + 1n, 10_000_000n]
          for (const offset of offsets) {
            const { address: signer } = yield* Effect.promise(newKeyPair)
            yield* rpc.call((kit) => kit.requestAirdrop(signer as Address, lamports(exact + offset)))
            const { simulation } = yield* swaps.build({ ...buy, signer }, { simulate: true })
            const said = simulation.problems.every(({ code }) => code === "simulation_failed")
            const happened = simulation.problems.every(({ code }) => code !== "simulation_failed")
            const what = `${lamportsPerByte} a byte, ${offset}: ${JSON.stringify(simulation.problems)}`
            assert.deepStrictEqual([said, happened], [offset >= 0n, offset >= 0n], what)
          }
          // A seller with a token account: the wallet must stay rent-exempt after the fees as well.
          for (const left of [0n, 1n, alive - 1n, alive, alive + 1n, 3_000_000n]) {
            const seller = yield* Effect.promise(newKeyPair)
            const signer = seller.address
            yield* rpc.call((kit) => kit.requestAirdrop(signer as Address, lamports(2_000_000_000n)))
            const bought = yield* swaps.build({ ...buy, signer })
            yield* signAndSend(seller.keyPair, bought.unsigned.transaction)
            const { value: held } = yield* rpc.call((kit) => kit.getBalance(signer as Address))
            const target = account + 7_000n + left
            yield* Effect.promise(() => transferOut(rpc, seller, held - target - 5_000n))
            const { simulation } = yield* swaps.build({
              ...{ ...buy, signer, amountIn: 1_000_000n, swapBaseForQuote: true, simulate: true },
            })
            const said = simulation.problems.every(({ code }) => code === "simulation_failed")
            const happened = simulation.problems.every(({ code }) => code !== "simulation_failed")
            const what = `${lamportsPerByte} a byte, sell, ${left} left: ${JSON.stringify(simulation.problems)}`
            assert.strictEqual(said, happened, what)
          }
        }).pipe(Effect.provide(servicesOn({ lamportsPerByte }))),
      ),
  )

  it.live.skipIf(!hasPrograms)("any configuration that is not refused lands", () =>
    Effect.gen(function* () {
      const [rpc, transactions] = [yield* Rpc, yield* LaunchTransactions]
      const { address: signer, keyPair: wallet } = yield* Effect.promise(newKeyPair)
      yield* rpc.call((kit) => kit.requestAirdrop(signer as Address, lamports(1_000_000_000_000n)))
      let landed = 0
      const ways = new Set<string>()
      for (const dbcConfig of acceptedConfigs(4_711, 250)) {
        const built = yield* Effect.result(transactions.buildConfig({ signer, launchpad: "launchpad_a", dbcConfig }))
        if (built._tag === "Failure") continue
        yield* signAndSend(wallet, built.success.unsigned.transaction).pipe(
          Effect.mapError((error) => new Error(JSON.stringify(dbcConfig), { cause: error })),
        )
        landed++
        const { activationType, baseFeeParams, buildCurveMode, lockedVestingParam, migratedPoolFee, poolCreationFee } =
          dbcConfig
        for (const way of [
          `curve ${buildCurveMode} fee ${baseFeeParams!.baseFeeMode}`,
          `pool fee ${migratedPoolFee?.collectFeeMode} ${migratedPoolFee?.dynamicFee}`,
          `vesting ${lockedVestingParam !== undefined} from ${activationType}`,
          `creation ${poolCreationFee} authority ${dbcConfig.tokenUpdateAuthority}`,
          `leftover ${dbcConfig.leftover} collected ${dbcConfig.collectFeeMode}`,
          `first swap ${dbcConfig.enableFirstSwapWithMinFee} locked ${dbcConfig.partnerLpPercentage === undefined}`,
        ])
          ways.add(way)
      }
      assert.isAbove(landed, 80)
      // Four curves with two fees each, and no or three kinds of pool fees with or without a dynamic one, and so on.
      assert.strictEqual(ways.size, 8 + 7 + 4 + 12 + 8 + 4)
    }).pipe(Effect.provide(services)),
  )
})
