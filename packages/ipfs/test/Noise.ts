import { createCipheriv, createHash } from "node:crypto"

/** Bytes without a pattern, the same for the same length and seed. */
export const noise = (length: number, seed = "noise"): Buffer => {
  const key = createHash("sha256").update(seed).digest()
  return createCipheriv("aes-256-ctr", key, Buffer.alloc(16)).update(Buffer.alloc(length))
}
