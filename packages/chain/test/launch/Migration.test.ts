import { assert, describe, it } from "@effect/vitest"
import type { DbcConfig } from "@launch-registry/domain/pools/DbcConfig"
import type { Address } from "@solana/kit"
import { getCreateAssociatedTokenIdempotentInstruction } from "@solana-program/token"
import { Effect } from "effect"
import { AccountReader } from "../../src/accounts/AccountReader.ts"
import { associatedTokenAddress } from "../../src/accounts/DerivedAddresses.ts"
import { DAMM_V2_PROGRAM } from "../../src/accounts/Programs.ts"
import { newKeyPair } from "../../src/build/NewKeyPair.ts"
import { Holders } from "../../src/holders/Holders.ts"
import { Pools } from "../../src/pools/Pools.ts"
import { poolState, stateAccounts } from "../../src/pools/PoolViews.ts"
import { Rpc } from "../../src/rpc/Rpc.ts"
import { Swaps } from "../../src/swaps/Swaps.ts"
import { sidesOf, type WalletSwap } from "../../src/venues/TokenPair.ts"
import { dammV1Services, SOL_VAULT, type SolVault } from "./DammV1Launch.ts"
import { completedLaunch, graduateToDammV1, migrate } from "./GraduatedLaunch.ts"
import { hasDammV1Programs, hasDammV2Programs, launchServices } from "./RealPrograms.ts"
import { held, sendInstruction, signAndSend, walletWith } from "./Wallet.ts"

type Wallet = Pick<Effect.Success<ReturnType<typeof walletWith>>, "address" | "keyPair">
type Order = Pick<WalletSwap, "amountIn"> & Partial<Pick<WalletSwap, "swapBaseForQuote">>

/** Builds a swap, sends it, and asserts that the vaults, the wallet and the price moved as quoted. */
const fillsAsQuoted = Effect.fn(function* (wallet: Wallet, swap: Omit<WalletSwap, "signer">) {
  const [swaps, pools] = [yield* Swaps, yield* Pools]
  const curve = yield* pools.getCurve(swap.baseMint)
  const { base, venue } = curve
  const { input, output } = sidesOf(curve, swap)
  const { baseVault, quoteVault } = venue.view!(0n)
  const vaultOf = ({ mint }: typeof input) => (mint === swap.baseMint ? baseVault : quoteVault)
  const own = yield* Effect.promise(() => associatedTokenAddress(wallet.address, swap.baseMint, base.program))
  const referral = swap.referralTokenAccount
  const watched = [vaultOf(input), vaultOf(output), own, ...(referral === undefined ? [] : [referral])]
  const [sentBefore, leftBefore, ownBefore, referredBefore = 0n] = yield* held(watched)

  const built = yield* swaps.build({ ...swap, signer: wallet.address }, { simulate: true })
  assert.deepStrictEqual(built.simulation.problems, [])
  const { quote } = built
  const feeMint = venue.feeToken(swap).mint
  assert.deepInclude(quote, { venue: venue.name, pool: venue.address as never, feeMint: feeMint as never })
  assert.deepStrictEqual(yield* swaps.quote(swap), quote)
  yield* signAndSend(wallet.keyPair, built.unsigned.transaction)

  const [sent, left, ownAfter, referredAfter = 0n] = yield* held(watched)
  const referred = referredAfter - referredBefore
  const isFeeSent = feeMint === input.mint
  // On DAMM v1 the protocol's part goes elsewhere.
  if (venue.name === "damm_v2") assert.strictEqual(sent! - sentBefore! + (isFeeSent ? referred : 0n), swap.amountIn)
  const received = leftBefore! - left! - (isFeeSent ? 0n : referred)
  assert.strictEqual(received.toString(), quote.expectedAmountOut)
  assert.strictEqual(ownAfter! - ownBefore!, swap.swapBaseForQuote ? -swap.amountIn : received)
  if (referral !== undefined) assert.isTrue(referred > 0n)
  const { accounts, curve: after } = yield* pools.getCurveWith(swap.baseMint, stateAccounts)
  assert.strictEqual(poolState(after, accounts).price, quote.priceAfter)
  return received
})

/** Trades of a wallet where a migrated token trades, also with a referrer, in the token that the fee is taken in. */
const tradesAsQuoted = Effect.fn(function* (wallet: Wallet, baseMint: string, more: ReadonlyArray<Order>) {
  const [rpc, pools] = [yield* Rpc, yield* Pools]
  const buy = { baseMint, slippageBps: 100, swapBaseForQuote: false }
  const bought = yield* fillsAsQuoted(wallet, { ...buy, amountIn: 3_000_000_000n })
  yield* fillsAsQuoted(wallet, { ...buy, amountIn: bought / 3n, swapBaseForQuote: true })
  for (const order of more) yield* fillsAsQuoted(wallet, { ...buy, ...order })
  const { venue } = yield* pools.getCurve(baseMint)
  for (const swapBaseForQuote of [false, true]) {
    const { mint, program } = venue.feeToken({ swapBaseForQuote })
    const owner = (yield* Effect.promise(newKeyPair)).address as Address
    const ata = yield* Effect.promise(() => associatedTokenAddress(owner, mint, program))
    const creation = { ata, owner, mint: mint as Address, tokenProgram: program as Address }
    yield* Effect.promise(() =>
      sendInstruction(rpc, wallet, (payer) => getCreateAssociatedTokenIdempotentInstruction({ payer, ...creation })),
    )
    const amountIn = swapBaseForQuote ? bought / 5n : 2_000_000_000n
    yield* fillsAsQuoted(wallet, { ...buy, amountIn, swapBaseForQuote, referralTokenAccount: ata as string })
  }
  const holders = (yield* Effect.flatMap(Holders, ({ list }) => list(baseMint))).holders.map(
    ({ address }) => `${address}`,
  )
  assert.include(holders, wallet.address)
  const { accounts } = yield* pools.readAccounts([venue.view!(0n).baseVault])
  assert.notInclude(holders, new AccountReader(accounts[0]!.data).address(32))
  return holders
})

/** What is said of a pool that was migrated. */
const migratedState = Effect.fn(function* (baseMint: string) {
  const pools = yield* Pools
  const { accounts, curve } = yield* pools.getCurveWith(baseMint, stateAccounts)
  const state = poolState(curve, accounts)
  const migrated = state.migratedPool!
  assert.deepInclude(state, { isComplete: true, isMigrated: true, quoteProgress: 1, venue: curve.venue.name })
  assert.deepInclude(state, { price: migrated.price, marketCap: migrated.marketCap, graduatedPool: migrated.pool })
  assert.isTrue(migrated.isEnabled)
  return { curve, migrated }
})

const toDammV2 = (dbcConfig: DbcConfig, feeBps: number, collectFeeMode: number) =>
  Effect.gen(function* () {
    const [swaps, pools] = [yield* Swaps, yield* Pools]
    const { baseMint, pool, wallet } = yield* completedLaunch(dbcConfig)
    const buy = { baseMint, amountIn: 1_000_000n, slippageBps: 100, swapBaseForQuote: false }
    const refused = yield* Effect.flip(swaps.build({ ...buy, signer: wallet.address }))
    assert.deepInclude(refused, {
      _tag: "CurveCompleted",
      isMigrated: false,
      graduatedPool: null,
      venue: "dbc",
    } as never)

    yield* migrate(wallet.secretKey, pool, dbcConfig.migrationFeeOption!)
    const { curve, migrated } = yield* migratedState(baseMint)
    const [account] = (yield* pools.readAccounts([migrated.pool])).accounts
    assert.strictEqual(account?.owner, DAMM_V2_PROGRAM)
    assert.deepInclude(migrated, {
      ...{ baseFeeBps: feeBps, feeBps, collectFeeMode },
      dynamicFeeEnabled: dbcConfig.migratedPoolFee?.dynamicFee === 1,
    })
    // What is in the vaults can be traded against; the program keeps back what it rounds.
    const [inBase, inQuote] = yield* held([migrated.baseVault, migrated.quoteVault])
    assert.isTrue(inBase! - BigInt(migrated.baseReserve) < 10n && inBase! >= BigInt(migrated.baseReserve))
    assert.isTrue(inQuote! - BigInt(migrated.quoteReserve) < 10n && inQuote! >= BigInt(migrated.quoteReserve))

    // Another wallet, which has no token accounts yet.
    const trader = yield* walletWith(500_000_000_000n)
    const holders = yield* tradesAsQuoted(trader, baseMint, [{ amountIn: 100_000_000_000n }, { amountIn: 1_234_567n }])
    assert.include(holders, wallet.address)
    const [curveVault] = (yield* pools.readAccounts([curve.pool.baseVault])).accounts
    assert.notInclude(holders, new AccountReader(curveVault!.data).address(32))
  }).pipe(Effect.provide(launchServices()))

const toDammV1 = (option: number, feeBps: number, vault: SolVault = SOL_VAULT) =>
  Effect.gen(function* () {
    const { baseMint, keyPair, wallet } = yield* graduateToDammV1(option)
    const { migrated } = yield* migratedState(baseMint)
    assert.deepInclude(migrated, { feeBps, collectFeeMode: 3 })
    yield* tradesAsQuoted({ address: wallet.address, keyPair }, baseMint, [
      { amountIn: 100_000_000_000n },
      { amountIn: 1_237n },
      { amountIn: 100_000_000_000_000n, swapBaseForQuote: true },
    ])
    const dust = { baseMint, amountIn: 1n, slippageBps: 100, swapBaseForQuote: true }
    assert.strictEqual((yield* Effect.flip(Effect.flatMap(Swaps, ({ quote }) => quote(dust))))._tag, "InvalidRequest")
  }).pipe(Effect.provide(dammV1Services(option, vault)))

const custom = (collectFeeMode: 0 | 1 | 2, dynamicFee: 0 | 1): DbcConfig => {
  const compounding = collectFeeMode === 2 && { compoundingFeeBps: 5_000 }
  const migratedPoolFee = { collectFeeMode, dynamicFee, poolFeeBps: 120, ...compounding }
  return { tokenType: dynamicFee, migrationFeeOption: 6, migratedPoolFee }
}

describe.skipIf(!hasDammV2Programs)(
  "From launch to swaps on DAMM v2 on the real programs (needs the program files)",
  () => {
    it.live("an SPL token", () => toDammV2({ tokenType: 0, migrationFeeOption: 2 }, 100, 1))
    it.live("a Token-2022 token, with another fee", () => toDammV2({ tokenType: 1, migrationFeeOption: 0 }, 25, 1))
    it.live("with the highest fixed fee", () => toDammV2({ tokenType: 0, migrationFeeOption: 5 }, 600, 1))
    // The two programs count the modes differently: quote, output and compounding are 0, 1, 2 in one, 1, 0, 2 in the other.
    for (const dynamicFee of [0, 1] as const)
      for (const [mode, collected] of [[0, 1] as const, [1, 0] as const, [2, 2] as const])
        it.live(`with its own fee, collected by mode ${mode}, dynamic fee ${dynamicFee}`, () =>
          toDammV2(custom(mode, dynamicFee), 120, collected),
        )
  },
)

describe.skipIf(!hasDammV1Programs)(
  "From launch to swaps on DAMM v1 on the real programs (needs the program files)",
  () => {
    it.live("with a fee of 1 %", () => toDammV1(2, 100))
    it.live("with the lowest fee", () => toDammV1(0, 25))
    it.live("with the highest fee", () => toDammV1(5, 600))
    it.live("over a vault without profit", () => toDammV1(1, 30, { ...SOL_VAULT, totalAmount: SOL_VAULT.lpSupply }))
  },
)
