import { assert } from "@effect/vitest"
import type { DbcConfig } from "@launch-registry/domain/launch/DbcConfig"
import { type Address, lamports } from "@solana/kit"
import { Effect } from "effect"
import { newKeyPair } from "../../src/build/NewKeyPair.ts"
import { LaunchTransactions } from "../../src/launches/LaunchTransactions.ts"
import { Pools } from "../../src/pools/Pools.ts"
import { Swaps } from "../../src/swaps/Swaps.ts"
import { Rpc } from "../../src/rpc/Rpc.ts"
import { signAndSend } from "./Wallet.ts"

/** Launches a token on the real programs, and buys until its curve is complete, after a buy of `firstAmount` if there is one. */
export const completedLaunch = Effect.fn(function* (dbcConfig: DbcConfig, firstAmount?: bigint) {
  const rpc = yield* Rpc
  const [transactions, swaps, pools] = [yield* LaunchTransactions, yield* Swaps, yield* Pools]
  const wallet = yield* Effect.promise(newKeyPair)
  const { address: signer, keyPair } = wallet
  yield* rpc.call((kit) => kit.requestAirdrop(signer as Address, lamports(1_000_000_000_000n)))
  const config = yield* transactions.buildConfig({ signer, launchpad: "launchpad_a", dbcConfig })
  const signatures = [yield* signAndSend(keyPair, config.unsigned.transaction)]
  const label = { name: "Migrates", symbol: "MIG", uri: "https://example.com/m.json" }
  const built = yield* transactions.buildPool({ signer, config: config.configAddress, facts: config, label })
  signatures.push(yield* signAndSend(keyPair, built.unsigned.transaction))

  const { config: account } = yield* pools.getCurve(built.baseMint)
  const buy = { baseMint: built.baseMint, signer, slippageBps: 100, swapBaseForQuote: false }
  if (firstAmount !== undefined) {
    const first = yield* swaps.build({ ...buy, amountIn: firstAmount })
    signatures.push(yield* signAndSend(keyPair, first.unsigned.transaction))
  }
  // An amount above the curve's capacity is refused with that capacity, which completes the curve.
  const tooMuch = yield* Effect.flip(swaps.build({ ...buy, amountIn: account.migrationQuoteThreshold * 2n }))
  const issue = tooMuch._tag === "InvalidRequest" ? tooMuch.issues[0]! : assert.fail(tooMuch._tag)
  const amountIn = BigInt(/^expected at most (\d+): the curve/.exec(issue.message)![1]!)
  const bought = yield* swaps.build({ ...buy, amountIn }, { simulate: true })
  assert.deepStrictEqual(bought.simulation.problems, [])
  assert.deepInclude(bought.quote, { venue: "dbc", pool: built.pool })
  signatures.push(yield* signAndSend(keyPair, bought.unsigned.transaction))
  const { baseMint, pool } = built
  return { wallet, baseMint, pool, creator: signer, config: config.configAddress, signatures }
})
