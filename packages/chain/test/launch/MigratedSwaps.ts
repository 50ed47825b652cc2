import {
  type Address,
  appendTransactionMessageInstructions,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  type Instruction,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from "@solana/kit"
import { getTransferSolInstruction } from "@solana-program/system"
import { getCreateAssociatedTokenIdempotentInstruction, getSyncNativeInstruction } from "@solana-program/token"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { associatedTokenAddress } from "../../src/accounts/DerivedAddresses.ts"
import { NATIVE_MINT, TOKEN_PROGRAM } from "../../src/accounts/Programs.ts"
import { newKeyPair } from "../../src/build/NewKeyPair.ts"
import { LocalChain } from "../../src/localnet/LocalChain.ts"
import { Pools } from "../../src/pools/Pools.ts"
import { Rpc } from "../../src/rpc/Rpc.ts"
import type { RawTransaction } from "../../src/transactions/RawTransaction.ts"
import type { GraduatedLaunch } from "./GraduatedLaunch.ts"
import { held } from "./Wallet.ts"

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

/** What the wallet holds, and the price as the accounts of the pool have it; a pool that is read has the base token as token A. */
export const holdings = Effect.fn(function* (launch: GraduatedLaunch) {
  const [base, quote] = yield* held(yield* Effect.promise(() => accountsOf(launch)))
  const { base: tokenA, venue } = yield* Effect.flatMap(Pools, ({ getCurve }) => getCurve(launch.baseMint))
  assert.strictEqual(venue.address, launch.migratedPool as string)
  return { base: base!, quote: quote!, tokenA: tokenA.mint, sqrtPrice: venue.sqrtPrice }
})

/** Token accounts of the wallet, with SOL wrapped beforehand. */
const accountsOf = ({ baseMint, baseProgram, wallet }: GraduatedLaunch) =>
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
