import { type Address, createSignerFromKeyPair, lamports } from "@solana/kit"
import { Effect, Layer } from "effect"
import launches from "../../fixtures/launches.json" with { type: "json" }
import { dammV1Addresses } from "../../src/dammV1/DammV1Addresses.ts"
import { dammV1Reserves, sqrtPriceOf } from "../../src/dammV1/DammV1Math.ts"
import { dammV1AccountAddresses, readDammV1 } from "../../src/dammV1/DammV1Reads.ts"
import { AccountReader } from "../../src/accounts/AccountReader.ts"
import { LaunchTransactions } from "../../src/launches/LaunchTransactions.ts"
import { newKeyPair } from "../../src/build/NewKeyPair.ts"
import { PoolDirectory } from "../../src/pools/PoolDirectory.ts"
import { Pools } from "../../src/pools/Pools.ts"
import { NATIVE_MINT, SYSVAR_CLOCK, TOKEN_PROGRAM } from "../../src/accounts/Programs.ts"
import { Swaps } from "../../src/swaps/Swaps.ts"
import { LocalChain } from "../../src/localnet/LocalChain.ts"
import { Rpc } from "../../src/rpc/Rpc.ts"
import { rpcOver } from "./CountedChain.ts"
import { dammV1Chain, migrateToDammV1, type SolVault } from "./DammV1Launch.ts"
import { accountsOf, fund, type GraduatedLaunch } from "./GraduatedLaunch.ts"
import { signAndSend } from "./Wallet.ts"

/** A local chain whose captured configuration migrates to DAMM v1 by this fee option, and the builders over it. */
export const dammV1Services = (option: number, vault?: SolVault) =>
  Layer.mergeAll(LaunchTransactions.layer(), Swaps.layer).pipe(
    Layer.provideMerge(Layer.provide(Pools.layer, PoolDirectory.layerEmpty)),
    Layer.provideMerge(Layer.unwrap(Effect.map(LocalChain, ({ url }) => rpcOver(url)))),
    Layer.provideMerge(dammV1Chain(option, vault)),
  )

/** Launches a token with the captured configuration, buys its whole curve and migrates it to DAMM v1. */
export const graduateToDammV1 = Effect.fn(function* (option: number) {
  const rpc = yield* Rpc
  const [transactions, swaps, pools] = [yield* LaunchTransactions, yield* Swaps, yield* Pools]
  const { address: signer, keyPair, secretKey } = yield* Effect.promise(newKeyPair)
  yield* rpc.call((kit) => kit.requestAirdrop(signer as Address, lamports(1_000_000_000_000n)))
  const config = launches[0]!.config.address
  const account = yield* pools.getConfig(config)
  const label = { name: "Graduates", symbol: "GRAD", uri: "https://example.com/g.json" }
  const built = yield* transactions.buildPool({ signer, config, facts: account, label })
  const signatures = [yield* signAndSend(keyPair, built.unsigned.transaction)]
  const buy = { baseMint: built.baseMint, signer, slippageBps: 100, swapBaseForQuote: false }
  const bought = yield* swaps.build({ ...buy, amountIn: 1_000_000_000n })
  signatures.push(yield* signAndSend(keyPair, bought.unsigned.transaction))
  // An amount above the curve's capacity is refused with that capacity, which completes the curve.
  const tooMuch = yield* Effect.flip(swaps.build({ ...buy, amountIn: account.migrationQuoteThreshold * 2n }))
  const message = tooMuch._tag === "InvalidRequest" ? tooMuch.issues[0]!.message : tooMuch._tag
  const amountIn = BigInt(/^expected at most (\d+): the curve/.exec(message)![1]!)
  signatures.push(yield* signAndSend(keyPair, (yield* swaps.build({ ...buy, amountIn })).unsigned.transaction))
  signatures.push(yield* migrateToDammV1(secretKey, built.pool, option))
  const { destination } = yield* pools.getFacts(built.baseMint)
  const launch: GraduatedLaunch = {
    wallet: yield* Effect.promise(() => createSignerFromKeyPair(keyPair)),
    baseMint: built.baseMint as Address,
    pool: built.pool,
    migratedPool: destination!.pool as string as Address,
    baseProgram: TOKEN_PROGRAM,
    signatures,
  }
  yield* fund(launch)
  return { ...launch, secretKey, keyPair }
})

/** The pool as its accounts are now. */
export const dammV1StateOf = Effect.fn(function* ({ baseMint, migratedPool }: GraduatedLaunch) {
  const pools = yield* Pools
  const addresses = yield* Effect.promise(() => dammV1Addresses(migratedPool, baseMint, NATIVE_MINT))
  const { accounts } = yield* pools.readAccounts([SYSVAR_CLOCK, ...dammV1AccountAddresses(addresses)])
  const time = new AccountReader(accounts[0]!.data).u64(32)
  const mints = { base: baseMint, quote: NATIVE_MINT }
  const state = readDammV1(addresses, accounts.slice(1), mints, time)
  if (state === undefined) throw new Error("no DAMM v1 pool")
  return state
})

/** What the wallet and the pool hold: the price as the accounts of the pool have it. */
export const dammV1Holdings = Effect.fn(function* (launch: GraduatedLaunch) {
  const pools = yield* Pools
  const owned = yield* Effect.promise(() => accountsOf(launch))
  const { accounts } = yield* pools.readAccounts(owned)
  const [base, quote] = accounts.map((account) => new AccountReader(account!.data).u64(64))
  const state = yield* dammV1StateOf(launch)
  const sqrtPrice = sqrtPriceOf(dammV1Reserves(state)!)
  return { base: base!, quote: quote!, sqrtPrice, tokenA: state.pool.tokenAMint }
})
