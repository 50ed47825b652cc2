import type { webcrypto } from "node:crypto"
import { assert } from "@effect/vitest"
import { getTransferSolInstruction } from "@solana-program/system"
import {
  type Address,
  appendTransactionMessageInstruction,
  createSignerFromKeyPair,
  createTransactionMessage,
  type Base64EncodedWireTransaction,
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  getTransactionDecoder,
  type Instruction,
  type KeyPairSigner,
  lamports,
  partiallySignTransaction,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  type Signature,
  signTransactionMessageWithSigners,
} from "@solana/kit"
import { Effect } from "effect"
import { AccountReader } from "../../src/accounts/AccountReader.ts"
import { associatedTokenAddress } from "../../src/accounts/DerivedAddresses.ts"
import { newKeyPair } from "../../src/build/NewKeyPair.ts"
import { Pools } from "../../src/pools/Pools.ts"
import { Rpc } from "../../src/rpc/Rpc.ts"

/** A new wallet with so many lamports. */
export const walletWith = Effect.fnUntraced(function* (amount: bigint) {
  const wallet = yield* Effect.promise(newKeyPair)
  const { call } = yield* Rpc
  if (amount > 0n) yield* call((kit) => kit.requestAirdrop(wallet.address as Address, lamports(amount)))
  return wallet
})

export const balanceOf = Effect.fnUntraced(function* (address: string) {
  const { call } = yield* Rpc
  return BigInt((yield* call((kit) => kit.getBalance(address as Address))).value)
})

/** What token accounts hold; 0 where there is none. */
export const held = Effect.fnUntraced(function* (addresses: ReadonlyArray<string>) {
  const { accounts } = yield* Effect.flatMap(Pools, ({ readAccounts }) => readAccounts(addresses))
  return accounts.map((account) => (account === undefined ? 0n : new AccountReader(account.data).u64(64)))
})

/** Tokens of a mint that a wallet has, in smallest units. */
export const heldOf = Effect.fnUntraced(function* (owner: string, mint: string, program: string) {
  const [amount] = yield* held([yield* Effect.promise(() => associatedTokenAddress(owner, mint, program))])
  return amount!
})

/** Signs as the wallet would (or several keys), sends, and asserts that it landed; returns the signature. */
export const signAndSend = Effect.fn(function* (
  wallet: webcrypto.CryptoKeyPair | ReadonlyArray<webcrypto.CryptoKeyPair>,
  transaction: string,
) {
  const rpc = yield* Rpc
  const decoded = getTransactionDecoder().decode(getBase64Encoder().encode(transaction))
  const signed = yield* Effect.promise(() => partiallySignTransaction([wallet].flat(), decoded))
  const wire = getBase64EncodedWireTransaction(signed) as Base64EncodedWireTransaction
  const signature = yield* rpc.call((kit) => kit.sendTransaction(wire, { encoding: "base64" }))
  const { value } = yield* rpc.call((kit) => kit.getSignatureStatuses([signature as Signature]))
  assert.isNull(value[0]?.err)
  return signature as string
})

/** Sends an instruction that only the wallet signs. */
export const sendInstruction = async (
  rpc: Rpc["Service"],
  wallet: { readonly keyPair: webcrypto.CryptoKeyPair },
  instructionOf: (source: KeyPairSigner) => Instruction,
): Promise<string> => {
  const source = await createSignerFromKeyPair(wallet.keyPair)
  const latest = await Effect.runPromise(rpc.getLatestBlockhash)
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (empty) => setTransactionMessageFeePayerSigner(source, empty),
    (paid) => setTransactionMessageLifetimeUsingBlockhash(latest as never, paid),
    (live) => appendTransactionMessageInstruction(instructionOf(source), live),
  )
  const signed = await signTransactionMessageWithSigners(message)
  const wire = getBase64EncodedWireTransaction(signed)
  return Effect.runPromise(rpc.call((kit) => kit.sendTransaction(wire, { encoding: "base64" })))
}

/** Sends lamports away, so that a wallet is left with an exact balance. */
export const transferOut = async (
  rpc: Rpc["Service"],
  wallet: { readonly keyPair: webcrypto.CryptoKeyPair },
  amount: bigint,
): Promise<void> => {
  const destination = "37g9o1WbsndZUP9ytYBQ29C2KdoP25nzG5UY6KgwN21e" as Address
  await sendInstruction(rpc, wallet, (source) => getTransferSolInstruction({ source, destination, amount }))
}
