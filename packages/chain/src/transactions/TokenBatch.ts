import { decodeBase58, encodeBase58 } from "@launch-registry/domain/solana/Base58"
import { startsLike } from "./Base58Prefix.ts"
import type { RawInstruction } from "./RawTransaction.ts"

/** Instruction `Batch` of the token programs (SIMD-0266, p-token): its first byte. */
const BATCH = 0xff
const mayBeBatch = startsLike(["ff"])
/** Longest base58 of one that is read, of 1 KiB: vaults and curves ask for a few instructions, and decoding takes time by the square. */
const LENGTH_MAX = Math.ceil((1_024 * 8) / Math.log2(58))

/**
 * What a call of a token program has it do: the call itself, or what is in a batch, in order. There each instruction says how many accounts
 * and bytes it has, a byte each; its accounts follow those of the one before. Batches hold no batches.
 */
export const tokenCalls = (call: RawInstruction): ReadonlyArray<RawInstruction> => {
  if (call.data.length > LENGTH_MAX || !mayBeBatch(call.data)) return [call]
  const bytes = decodeBase58(call.data)
  if (bytes?.[0] !== BATCH) return [call]
  const parts: Array<RawInstruction> = []
  for (let [at, account] = [1, 0]; at < bytes.length;) {
    const [accounts = 0, length = 0] = [bytes[at], bytes[at + 1]]
    const end = at + 2 + length
    // The program refuses one that ends elsewhere.
    if (end > bytes.length) return [call]
    const data = encodeBase58(bytes.subarray(at + 2, end))
    parts.push({ ...call, accounts: call.accounts.slice(account, account + accounts), data })
    at = end
    account += accounts
  }
  return parts
}
