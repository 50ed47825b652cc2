import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import type { DbcConfig } from "@launch-registry/domain/launch/DbcConfig"
import { type Address, lamports } from "@solana/kit"
import { Effect, Layer } from "effect"
import { AccountReader } from "../../src/accounts/AccountReader.ts"
import { associatedTokenAddress } from "../../src/accounts/DerivedAddresses.ts"
import { Holders } from "../../src/holders/Holders.ts"
import { newKeyPair } from "../../src/build/NewKeyPair.ts"
import { LaunchTransactions } from "../../src/launches/LaunchTransactions.ts"
import { PoolDirectory } from "../../src/pools/PoolDirectory.ts"
import { Pools } from "../../src/pools/Pools.ts"
import { poolState, stateAccounts } from "../../src/pools/PoolViews.ts"
import { DAMM_V2_PROGRAM } from "../../src/accounts/Programs.ts"
import { sidesOf, type WalletSwap } from "../../src/venues/TokenPair.ts"
import { Swaps } from "../../src/swaps/Swaps.ts"
import { LocalChain } from "../../src/localnet/LocalChain.ts"
import { Rpc } from "../../src/rpc/Rpc.ts"
import { rpcOver } from "./CountedChain.ts"
import { completedLaunch } from "./Graduation.ts"
import { migrate } from "./Migrate.ts"
import { sendInstruction, signAndSend } from "./Wallet.ts"
import { getCreateAssociatedTokenIdempotentInstruction } from "@solana-program/token"

const PROGRAMS = fileURLToPath(new URL("../../../../programs", import.meta.url))
const hasPrograms = ["dynamic_bonding_curve.so", "metaplex.so", "cp_amm.so"].every((file) =>
  existsSync(`${PROGRAMS}/${file}`),
)

const services = Layer.mergeAll(LaunchTransactions.layer(), Swaps.layer, Holders.layer()).pipe(
  Layer.provideMerge(Layer.provide(Pools.layer, PoolDirectory.layerEmpty)),
  Layer.provideMerge(Layer.unwrap(Effect.map(LocalChain, ({ url }) => rpcOver(url)))),
  Layer.provideMerge(LocalChain.layer({ programsFolder: PROGRAMS })),
)

/** What token accounts hold; 0 where there is none. */
const held = Effect.fn(function* (addresses: ReadonlyArray<string>) {
  const { accounts } = yield* Effect.flatMap(Pools, ({ readAccounts }) => readAccounts(addresses))
  return accounts.map((account) => (account === undefined ? 0n : new AccountReader(account.data).u64(64)))
})

/** Builds a swap, sends it, and asserts that the vaults, the wallet and the price moved as quoted. */
const fillsAsQuoted = Effect.fn(function* (
  wallet: Awaited<ReturnType<typeof newKeyPair>>,
  swap: Omit<WalletSwap, "signer">,
) {
  const [swaps, pools] = [yield* Swaps, yield* Pools]
  const request = { ...swap, signer: wallet.address }
  const curve = yield* pools.getCurve(swap.baseMint)
  const { base, venue } = curve
  const { input, output } = sidesOf(curve, swap)
  const { baseVault, quoteVault } = venue.view!(0n)
  const vaultOf = ({ mint }: typeof input) => (mint === swap.baseMint ? baseVault : quoteVault)
  const own = yield* Effect.promise(() => associatedTokenAddress(wallet.address, swap.baseMint, base.program))
  const watched = [
    vaultOf(input),
    vaultOf(output),
    own,
    ...(swap.referralTokenAccount ? [swap.referralTokenAccount] : []),
  ]
  const [sentBefore, leftBefore, ownBefore, referredBefore = 0n] = yield* held(watched)

  const built = yield* swaps.build(request, { simulate: true })
  assert.deepStrictEqual(built.simulation.problems, [])
  const { quote } = built
  assert.deepInclude(quote, { venue: "damm_v2", pool: venue.address, feeMint: venue.feeToken(swap).mint })
  assert.deepStrictEqual(yield* swaps.quote(swap), quote)
  yield* signAndSend(wallet.keyPair, built.unsigned.transaction)

  const [sent, left, ownAfter, referred = 0n] = yield* held(watched)
  const referral = referred! - referredBefore!
  const isFeeSent = venue.feeToken(swap).mint === input.mint
  assert.strictEqual(sent! - sentBefore! + (isFeeSent ? referral : 0n), swap.amountIn)
  const received = leftBefore! - left! - (isFeeSent ? 0n : referral)
  assert.strictEqual(received.toString(), quote.expectedAmountOut)
  assert.strictEqual(ownAfter! - ownBefore!, swap.swapBaseForQuote ? -swap.amountIn : received)
  if (swap.referralTokenAccount !== undefined) assert.isTrue(referral > 0n)
  const after = poolState(yield* pools.getCurve(swap.baseMint), { mint: undefined })
  assert.strictEqual(after.price, quote.priceAfter)
  return received
})

const journey = (dbcConfig: DbcConfig, expected: { readonly feeBps: number; readonly collectFeeMode: number }) =>
  Effect.gen(function* () {
    const rpc = yield* Rpc
    const [swaps, pools, holders] = [yield* Swaps, yield* Pools, yield* Holders]
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
    const bought = yield* fillsAsQuoted(trader, { ...buy, amountIn: 3_000_000_000n })
    yield* fillsAsQuoted(trader, { ...buy, amountIn: bought / 3n, swapBaseForQuote: true })
    yield* fillsAsQuoted(trader, { ...buy, amountIn: 100_000_000_000n })
    yield* fillsAsQuoted(trader, { ...buy, amountIn: 1_234_567n })

    // With a referrer, in the token that the fee is taken in.
    for (const swapBaseForQuote of [false, true]) {
      const { mint, program } = curve.venue.feeToken({ swapBaseForQuote })
      const owner = (yield* Effect.promise(newKeyPair)).address as Address
      const ata = yield* Effect.promise(() => associatedTokenAddress(owner, mint, program))
      const creation = { ata, owner, mint: mint as Address, tokenProgram: program as Address }
      yield* Effect.promise(() =>
        sendInstruction(rpc, trader, (payer) => getCreateAssociatedTokenIdempotentInstruction({ payer, ...creation })),
      )
      const amountIn = swapBaseForQuote ? bought : 2_000_000_000n
      yield* fillsAsQuoted(trader, { ...buy, amountIn, swapBaseForQuote, referralTokenAccount: ata as string })
    }

    const { holders: list } = yield* holders.list(baseMint)
    assert.includeMembers(
      list.map(({ address }) => String(address)),
      [wallet.address, trader.address],
    )
    const vaultOwners = yield* Effect.map(pools.readAccounts([migrated.baseVault, pool]), ({ accounts }) =>
      accounts.flatMap((account) => (account === undefined ? [] : [new AccountReader(account.data).address(32)])),
    )
    for (const owner of vaultOwners) assert.isFalse(list.some(({ address }) => address === owner))
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
