import { assert, describe, it } from "@effect/vitest"
import type { Address } from "@solana/kit"
import { getCreateAssociatedTokenIdempotentInstruction } from "@solana-program/token"
import { Effect } from "effect"
import { AccountReader } from "../../src/accounts/AccountReader.ts"
import { dammV1Reserves, sqrtPriceOf } from "../../src/dammV1/DammV1Math.ts"
import { associatedTokenAddress } from "../../src/accounts/DerivedAddresses.ts"
import { Holders } from "../../src/holders/Holders.ts"
import { newKeyPair } from "../../src/build/NewKeyPair.ts"
import { Pools } from "../../src/pools/Pools.ts"
import { poolState, stateAccounts } from "../../src/pools/PoolViews.ts"
import { NATIVE_MINT, TOKEN_PROGRAM } from "../../src/accounts/Programs.ts"
import { Swaps } from "../../src/swaps/Swaps.ts"
import { Rpc } from "../../src/rpc/Rpc.ts"
import { hasDammV1Programs, SOL_VAULT, type SolVault } from "./DammV1Launch.ts"
import { dammV1Services, dammV1StateOf, graduateToDammV1 } from "./GraduatedToDammV1.ts"
import { sendInstruction, signAndSend } from "./Wallet.ts"

type Wallet = Effect.Success<ReturnType<typeof graduateToDammV1>>

/** What token accounts hold; 0 where there is none. */
const held = Effect.fn(function* (addresses: ReadonlyArray<string>) {
  const { accounts } = yield* Effect.flatMap(Pools, ({ readAccounts }) => readAccounts(addresses))
  return accounts.map((account) => (account === undefined ? 0n : new AccountReader(account.data).u64(64)))
})

interface Order {
  readonly isBuy: boolean
  readonly amountIn: bigint
  readonly referralTokenAccount?: string
}

/** Builds a swap, signs and sends it, and asserts that wallet and pool then hold what was quoted. */
const fillsAsQuoted = Effect.fn(function* (launch: Wallet, { isBuy, ...order }: Order) {
  const [swaps, pools] = [yield* Swaps, yield* Pools]
  const { baseMint } = launch
  const swap = { baseMint, slippageBps: 100, swapBaseForQuote: !isBuy, ...order }
  const own = yield* Effect.promise(() => associatedTokenAddress(launch.wallet.address, baseMint, TOKEN_PROGRAM))
  const before = yield* dammV1StateOf(launch)
  const [ownBefore, referredBefore] = yield* held([own, order.referralTokenAccount ?? own])
  const built = yield* swaps.build({ ...swap, signer: launch.wallet.address }, { simulate: true })
  assert.deepStrictEqual(built.simulation.problems, [])
  const { quote } = built
  const feeMint = isBuy ? NATIVE_MINT : baseMint
  assert.deepInclude(quote, { venue: "damm_v1", pool: launch.migratedPool as string, feeMint })
  yield* signAndSend(launch.keyPair, built.unsigned.transaction)

  const after = yield* dammV1StateOf(launch)
  const [ownAfter, referredAfter] = yield* held([own, order.referralTokenAccount ?? own])
  const [out, left] = isBuy ? [before.a, after.a] : [before.b, after.b]
  assert.strictEqual(String(out.tokenReserve - left.tokenReserve), quote.expectedAmountOut)
  assert.strictEqual(ownAfter! - ownBefore!, isBuy ? BigInt(quote.expectedAmountOut) : -order.amountIn)
  if (order.referralTokenAccount !== undefined) assert.isTrue(referredAfter! > referredBefore!)
  const { accounts, curve } = yield* pools.getCurveWith(baseMint, stateAccounts)
  const state = poolState(curve, accounts)
  assert.strictEqual(state.price, quote.priceAfter)
  assert.strictEqual(state.migratedPool!.sqrtPrice, String(sqrtPriceOf(dammV1Reserves(after)!)))
  return BigInt(quote.expectedAmountOut)
})

const journey = (option: number, feeBps: number, vault?: SolVault) =>
  Effect.gen(function* () {
    const rpc = yield* Rpc
    const [pools, swaps] = [yield* Pools, yield* Swaps]
    const launch = yield* graduateToDammV1(option)
    const { accounts, curve } = yield* pools.getCurveWith(launch.baseMint, stateAccounts)
    const state = poolState(curve, accounts)
    const pool = launch.migratedPool as string
    assert.deepInclude(state, { isComplete: true, isMigrated: true, venue: "damm_v1", graduatedPool: pool as never })
    assert.deepInclude(state.migratedPool!, { pool: pool as never, isEnabled: true, feeBps, collectFeeMode: 3 })
    assert.deepInclude(state, { price: state.migratedPool!.price, marketCap: state.migratedPool!.marketCap })

    const bought = yield* fillsAsQuoted(launch, { isBuy: true, amountIn: 3_000_000_000n })
    yield* fillsAsQuoted(launch, { isBuy: false, amountIn: bought / 3n })
    yield* fillsAsQuoted(launch, { isBuy: true, amountIn: 100_000_000_000n })
    yield* fillsAsQuoted(launch, { isBuy: true, amountIn: 1_237n })
    yield* fillsAsQuoted(launch, { isBuy: false, amountIn: 100_000_000_000_000n })

    // With a referrer, in the token that is sent.
    for (const isBuy of [true, false]) {
      const mint = (isBuy ? NATIVE_MINT : launch.baseMint) as Address
      const owner = (yield* Effect.promise(newKeyPair)).address as Address
      const ata = yield* Effect.promise(() => associatedTokenAddress(owner, mint, TOKEN_PROGRAM))
      const creation = { ata, owner, mint, tokenProgram: TOKEN_PROGRAM }
      yield* Effect.promise(() =>
        sendInstruction(rpc, launch, (payer) => getCreateAssociatedTokenIdempotentInstruction({ payer, ...creation })),
      )
      const amountIn = isBuy ? 2_000_000_000n : bought / 5n
      yield* fillsAsQuoted(launch, { isBuy, amountIn, referralTokenAccount: ata as string })
    }

    const { holders } = yield* Effect.flatMap(Holders, ({ list }) => list(launch.baseMint))
    const { a } = yield* dammV1StateOf(launch)
    const [vaultAccount] = (yield* pools.readAccounts([a.vault.tokenVault])).accounts
    const owners = holders.map(({ address }) => String(address))
    assert.include(owners, launch.wallet.address)
    assert.notInclude(owners, new AccountReader(vaultAccount!.data).address(32))

    const dust = yield* Effect.flip(
      swaps.quote({ baseMint: launch.baseMint, amountIn: 1n, slippageBps: 100, swapBaseForQuote: true }),
    )
    assert.strictEqual(dust._tag, "InvalidRequest")
  }).pipe(Effect.provide(Holders.layer()), Effect.provide(dammV1Services(option, vault)))

describe.skipIf(!hasDammV1Programs)(
  "From launch to swaps on DAMM v1 on the real programs (needs the program files)",
  () => {
    it.live("with a fee of 1 %", () => journey(2, 100))
    it.live("with the lowest fee", () => journey(0, 25))
    it.live("with the highest fee", () => journey(5, 600))
    it.live("over a vault without profit", () => journey(1, 30, { ...SOL_VAULT, totalAmount: SOL_VAULT.lpSupply }))
  },
)
