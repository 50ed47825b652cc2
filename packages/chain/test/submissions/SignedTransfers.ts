import { getAdvanceNonceAccountInstruction, getTransferSolInstruction } from "@solana-program/system"
import {
  type Address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  type Instruction,
  type KeyPairSigner,
  lamports,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
  type TransactionVersion,
} from "@solana/kit"
import { encodeBase58 } from "@launch-registry/domain/solana/Base58"
import { Effect } from "effect"
import { Rpc } from "../../src/rpc/Rpc.ts"
import { emptyMessage } from "../localnet/Transfer.ts"

/** A transaction as its wallet sends it. */
export interface Signed {
  readonly transaction: string
  readonly signature: string
  readonly lastValidBlockHeight: string
}

export const RECEIVER = "37g9o1WbsndZUP9ytYBQ29C2KdoP25nzG5UY6KgwN21e" as Address

/** A recent blockhash. */
export interface Lifetime {
  readonly blockhash: string
  readonly lastValidBlockHeight: bigint
}

let differences = 0n

const messageOf = (
  payer: KeyPairSigner,
  instructions: ReadonlyArray<Instruction>,
  lifetime: Lifetime,
  version: TransactionVersion = 0,
) =>
  pipe(
    emptyMessage(version),
    (empty) => setTransactionMessageFeePayerSigner(payer, empty),
    (paid) =>
      setTransactionMessageLifetimeUsingBlockhash({ ...lifetime, blockhash: lifetime.blockhash as Blockhash }, paid),
    (live) => appendTransactionMessageInstructions([...instructions], live),
  )

/** Signs these instructions. */
export const signedOf = async (
  payer: KeyPairSigner,
  instructions: ReadonlyArray<Instruction>,
  lifetime: Lifetime,
  version?: TransactionVersion,
): Promise<Signed> => {
  const signed = await signTransactionMessageWithSigners(messageOf(payer, instructions, lifetime, version))
  return {
    transaction: getBase64EncodedWireTransaction(signed),
    signature: encodeBase58(signed.signatures[payer.address]!),
    lastValidBlockHeight: String(lifetime.lastValidBlockHeight),
  }
}

/** The same without a signature. */
export const unsignedOf = (
  payer: KeyPairSigner,
  instructions: ReadonlyArray<Instruction>,
  lifetime: Lifetime,
): string => getBase64EncodedWireTransaction(compileTransaction(messageOf(payer, instructions, lifetime)))

export const transfer = (source: KeyPairSigner, amount: bigint): Instruction =>
  getTransferSolInstruction({ source, destination: RECEIVER, amount })

/** What the first instruction of a transaction with a durable nonce is. */
export const advanceNonce = (nonceAuthority: KeyPairSigner): Instruction =>
  getAdvanceNonceAccountInstruction({ nonceAccount: RECEIVER, nonceAuthority })

/** A signed transfer, unlike all others. */
export const transferOf = (
  payer: KeyPairSigner,
  lifetime: Lifetime,
  amount = 1_000_000n,
  version?: TransactionVersion,
) => Effect.promise(() => signedOf(payer, [transfer(payer, amount + ++differences)], lifetime, version))

/** A wallet with 100 SOL on the local chain. */
export const fundedWallet = Effect.gen(function* () {
  const rpc = yield* Rpc
  const wallet = yield* Effect.promise(() => generateKeyPairSigner())
  yield* rpc.call((kit) => kit.requestAirdrop(wallet.address, lamports(100_000_000_000n)))
  return wallet
})
