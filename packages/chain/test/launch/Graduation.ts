import { createRequire } from "node:module"
import { assert } from "@effect/vitest"
import type { DbcConfig } from "@launch-registry/domain/launch/DbcConfig"
import { type Address, type Base64EncodedWireTransaction, lamports } from "@solana/kit"
import { Effect } from "effect"
import { newKeyPair } from "../../src/launch/NewKeyPair.ts"
import { LaunchTransactions } from "../../src/launch/LaunchTransactions.ts"
import { Pools } from "../../src/launch/Pools.ts"
import { DAMM_V2_CONFIGS } from "../../src/launch/Programs.ts"
import { Swaps } from "../../src/launch/Swaps.ts"
import { LocalChain } from "../../src/localnet/LocalChain.ts"
import { Rpc } from "../../src/rpc/Rpc.ts"
import { signAndSend } from "./Wallet.ts"

const sdk = await import("@meteora-ag/dynamic-bonding-curve-sdk")
const web3 = createRequire(createRequire(import.meta.url).resolve("@meteora-ag/dynamic-bonding-curve-sdk"))(
  "@solana/web3.js",
)

/** Migrates the pool as a keeper does, with the SDK's own transaction. */
export const migrate = Effect.fn(function* (payerSecret: Uint8Array, pool: string, option: number) {
  const { url } = yield* LocalChain
  const rpc = yield* Rpc
  const wire = yield* Effect.promise(async () => {
    const connection = new web3.Connection(url, "confirmed")
    const client = new sdk.DynamicBondingCurveClient(connection, "confirmed")
    const payer = web3.Keypair.fromSecretKey(payerSecret)
    const { firstPositionNftKeypair, secondPositionNftKeypair, transaction } = await client.migration.migrateToDammV2({
      pool: new web3.PublicKey(pool),
      dammConfig: new web3.PublicKey(DAMM_V2_CONFIGS[option]),
      payer: payer.publicKey,
    } as never)
    transaction.feePayer = payer.publicKey
    transaction.recentBlockhash = (await connection.getLatestBlockhash()).blockhash
    transaction.sign(payer, firstPositionNftKeypair as never, secondPositionNftKeypair as never)
    return transaction.serialize().toString("base64")
  })
  yield* rpc.call((kit) => kit.sendTransaction(wire as Base64EncodedWireTransaction, { encoding: "base64" }))
})

/** Launches a token on the real programs, and buys until its curve is complete. */
export const completedLaunch = Effect.fn(function* (dbcConfig: DbcConfig) {
  const rpc = yield* Rpc
  const [transactions, swaps, pools] = [yield* LaunchTransactions, yield* Swaps, yield* Pools]
  const wallet = yield* Effect.promise(newKeyPair)
  const { address: signer, keyPair } = wallet
  yield* rpc.call((kit) => kit.requestAirdrop(signer as Address, lamports(1_000_000_000_000n)))
  const config = yield* transactions.buildConfig({ signer, launchpad: "launchpad_a", dbcConfig })
  yield* signAndSend(keyPair, config.unsigned.transaction)
  const label = { name: "Migrates", symbol: "MIG", uri: "https://example.com/m.json" }
  const built = yield* transactions.buildPool({ signer, config: config.configAddress, facts: config, label })
  yield* signAndSend(keyPair, built.unsigned.transaction)

  const { config: account } = yield* pools.getCurve(built.baseMint)
  const buy = { baseMint: built.baseMint, signer, slippageBps: 100, swapBaseForQuote: false }
  // An amount above the curve's capacity is refused with that capacity, which completes the curve.
  const tooMuch = yield* Effect.flip(swaps.build({ ...buy, amountIn: account.migrationQuoteThreshold * 2n }))
  const issue = tooMuch._tag === "InvalidSwap" ? tooMuch.issues[0]! : assert.fail(tooMuch._tag)
  const amountIn = BigInt(/^expected at most (\d+): the curve/.exec(issue.message)![1]!)
  const bought = yield* swaps.build({ ...buy, amountIn }, { simulate: true })
  assert.deepStrictEqual(bought.simulation.problems, [])
  assert.deepInclude(bought.quote, { venue: "dbc", pool: built.pool })
  yield* signAndSend(keyPair, bought.unsigned.transaction)
  return { wallet, baseMint: built.baseMint, pool: built.pool, creator: signer, config: config.configAddress }
})
