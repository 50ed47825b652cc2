import { createRequire } from "node:module"
import { assert } from "@effect/vitest"
import type { DbcConfig } from "@launch-registry/domain/pools/DbcConfig"
import {
  type Address,
  type Base64EncodedWireTransaction,
  createSignerFromKeyPair,
  type KeyPairSigner,
} from "@solana/kit"
import { Effect } from "effect"
import { migrationOf } from "../../../../demo/MigratePool.ts"
import { DAMM_V1_CONFIGS } from "../../src/accounts/Programs.ts"
import { LaunchTransactions } from "../../src/launches/LaunchTransactions.ts"
import { LocalChain } from "../../src/localnet/LocalChain.ts"
import { Pools } from "../../src/pools/Pools.ts"
import { Rpc } from "../../src/rpc/Rpc.ts"
import { Swaps } from "../../src/swaps/Swaps.ts"
import { CAPTURED_CONFIG } from "./DammV1Launch.ts"
import { fund } from "./MigratedSwaps.ts"
import { signAndSend, walletWith } from "./Wallet.ts"

const LABEL = { name: "Graduates", symbol: "GRAD", uri: "https://example.com/g.json" }

type Wallet = Effect.Success<ReturnType<typeof walletWith>>

/** Launches a token on the real programs, with a configuration of its own or one that exists. */
export const launched = Effect.fn(function* (wallet: Wallet, dbcConfig: DbcConfig | string) {
  const [transactions, pools] = [yield* LaunchTransactions, yield* Pools]
  const { address: signer, keyPair } = wallet
  const signatures: Array<string> = []
  let config = typeof dbcConfig === "string" ? dbcConfig : undefined
  if (typeof dbcConfig !== "string") {
    const built = yield* transactions.buildConfig({ signer, launchpad: "launchpad_a", dbcConfig })
    signatures.push(yield* signAndSend(keyPair, built.unsigned.transaction))
    config = built.configAddress
  }
  const facts = yield* pools.getConfig(config!)
  const { baseMint, pool, unsigned } = yield* transactions.buildPool({ signer, config: config!, facts, label: LABEL })
  signatures.push(yield* signAndSend(keyPair, unsigned.transaction))
  return { wallet, baseMint, pool, config: config!, signatures }
})

/** The amount that completes a curve: the refusal of a larger one names it. */
export const completingAmount = Effect.fn(function* (baseMint: string) {
  const [swaps, pools] = [yield* Swaps, yield* Pools]
  const { config } = yield* pools.getCurve(baseMint)
  const tooMuch = { baseMint, amountIn: config.migrationQuoteThreshold * 3n, slippageBps: 100, swapBaseForQuote: false }
  const refused = yield* Effect.flip(swaps.quote(tooMuch))
  const issue = refused._tag === "InvalidRequest" ? refused.issues[0]! : assert.fail(refused._tag)
  assert.match(issue.message, /^expected at most .+ \(\d+\): the curve/)
  return BigInt(issue.maximum!)
})

/** Launches a token, and buys until its curve is complete, after a buy of `firstAmount` if there is one. */
export const completedLaunch = Effect.fn(function* (dbcConfig: DbcConfig | string, firstAmount?: bigint) {
  const swaps = yield* Swaps
  const launch = yield* launched(yield* walletWith(1_000_000_000_000n), dbcConfig)
  const { baseMint, pool, signatures, wallet } = launch
  const buys = Effect.fn(function* (amountIn: bigint) {
    const buy = { baseMint, signer: wallet.address, slippageBps: 100, swapBaseForQuote: false, amountIn }
    const bought = yield* swaps.build(buy, { simulate: true })
    assert.deepStrictEqual(bought.simulation.problems, [])
    assert.deepInclude(bought.quote, { venue: "dbc", pool: pool as never })
    return yield* signAndSend(wallet.keyPair, bought.unsigned.transaction)
  })
  if (firstAmount !== undefined) signatures.push(yield* buys(firstAmount))
  signatures.push(yield* buys(yield* completingAmount(baseMint)))
  return launch
})

/** Migrates the pool to DAMM v2 as a keeper does, with the SDK's own transaction; returns its signature. */
export const migrate = Effect.fn(function* (secretKey: Uint8Array, pool: string, option: number) {
  const { url } = yield* LocalChain
  const wire = yield* Effect.promise(() => migrationOf(url, { secretKey, pool, option }))
  return yield* sendWire(wire)
})

/** The SDK on a chain, for a keeper. */
const keeperSdk = async (url: string, secretKey: Uint8Array) => {
  const sdk = await import("@meteora-ag/dynamic-bonding-curve-sdk")
  const sdkFile = createRequire(import.meta.url).resolve("@meteora-ag/dynamic-bonding-curve-sdk")
  const web3 = createRequire(sdkFile)("@solana/web3.js")
  const connection = new web3.Connection(url, "confirmed")
  const { migration } = new sdk.DynamicBondingCurveClient(connection, "confirmed")
  return { web3, connection, migration, keeper: web3.Keypair.fromSecretKey(secretKey) }
}
type KeeperSdk = Awaited<ReturnType<typeof keeperSdk>>

/** Sends transactions that only the keeper signs; returns the signature of the last one. */
const sendAsKeeper = Effect.fnUntraced(function* (
  secretKey: Uint8Array,
  build: (sdk: KeeperSdk) => Promise<ReadonlyArray<Awaited<ReturnType<KeeperSdk["migration"]["createLocker"]>>>>,
) {
  const { url } = yield* LocalChain
  const wires = yield* Effect.promise(async () => {
    const sdk = await keeperSdk(url, secretKey)
    const transactions = await build(sdk)
    const { blockhash } = await sdk.connection.getLatestBlockhash()
    return transactions.map((transaction) => {
      transaction.feePayer = sdk.keeper.publicKey
      transaction.recentBlockhash = blockhash
      transaction.sign(sdk.keeper)
      return transaction.serialize().toString("base64")
    })
  })
  return (yield* Effect.forEach(wires, sendWire)).at(-1)!
})

/** Locks the vesting of a completed curve, which its migration waits for. */
export const lockVesting = (secretKey: Uint8Array, pool: string) =>
  sendAsKeeper(secretKey, async ({ keeper, migration, web3 }) => [
    await migration.createLocker({ payer: keeper.publicKey, pool: new web3.PublicKey(pool) }),
  ])

/** Migrates the pool to DAMM v1; returns the signature of the second transaction. */
const migrateToDammV1 = (payerSecret: Uint8Array, pool: string, option: number) =>
  sendAsKeeper(payerSecret, async ({ connection, keeper, migration, web3 }) => {
    const [curve, dammConfig] = [new web3.PublicKey(pool), new web3.PublicKey(DAMM_V1_CONFIGS[option])]
    const config = new web3.PublicKey((await connection.getAccountInfo(curve)).data.subarray(72, 104))
    const payer = keeper.publicKey
    return [
      await migration.createDammV1MigrationMetadata({ payer, virtualPool: curve, config } as never),
      await migration.migrateToDammV1({ payer, pool: curve, dammConfig } as never),
    ]
  })

const sendWire = (wire: string) =>
  Effect.flatMap(Rpc, ({ call }) =>
    call((kit) => kit.sendTransaction(wire as Base64EncodedWireTransaction, { encoding: "base64" })),
  )

/** A launch whose curve has migrated, and a wallet with both tokens. */
export interface GraduatedLaunch {
  readonly wallet: KeyPairSigner
  readonly keyPair: Wallet["keyPair"]
  readonly baseMint: Address
  readonly pool: string
  readonly migratedPool: Address
  readonly baseProgram: Address
  /** Signatures from the first purchase to the migration, in order. */
  readonly signatures: ReadonlyArray<string>
}

const graduated = Effect.fn(function* (
  { baseMint, pool, signatures, wallet }: Effect.Success<ReturnType<typeof completedLaunch>>,
  migration: string,
) {
  const { base, destination } = yield* Effect.flatMap(Pools, ({ getFacts }) => getFacts(baseMint))
  const launch: GraduatedLaunch = {
    wallet: yield* Effect.promise(() => createSignerFromKeyPair(wallet.keyPair)),
    ...{ keyPair: wallet.keyPair, baseMint: baseMint as Address, pool },
    migratedPool: destination!.pool as string as Address,
    baseProgram: base.program as Address,
    signatures: [...signatures, migration],
  }
  yield* fund(launch)
  return launch
})

/** Launches a token, buys its whole curve and migrates it to DAMM v2. */
export const graduate = Effect.fn(function* (tokenType: 0 | 1, option: number, more: object = {}) {
  const completed = yield* completedLaunch({ tokenType, migrationFeeOption: option, ...more } as never, 1_000_000_000n)
  return yield* graduated(completed, yield* migrate(completed.wallet.secretKey, completed.pool, option))
})

/** The same to DAMM v1, with the captured configuration: the program takes no new ones. */
export const graduateToDammV1 = Effect.fn(function* (option: number) {
  const completed = yield* completedLaunch(CAPTURED_CONFIG, 1_000_000_000n)
  return yield* graduated(completed, yield* migrateToDammV1(completed.wallet.secretKey, completed.pool, option))
})
