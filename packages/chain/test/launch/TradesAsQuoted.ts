import type { webcrypto } from "node:crypto"
import { assert } from "@effect/vitest"
import type { Address } from "@solana/kit"
import { getCreateAssociatedTokenIdempotentInstruction } from "@solana-program/token"
import { Effect } from "effect"
import { AccountReader } from "../../src/accounts/AccountReader.ts"
import { associatedTokenAddress } from "../../src/accounts/DerivedAddresses.ts"
import { newKeyPair } from "../../src/build/NewKeyPair.ts"
import { Holders } from "../../src/holders/Holders.ts"
import { Pools } from "../../src/pools/Pools.ts"
import { poolState, stateAccounts } from "../../src/pools/PoolViews.ts"
import { Rpc } from "../../src/rpc/Rpc.ts"
import { Swaps } from "../../src/swaps/Swaps.ts"
import { sidesOf, type WalletSwap } from "../../src/venues/TokenPair.ts"
import { sendInstruction, signAndSend } from "./Wallet.ts"

interface Wallet {
  readonly address: string
  readonly keyPair: webcrypto.CryptoKeyPair
}

type Order = Pick<WalletSwap, "amountIn"> & Partial<Pick<WalletSwap, "swapBaseForQuote">>

/** What token accounts hold; 0 where there is none. */
export const held = Effect.fn(function* (addresses: ReadonlyArray<string>) {
  const { accounts } = yield* Effect.flatMap(Pools, ({ readAccounts }) => readAccounts(addresses))
  return accounts.map((account) => (account === undefined ? 0n : new AccountReader(account.data).u64(64)))
})

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
export const tradesAsQuoted = Effect.fn(function* (wallet: Wallet, baseMint: string, more: ReadonlyArray<Order>) {
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
