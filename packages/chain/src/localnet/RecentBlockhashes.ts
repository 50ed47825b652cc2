import { createHash } from "node:crypto"
import { encodeBase58 } from "@launch-registry/domain/solana/Base58"
import { BLOCKHASH_BLOCKS } from "../rpc/ChainHead.ts"

/** The blockhash of every block follows from the chain and the slot, so a transaction can still land after a restart. */
export class RecentBlockhashes {
  readonly #genesisHash: string
  readonly #last = new Map<string, bigint>()
  #next: bigint

  constructor(genesisHash: string, firstSlot: bigint) {
    this.#genesisHash = genesisHash
    this.#next = firstSlot
  }

  at(slot: bigint): { readonly blockhash: string; readonly lastValidBlockHeight: bigint } {
    const digest = createHash("sha256").update(`${this.#genesisHash} ${slot}`).digest()
    return { blockhash: encodeBase58(digest), lastValidBlockHeight: slot + BLOCKHASH_BLOCKS }
  }

  isValid(blockhash: string, height: bigint): boolean {
    this.#follow(height)
    const last = this.#last.get(blockhash)
    return last !== undefined && last >= height
  }

  #follow(height: bigint): void {
    const oldest = height - BLOCKHASH_BLOCKS
    if (this.#next < oldest) this.#next = oldest
    for (; this.#next <= height; this.#next++) {
      const { blockhash, lastValidBlockHeight } = this.at(this.#next)
      this.#last.set(blockhash, lastValidBlockHeight)
    }
    for (const [blockhash, last] of this.#last) {
      if (last >= height) break
      this.#last.delete(blockhash)
    }
  }
}
