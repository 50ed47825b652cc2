import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { type Address, type Base64EncodedWireTransaction, lamports } from "@solana/kit"
import { Effect, Layer } from "effect"
import { newKeyPair } from "../../src/launch/NewKeyPair.ts"
import { LaunchTransactions } from "../../src/launch/LaunchTransactions.ts"
import { PoolDirectory } from "../../src/launch/PoolDirectory.ts"
import { Pools } from "../../src/launch/Pools.ts"
import { poolState } from "../../src/launch/PoolViews.ts"
import { DAMM_V2_CONFIGS, DAMM_V2_PROGRAM } from "../../src/launch/Programs.ts"
import { Swaps } from "../../src/launch/Swaps.ts"
import { LocalChain } from "../../src/localnet/LocalChain.ts"
import { Rpc } from "../../src/rpc/Rpc.ts"
import { rpcOver } from "./CountedChain.ts"
import { signAndSend } from "./Wallet.ts"

const PROGRAMS = fileURLToPath(new URL("../../../../programs", import.meta.url))
const hasPrograms = ["dynamic_bonding_curve.so", "metaplex.so", "cp_amm.so"].every((file) =>
  existsSync(`${PROGRAMS}/${file}`),
)

const services = Layer.mergeAll(LaunchTransactions.layer(), Swaps.layer).pipe(
  Layer.provideMerge(Layer.provide(Pools.layer, PoolDirectory.layerEmpty)),
  Layer.provideMerge(Layer.unwrap(Effect.map(LocalChain, ({ url }) => rpcOver(url)))),
  Layer.provideMerge(LocalChain.layer({ programsFolder: PROGRAMS })),
)

const sdk = await import("@meteora-ag/dynamic-bonding-curve-sdk")
const web3 = createRequire(createRequire(import.meta.url).resolve("@meteora-ag/dynamic-bonding-curve-sdk"))(
  "@solana/web3.js",
)

/** Migrates the pool as a keeper does, with the SDK's own transaction. */
const migrate = Effect.fn(function* (payerSecret: Uint8Array, pool: string, option: number) {
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

const journey = (tokenType: 0 | 1, option: number, more: object = {}) =>
  Effect.gen(function* () {
    const rpc = yield* Rpc
    const [transactions, swaps, pools] = [yield* LaunchTransactions, yield* Swaps, yield* Pools]
    const { address: signer, keyPair: wallet, secretKey } = yield* Effect.promise(newKeyPair)
    yield* rpc.call((kit) => kit.requestAirdrop(signer as Address, lamports(1_000_000_000_000n)))
    const dbcConfig = { tokenType, migrationFeeOption: option, ...more } as never
    const config = yield* transactions.buildConfig({ signer, launchpad: "launchpad_a", dbcConfig })
    yield* signAndSend(wallet, config.unsigned.transaction)
    const label = { name: "Migrates", symbol: "MIG", uri: "https://example.com/m.json" }
    const facts = config
    const built = yield* transactions.buildPool({ signer, config: config.configAddress, facts, label })
    yield* signAndSend(wallet, built.unsigned.transaction)

    const { config: account } = yield* pools.getCurve(built.baseMint)
    const buy = { baseMint: built.baseMint, signer, slippageBps: 100, swapBaseForQuote: false }
    // An amount above the curve's capacity is refused with that capacity, which completes the curve.
    const tooMuch = yield* Effect.flip(swaps.build({ ...buy, amountIn: account.migrationQuoteThreshold * 2n }))
    const issue = tooMuch._tag === "InvalidSwap" ? tooMuch.issues[0]! : assert.fail(tooMuch._tag)
    const amountIn = BigInt(/^expected at most (\d+): the curve/.exec(issue.message)![1]!)
    const bought = yield* swaps.build({ ...buy, amountIn }, { simulate: true })
    assert.deepStrictEqual(bought.simulation.problems, [])
    yield* signAndSend(wallet, bought.unsigned.transaction)

    const refused = yield* Effect.flip(swaps.build({ ...buy, amountIn: 1_000_000n }))
    assert.strictEqual(refused._tag, "CurveCompleted")
    if (refused._tag === "CurveCompleted") assert.deepInclude(refused, { isMigrated: false, graduatedPool: null })

    yield* migrate(secretKey, built.pool, option)
    const migrated = yield* pools.getCurve(built.baseMint)
    const state = yield* Effect.promise(() => poolState(migrated))
    assert.deepInclude(state, { isComplete: true, isMigrated: true, quoteProgress: 1 })
    const [graduated] = (yield* pools.readAccounts([state.graduatedPool!])).accounts
    assert.strictEqual(graduated?.owner, DAMM_V2_PROGRAM)
    const after = yield* Effect.flip(swaps.build({ ...buy, amountIn: 1_000_000n }))
    if (after._tag === "CurveCompleted") assert.strictEqual(after.graduatedPool, state.graduatedPool)
  }).pipe(Effect.provide(services))

describe(`From launch to migration on the real programs${hasPrograms ? "" : " (skipped: no program files in programs/)"}`, () => {
  it.live.skipIf(!hasPrograms)("an SPL token completes its curve and continues as a DAMM v2 pool", () => journey(0, 2))
  it.live.skipIf(!hasPrograms)("a Token-2022 token does, with another fee", () => journey(1, 0))
  it.live.skipIf(!hasPrograms)("a pool with customizable fees does", () =>
    journey(0, 6, { migratedPoolFee: { collectFeeMode: 0, dynamicFee: 0, poolFeeBps: 120 } }),
  )
})
