import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { getTransferSolInstruction } from "@solana-program/system"
import { getCreateAssociatedTokenIdempotentInstruction, getSyncNativeInstruction } from "@solana-program/token"
import {
  type Address,
  appendTransactionMessageInstructions,
  createSignerFromKeyPair,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  type Instruction,
  type KeyPairSigner,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from "@solana/kit"
import { assert } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { AccountReader } from "../../src/accounts/AccountReader.ts"
import { associatedTokenAddress } from "../../src/accounts/DerivedAddresses.ts"
import type { RawTransaction } from "../../src/transactions/RawTransaction.ts"
import { LaunchTransactions } from "../../src/launches/LaunchTransactions.ts"
import { newKeyPair } from "../../src/build/NewKeyPair.ts"
import { PoolDirectory } from "../../src/pools/PoolDirectory.ts"
import { Pools } from "../../src/pools/Pools.ts"
import { poolState } from "../../src/pools/PoolViews.ts"
import { NATIVE_MINT, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from "../../src/accounts/Programs.ts"
import { Swaps } from "../../src/swaps/Swaps.ts"
import type { LedgerOptions } from "../../src/localnet/LedgerOptions.ts"
import { LocalChain } from "../../src/localnet/LocalChain.ts"
import { Rpc } from "../../src/rpc/Rpc.ts"
import { rpcOver } from "./CountedChain.ts"
import { completedLaunch } from "./Graduation.ts"
import { migrate } from "./Migrate.ts"

const PROGRAMS = fileURLToPath(new URL("../../../../programs", import.meta.url))

/** The program files are not in the repository. */
export const hasGraduationPrograms = ["dynamic_bonding_curve.so", "metaplex.so", "cp_amm.so"].every((file) =>
  existsSync(`${PROGRAMS}/${file}`),
)

/** A local chain with the real programs, and the builders over it. */
export const graduationServices = (options: Partial<LedgerOptions> = {}) =>
  Layer.mergeAll(LaunchTransactions.layer(), Swaps.layer).pipe(
    Layer.provideMerge(Layer.provide(Pools.layer, PoolDirectory.layerEmpty)),
    Layer.provideMerge(Layer.unwrap(Effect.map(LocalChain, ({ url }) => rpcOver(url)))),
    Layer.provideMerge(LocalChain.layer({ programsFolder: PROGRAMS, ...options })),
  )

/** A launch whose curve has migrated to DAMM v2, and a wallet with both tokens. */
export interface GraduatedLaunch {
  readonly wallet: KeyPairSigner
  readonly baseMint: Address
  readonly pool: string
  readonly migratedPool: Address
  readonly baseProgram: Address
  /** Signatures from the first purchase to the migration, in order. */
  readonly signatures: ReadonlyArray<string>
}

/** Launches a token, buys its whole curve and migrates it. */
export const graduate = Effect.fn(function* (tokenType: 0 | 1, option: number, more: object = {}) {
  const pools = yield* Pools
  const dbcConfig = { tokenType, migrationFeeOption: option, ...more } as never
  const { baseMint, pool, signatures, wallet } = yield* completedLaunch(dbcConfig, 1_000_000_000n)
  const migrated = yield* migrate(wallet.secretKey, pool, option)
  const { graduatedPool } = poolState(yield* pools.getCurve(baseMint), { mint: undefined })
  const launch: GraduatedLaunch = {
    wallet: yield* Effect.promise(() => createSignerFromKeyPair(wallet.keyPair)),
    baseMint: baseMint as Address,
    pool,
    migratedPool: graduatedPool as Address,
    baseProgram: tokenType === 0 ? TOKEN_PROGRAM : TOKEN_2022_PROGRAM,
    signatures: [...signatures, migrated],
  }
  yield* fund(launch)
  return launch
})

/** Instructions of a transaction of the wallet; lands also where it fails. */
export const send = Effect.fn(function* ({ wallet }: GraduatedLaunch, instructions: ReadonlyArray<Instruction>) {
  const rpc = yield* Rpc
  const latest = yield* rpc.getLatestBlockhash
  const signed = yield* Effect.promise(() =>
    signTransactionMessageWithSigners(
      pipe(
        createTransactionMessage({ version: 0 }),
        (empty) => setTransactionMessageFeePayerSigner(wallet, empty),
        (paid) => setTransactionMessageLifetimeUsingBlockhash(latest as never, paid),
        (live) => appendTransactionMessageInstructions(instructions, live),
      ),
    ),
  )
  const wire = getBase64EncodedWireTransaction(signed)
  return yield* rpc.call((kit) => kit.sendTransaction(wire, { encoding: "base64", skipPreflight: true }))
})

/** The transaction as nodes answer it. */
export const landed = Effect.fn(function* (signature: string) {
  const { url } = yield* LocalChain
  const params = [signature, { encoding: "json", maxSupportedTransactionVersion: 0, commitment: "confirmed" }]
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "getTransaction", params })
  const answer = yield* Effect.promise(async () =>
    (await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body })).json(),
  )
  return (answer as { readonly result: RawTransaction }).result
})

/** What the wallet and the pool hold: the price as the account of the pool has it. */
export const holdings = Effect.fn(function* (launch: GraduatedLaunch) {
  const pools = yield* Pools
  const owned = yield* Effect.promise(() => accountsOf(launch))
  const { accounts } = yield* pools.readAccounts([...owned, launch.migratedPool])
  const [base, quote, pool] = accounts.map((account) => new AccountReader(account!.data))
  return {
    base: base!.u64(TOKEN_AMOUNT),
    quote: quote!.u64(TOKEN_AMOUNT),
    tokenA: pool!.address(POOL_TOKEN_A),
    sqrtPrice: pool!.u128(POOL_SQRT_PRICE),
  }
})

/** Offsets in a token account, and in a pool of cp-amm (`state/pool.rs`). */
const TOKEN_AMOUNT = 64
const POOL_TOKEN_A = 168
const POOL_SQRT_PRICE = 456

/** Token accounts of the wallet, with SOL wrapped beforehand. */
export const accountsOf = ({ baseMint, baseProgram, wallet }: GraduatedLaunch) =>
  Promise.all([
    associatedTokenAddress(wallet.address, baseMint, baseProgram),
    associatedTokenAddress(wallet.address, NATIVE_MINT, TOKEN_PROGRAM),
  ])

/** Wraps SOL of the wallet. */
export const fund = Effect.fn(function* (launch: GraduatedLaunch) {
  const { wallet } = launch
  const [, ata] = yield* Effect.promise(() => accountsOf(launch))
  const owner = wallet.address
  yield* send(launch, [
    getCreateAssociatedTokenIdempotentInstruction({ payer: wallet, ata, owner, mint: NATIVE_MINT }),
    getTransferSolInstruction({ source: wallet, destination: ata, amount: 100_000_000_000n }),
    getSyncNativeInstruction({ account: ata }),
  ])
})

/** An account of somebody else for the quote token. */
export const createQuoteAccount = Effect.fn(function* (launch: GraduatedLaunch) {
  const { address } = yield* Effect.promise(newKeyPair)
  const owner = address as Address
  const ata = yield* Effect.promise(() => associatedTokenAddress(owner, NATIVE_MINT, TOKEN_PROGRAM))
  yield* send(launch, [
    getCreateAssociatedTokenIdempotentInstruction({ payer: launch.wallet, ata, owner, mint: NATIVE_MINT }),
  ])
  return ata
})

const SWAP2 = "414b3f4ceb5b5b88"

/** A swap on the migrated pool: `swap` without a mode, else `swap2` of DAMM v2, which has the same accounts (IDL of cp-amm). */
export const migratedSwap = Effect.fn(function* (
  launch: GraduatedLaunch,
  order: {
    readonly buys: boolean
    readonly amounts: readonly [bigint, bigint]
    readonly mode?: 0 | 1 | 2
    /** Receives a part of the fee in the quote token. */
    readonly referral?: Address
  },
) {
  const { baseMint, migratedPool, wallet } = launch
  const [base, quote] = yield* Effect.promise(() => accountsOf(launch))
  const { venue } = yield* Effect.flatMap(Pools, ({ getCurve }) => getCurve(baseMint))
  assert.strictEqual(venue.address, migratedPool as string)
  const swap = venue.instruction({
    ...{ swapBaseForQuote: !order.buys, payer: wallet.address, referralTokenAccount: order.referral },
    ...{ inputTokenAccount: order.buys ? quote : base, outputTokenAccount: order.buys ? base : quote },
    ...{ amountIn: order.amounts[0], minimumAmountOut: order.amounts[1] },
  })
  const signed = swap.accounts!.map((account) =>
    account.address === wallet.address ? { ...account, signer: wallet } : account,
  )
  const data =
    order.mode === undefined
      ? swap.data!
      : Buffer.concat([Buffer.from(SWAP2, "hex"), swap.data!.slice(8), Buffer.of(order.mode)])
  return { ...swap, accounts: signed, data: Uint8Array.from(data) } as Instruction
})
