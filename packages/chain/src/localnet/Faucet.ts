import { createHash, createPrivateKey, createPublicKey, sign } from "node:crypto"
import {
  type Address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  createNoopSigner,
  createTransactionMessage,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  type SignatureBytes,
  type Transaction,
} from "@solana/kit"
import { getTransferSolInstruction } from "@solana-program/system"
import { encodeBase58 } from "@launch-registry/domain/solana/Base58"
import { MEMO_PROGRAM, SYSTEM_PROGRAM } from "../accounts/Programs.ts"

/** DER of an Ed25519 private key up to its 32 bytes (RFC 8410). */
const PRIVATE_KEY_HEADER = Buffer.from("302e020100300506032b657004220420", "hex")

/** More than all airdrops, and exact as a number of JSON. */
const LAMPORTS = 9_000_000_000_000_000n

/** The wallet of a chain that airdrops come from. Its key follows from the chain, so it is the same after a restart. */
export class Faucet {
  readonly address: string
  readonly #key
  #given = 0

  constructor(genesisHash: string) {
    const seed = createHash("sha256").update(`${genesisHash} faucet`).digest()
    this.#key = createPrivateKey({
      key: Buffer.concat([PRIVATE_KEY_HEADER, seed]),
      format: "der",
      type: "pkcs8",
    })
    this.address = encodeBase58(createPublicKey(this.#key).export({ format: "der", type: "spki" }).subarray(-32))
  }

  /** Its account before each airdrop. */
  get filled() {
    return { address: this.address, owner: SYSTEM_PROGRAM, lamports: LAMPORTS, data: new Uint8Array() }
  }

  /** A signed transfer. Its memo is a number, so two equal airdrops of one slot are two transactions. */
  airdrop(recipient: string, lamports: bigint, blockhash: string): Transaction {
    const faucet = this.address as Address
    const memo = { programAddress: MEMO_PROGRAM, data: new TextEncoder().encode(`airdrop ${++this.#given}`) }
    const transfer = getTransferSolInstruction({
      source: createNoopSigner(faucet),
      destination: recipient as Address,
      amount: lamports,
    })
    const transaction = pipe(
      setTransactionMessageFeePayer(faucet, createTransactionMessage({ version: "legacy" })),
      (paid) =>
        setTransactionMessageLifetimeUsingBlockhash(
          { blockhash: blockhash as Blockhash, lastValidBlockHeight: 0n },
          paid,
        ),
      (timed) => compileTransaction(appendTransactionMessageInstructions([transfer, memo], timed)),
    )
    const signature = new Uint8Array(sign(null, Uint8Array.from(transaction.messageBytes), this.#key)) as SignatureBytes
    return { ...transaction, signatures: { ...transaction.signatures, [faucet]: signature } }
  }
}
