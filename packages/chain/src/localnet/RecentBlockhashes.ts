import { createHash } from "node:crypto"
import { decodeBase58, encodeBase58 } from "@launch-registry/domain/solana/Base58"
import { BLOCKHASH_BLOCKS } from "../rpc/ChainHead.ts"

/** Slots of the SlotHashes sysvar (Solana, `slot_hashes::MAX_ENTRIES`). */
const SLOT_HASHES = 512

/** The blockhash of every block follows from the chain and the slot, so a transaction can still land after a restart. */
export class RecentBlockhashes {
  readonly #genesisHash: string
  readonly #firstSlot: bigint

  constructor(genesisHash: string, firstSlot: bigint) {
    this.#genesisHash = genesisHash
    this.#firstSlot = firstSlot
  }

  at(slot: bigint): { readonly blockhash: string; readonly lastValidBlockHeight: bigint } {
    return { blockhash: encodeBase58(this.#digest(slot)), lastValidBlockHeight: slot + BLOCKHASH_BLOCKS }
  }

  /** As the SlotHashes sysvar has them, the latest first: what creates a lookup table names one of these slots. */
  before(slot: bigint): Array<{ slot: bigint; hash: string }> {
    return (
      Array.from({ length: SLOT_HASHES }, (_, back) => slot - 1n - BigInt(back))
        // In the first slot of a chain, the finalized one is the slot before it.
        .filter((past) => past >= this.#firstSlot - 1n)
        .map((past) => ({ slot: past, hash: encodeBase58(this.#digest(past)) }))
    )
  }

  isValid(blockhash: string, height: bigint): boolean {
    const wanted = decodeBase58(blockhash)
    if (wanted === undefined) return false
    const oldest = height - BLOCKHASH_BLOCKS
    for (let slot = height; slot >= oldest && slot >= this.#firstSlot; slot--)
      if (this.#digest(slot).equals(wanted)) return true
    return false
  }

  #digest(slot: bigint): Buffer {
    return createHash("sha256").update(`${this.#genesisHash} ${slot}`).digest()
  }
}
