import { createCipheriv, createHash } from "node:crypto"

/** The content of the vectors of IPIP-499: the ChaCha20 keystream of sha256(seed) as key, with nonce and counter zero. */
export const keystream = (seed: string, length: number): Uint8Array =>
  createCipheriv("chacha20", createHash("sha256").update(seed).digest(), new Uint8Array(16)).update(
    new Uint8Array(length),
  )
