import type { CurveSnapshot, PoolFacts } from "./CurveSnapshot.ts"
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from "./Programs.ts"

/** An exact-in swap of a mint where it trades; amounts in smallest units. */
export interface Swap {
  readonly baseMint: string
  readonly amountIn: bigint
  readonly slippageBps: number
  /** true sells the base token, false buys it. */
  readonly swapBaseForQuote: boolean
  readonly referralTokenAccount?: string
}

/** A swap, and the wallet that signs and pays for it. */
export interface WalletSwap extends Swap {
  readonly signer: string
}

/** What decides which tokens a swap moves. */
type Pair = Pick<PoolFacts, "baseMint" | "config">

/** Mint and token program of both tokens of a pool, and which of them is sent and which received. */
export const sidesOf = ({ baseMint, config }: Pair, { swapBaseForQuote }: Pick<Swap, "swapBaseForQuote">) => {
  const base = { mint: baseMint, program: tokenProgram(config.tokenType) }
  const quote = { mint: config.quoteMint, program: tokenProgram(config.quoteTokenFlag) }
  return {
    base,
    quote,
    input: swapBaseForQuote ? base : quote,
    output: swapBaseForQuote ? quote : base,
  }
}

/**
 * The token that the fee is taken in: quote, or the output where the curve (1) or the DAMM v2 pool (0) collects it there; the input on
 * DAMM v1.
 */
export const feeTokenOf = (curve: CurveSnapshot, swap: Pick<Swap, "swapBaseForQuote">) => {
  const { base, input, quote } = sidesOf(curve, swap)
  if (curve.migratedV1 !== undefined) return input
  const isOnOutput =
    curve.migrated === undefined ? curve.config.collectFeeMode === 1 : curve.migrated.pool.collectFeeMode === 0
  return isOnOutput && !swap.swapBaseForQuote ? base : quote
}

const tokenProgram = (flag: number) => (flag === 1 ? TOKEN_2022_PROGRAM : TOKEN_PROGRAM)
