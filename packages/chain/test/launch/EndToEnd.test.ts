import { assert, describe, it } from "@effect/vitest"
import { getCreateAssociatedTokenIdempotentInstruction } from "@solana-program/token"
import { type Address, getProgramDerivedAddress, isOffCurveAddress } from "@solana/kit"
import { Effect, Layer } from "effect"
import { associatedTokenAddress } from "../../src/accounts/DerivedAddresses.ts"
import { NATIVE_MINT, TOKEN_PROGRAM } from "../../src/accounts/Programs.ts"
import { Holders } from "../../src/holders/Holders.ts"
import { LaunchTransactions } from "../../src/launches/LaunchTransactions.ts"
import { PoolDirectory } from "../../src/pools/PoolDirectory.ts"
import { Pools } from "../../src/pools/Pools.ts"
import { metadataAccounts, poolMetadata } from "../../src/pools/PoolViews.ts"
import { Rpc } from "../../src/rpc/Rpc.ts"
import { Swaps } from "../../src/swaps/Swaps.ts"
import { readAuthorities } from "../../src/tokens/Authorities.ts"
import { acceptedConfigs } from "./GeneratedConfigs.ts"
import { launched } from "./GraduatedLaunch.ts"
import { hasLaunchPrograms, launchServices } from "./RealPrograms.ts"
import { PRICES, rentOf } from "./SwapCases.ts"
import { balanceOf, held, sendInstruction, signAndSend, transferOut, walletWith } from "./Wallet.ts"

const MULTISIG_PROGRAM = "SQDS4ep65T869zMMBKyuUq6aD6EgTu8psMjkvj52pCf" as Address

/** An address without a key, like that of a multisig's vault. */
const vaultOf = (seed: string) =>
  Effect.promise(async () => {
    const [vault] = await getProgramDerivedAddress({ programAddress: MULTISIG_PROGRAM, seeds: ["vault", seed] })
    assert.isTrue(isOffCurveAddress(vault))
    return vault
  })

const journey = (tokenType: 0 | 1, tokenUpdateAuthority: 0 | 1, transactionVersion: 0 | 1) =>
  Effect.gen(function* () {
    const [rpc, transactions, pools] = [yield* Rpc, yield* LaunchTransactions, yield* Pools]
    const [swaps, holders] = [yield* Swaps, yield* Holders]
    const wallet = yield* walletWith(100_000_000_000n)
    const { address: signer, keyPair } = wallet
    // Vaults of multisigs claim fees, receive leftovers, and are paid referral fees.
    const [feeClaimer, leftoverReceiver, referrer] = [yield* vaultOf("1"), yield* vaultOf("2"), yield* vaultOf("3")]
    const dbcConfig = { tokenType, tokenUpdateAuthority, feeClaimer, leftoverReceiver } as never
    const config = yield* transactions.buildConfig({ signer, launchpad: "launchpad_a", dbcConfig, transactionVersion })
    yield* signAndSend(keyPair, config.unsigned.transaction)
    assert.deepInclude(yield* pools.getConfig(config.configAddress), { tokenType, feeClaimer, leftoverReceiver })

    const label = { name: "End to End", symbol: "E2E", uri: "https://example.com/e2e.json" }
    const published = { name: label.name, website: "https://example.com", logo: "https://example.com/logo.png" }
    const poolRequest = { signer, config: config.configAddress, facts: config, label, transactionVersion }
    const pool = yield* transactions.buildPool({ ...poolRequest, poolMetadata: published })
    assert.isTrue(pool.isMetadataPublished)
    yield* signAndSend(keyPair, pool.unsigned.transaction)
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

    const referral = yield* Effect.promise(() => associatedTokenAddress(referrer, NATIVE_MINT, TOKEN_PROGRAM))
    yield* Effect.promise(() =>
      sendInstruction(rpc, wallet, (payer) =>
        getCreateAssociatedTokenIdempotentInstruction({ payer, ata: referral, owner: referrer, mint: NATIVE_MINT }),
      ),
    )
    const buy = { baseMint: pool.baseMint, signer, amountIn: 2_000_000_000n, slippageBps: 50, swapBaseForQuote: false }
    const bought = yield* swaps.build({ ...buy, referralTokenAccount: referral }, { transactionVersion })
    assert.deepStrictEqual(bought.simulation.problems, [])
    yield* signAndSend(keyPair, bought.unsigned.transaction)
    assert.isTrue((yield* held([referral]))[0]! > 0n)
    const [holder] = (yield* holders.list(pool.baseMint)).holders
    assert.deepInclude(holder, { address: signer, amount: bought.quote.expectedAmountOut })

    const sell = { ...buy, amountIn: BigInt(bought.quote.expectedAmountOut) / 2n, swapBaseForQuote: true }
    const before = yield* pools.getCurve(pool.baseMint)
    const sold = yield* swaps.build(sell, { simulate: true, transactionVersion })
    assert.deepInclude(sold.simulation, { willSucceed: true, isSimulated: true })
    assert.isBelow(sold.unsigned.computeUnitLimit, 150_000)
    yield* signAndSend(keyPair, sold.unsigned.transaction)
    const after = yield* pools.getCurve(pool.baseMint)
    // The trading fee stays in the vault but not in the reserve.
    const paid = before.pool.quoteReserve - after.pool.quoteReserve
    assert.strictEqual(paid, BigInt(sold.quote.expectedAmountOut) + BigInt(sold.quote.fee))
  }).pipe(Effect.provide(launchServices()))

/** What is said of a swap by the checks, and what then happens, are the same. */
const agrees = (problems: ReadonlyArray<{ readonly code: string }>, what: string): boolean => {
  const said = problems.every(({ code }) => code === "simulation_failed")
  const happened = problems.every(({ code }) => code !== "simulation_failed")
  assert.strictEqual(said, happened, `${what}: ${JSON.stringify(problems)}`)
  return happened
}

describe.skipIf(!hasLaunchPrograms)("Launching on the real program (needs the program files)", () => {
  it.live("an SPL token: configuration, deployment, buy and sell land with the quoted amounts", () =>
    Effect.andThen(journey(0, 0, 0), journey(0, 1, 1)),
  )
  it.live("a Token-2022 token: configuration, deployment, buy and sell land with the quoted amounts", () =>
    Effect.andThen(journey(1, 0, 1), journey(1, 1, 0)),
  )

  it.live("the checks of a wallet's balance agree with what the program does, whatever rent is", () =>
    Effect.forEach(PRICES, (lamportsPerByte) =>
      Effect.gen(function* () {
        const [rpc, swaps] = [yield* Rpc, yield* Swaps]
        const { baseMint } = yield* launched(yield* walletWith(100_000_000_000n), {})
        const buy = { baseMint, amountIn: 1_000_000_000n, slippageBps: 100, swapBaseForQuote: false }
        // Two token accounts, a signature, 200,000 compute units; and the minimum balance of a wallet.
        const account = rentOf(165, lamportsPerByte)
        const exact = 1_000_000_000n + 2n * account + 5_000n + 2_000n
        const alive = rentOf(0, lamportsPerByte)
        for (const offset of [-1_000_000n, -1n, 0n, 1n, alive, alive + 1n, 10_000_000n]) {
          const { address: signer } = yield* walletWith(exact + offset)
          const { simulation } = yield* swaps.build({ ...buy, signer }, { simulate: true })
          const what = `${lamportsPerByte} a byte, ${offset}`
          assert.strictEqual(agrees(simulation.problems, what), offset >= 0n, what)
        }
        // A seller with a token account: the wallet must stay rent-exempt after the fees as well.
        for (const left of [0n, 1n, alive - 1n, alive, alive + 1n, 3_000_000n]) {
          const seller = yield* walletWith(2_000_000_000n)
          const signer = seller.address
          const bought = yield* swaps.build({ ...buy, signer })
          yield* signAndSend(seller.keyPair, bought.unsigned.transaction)
          const has = yield* balanceOf(signer)
          yield* Effect.promise(() => transferOut(rpc, seller, has - (account + 7_000n + left) - 5_000n))
          const sale = { ...buy, signer, amountIn: 1_000_000n, swapBaseForQuote: true }
          const { simulation } = yield* swaps.build(sale, { simulate: true })
          agrees(simulation.problems, `${lamportsPerByte} a byte, sell, ${left} left`)
        }
      }).pipe(Effect.provide(launchServices({ lamportsPerByte }))),
    ),
  )

  it.live("any configuration that is not refused lands", () =>
    Effect.gen(function* () {
      const transactions = yield* LaunchTransactions
      const { address: signer, keyPair } = yield* walletWith(1_000_000_000_000n)
      let landed = 0
      const ways = new Set<string>()
      for (const dbcConfig of acceptedConfigs(4_711, 250)) {
        const built = yield* Effect.result(transactions.buildConfig({ signer, launchpad: "launchpad_a", dbcConfig }))
        if (built._tag === "Failure") continue
        yield* signAndSend(keyPair, built.success.unsigned.transaction).pipe(
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
    }).pipe(Effect.provide(launchServices())),
  )
})
