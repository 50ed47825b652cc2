import { decodeBase58 } from "@launch-registry/domain/solana/Base58"
import { AccountReader } from "../accounts/AccountReader.ts"
import type { ProgramCall } from "./ProgramCall.ts"
import type { DecodableTransaction, RawTokenBalance } from "./RawTransaction.ts"
import { tokenCalls } from "./TokenBatch.ts"

/** Instructions of the token program by their first byte, with the amount @1. */
const KINDS: Readonly<Record<number, "transfer" | "mint" | "burn">> = {
  3: "transfer",
  7: "mint",
  8: "burn",
  12: "transfer",
  14: "mint",
  15: "burn",
}
/** Tag and amount; the checked ones have the decimals behind. */
const BYTES_MIN = 9
const LENGTH_MAX = 14

/** What an instruction of the token program moves. */
export interface TokenMove {
  readonly kind: "transfer" | "mint" | "burn"
  readonly amount: bigint
}

/** What base58 `data` of the token program moves, if anything. */
export const tokenMove = (data: string): TokenMove | undefined => {
  const bytes = data.length > LENGTH_MAX ? undefined : decodeBase58(data)
  if (bytes === undefined || bytes.length < BYTES_MIN) return undefined
  const kind = KINDS[bytes[0]!]
  return kind && { kind, amount: new AccountReader(bytes).u64(1) }
}

const AMOUNT = /^\d{1,20}$/

/** What an account of the transaction holds after it; received data may be anything. */
export const tokenBalanceOf = (
  { meta: { postTokenBalances } }: DecodableTransaction,
  accountIndex: number | undefined,
): { readonly mint: string; readonly amount: bigint } | undefined => {
  if (!Array.isArray(postTokenBalances)) return undefined
  for (const balance of postTokenBalances as ReadonlyArray<RawTokenBalance | null>) {
    if (balance?.accountIndex !== accountIndex) continue
    const { mint, uiTokenAmount } = balance!
    const amount: unknown = uiTokenAmount?.amount
    if (typeof mint !== "string" || typeof amount !== "string" || !AMOUNT.test(amount)) return undefined
    return { mint, amount: BigInt(amount) }
  }
  return undefined
}

/**
 * What an account of shares holds after a call, up to a part of it where it is a batch: balances are those at the end, so what was minted
 * and burned since is undone.
 */
export const sharesAfter = (
  transaction: DecodableTransaction,
  { innerInstruction, instruction, part }: Pick<ProgramCall, "instruction" | "innerInstruction"> & { part: number },
  account: number,
  tokenProgram: number,
): bigint | undefined => {
  let shares = tokenBalanceOf(transaction, account)?.amount
  if (shares === undefined) return undefined
  for (const { index, instructions } of transaction.meta.innerInstructions ?? []) {
    if (index < instruction) continue
    for (let position = index === instruction ? innerInstruction : 0; position < instructions.length; position++) {
      const call = instructions[position]!
      if (call.programIdIndex !== tokenProgram) continue
      const isLast = index === instruction && position === innerInstruction
      for (const { accounts, data } of tokenCalls(call).slice(isLast ? part + 1 : 0)) {
        const move = tokenMove(data)
        if (move?.kind === "mint" && accounts[1] === account) shares -= move.amount
        else if (move?.kind === "burn" && accounts[0] === account) shares += move.amount
      }
    }
  }
  return shares < 0n ? undefined : shares
}
