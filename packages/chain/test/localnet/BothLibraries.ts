import { createSolanaRpc } from "@solana/kit"
import {
  Connection,
  Keypair,
  PublicKey,
  SystemProgram,
  TransactionMessage,
  VersionedTransaction,
} from "@solana/web3.js"
import { Effect } from "effect"
import { MEMO_PROGRAM } from "../../src/accounts/Programs.ts"
import { LocalChain } from "../../src/localnet/LocalChain.ts"

export const SOL = 1_000_000_000
const memoOf = (text: string) => ({ programId: new PublicKey(MEMO_PROGRAM), keys: [], data: Buffer.from(text) })

// Below the ports that systems give out, so that the next one, where web3.js subscribes, is free as well.
const ports = Array.from({ length: 5 }, () => 20_000 + 2 * Math.floor(Math.random() * 5_000))

/** A chain of its own for a file. */
export const freshChain = LocalChain.layer({ slotMillis: 50, ports })

/** A value of either library in one form: addresses and exact numbers as text, without what is not said. */
export const plain = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (_, one: unknown) => {
      if (typeof one === "bigint" || typeof one === "number") return String(one)
      if (Buffer.isBuffer(one) || one instanceof Uint8Array) return Buffer.from(one).toString("base64")
      return one
    }) ?? "null",
  )

/** A wallet that has sent one transfer with a memo, and both libraries on its chain. */
export const scene = Effect.gen(function* () {
  const { url } = yield* LocalChain
  const connection = new Connection(url, "confirmed")
  const rpc = createSolanaRpc(url)
  return yield* Effect.promise(async () => {
    const [payer, recipient] = [Keypair.generate(), Keypair.generate().publicKey]
    const airdrop = await connection.requestAirdrop(payer.publicKey, 10 * SOL)
    const { blockhash } = await connection.getLatestBlockhash()
    const transfer = SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: recipient, lamports: SOL })
    const message = new TransactionMessage({
      payerKey: payer.publicKey,
      recentBlockhash: blockhash,
      instructions: [transfer, memoOf("rent")],
    })
    const transaction = new VersionedTransaction(message.compileToV0Message())
    transaction.sign([payer])
    const signature = await connection.sendTransaction(transaction)
    const landed = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 })
    return { url, connection, rpc, payer, recipient, airdrop, blockhash, transaction, signature, landed: landed! }
  })
})

/** web3.js closes its socket half a second after its last subscription; a chain that ends before is called again and again. */
export const socketClosed = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 600))
