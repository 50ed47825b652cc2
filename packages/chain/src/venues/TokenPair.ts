import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from "../accounts/Programs.ts"

/** One of the tokens that a pool trades. */
export interface PoolToken {
  readonly mint: string
  readonly program: string
  readonly decimals: number
}

/** Both tokens of a pool. At every venue the base token is token A, the quote token B. */
export interface TokenPair {
  readonly base: PoolToken
  readonly quote: PoolToken
}

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

/** Whether a swap sells or buys. */
export type Direction = Pick<Swap, "swapBaseForQuote">

/** Which of the tokens a swap sends, and which it receives. */
export const sidesOf = ({ base, quote }: TokenPair, { swapBaseForQuote }: Direction) =>
  swapBaseForQuote ? { input: base, output: quote } : { input: quote, output: base }

/** Token program by the flag that pools and configurations of Meteora have. */
export const tokenProgram = (flag: number) => (flag === 1 ? TOKEN_2022_PROGRAM : TOKEN_PROGRAM)
