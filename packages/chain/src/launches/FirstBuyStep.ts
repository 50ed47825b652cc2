import { Effect } from "effect"
import { type PoolAccounts, swapInstruction } from "../dbc/DbcInstructions.ts"
import { associatedTokenAddress } from "../accounts/DerivedAddresses.ts"
import { tokenAccountRent } from "../build/LaunchCosts.ts"
import type { LaunchStep } from "../build/LaunchStep.ts"
import { NATIVE_MINT } from "../accounts/Programs.ts"
import type { RentOf } from "../accounts/Rent.ts"
import { createTokenAccount, unwrapSol, wrapSol } from "../build/TokenAccountInstructions.ts"
import type { TokenPair } from "../venues/TokenPair.ts"

/** Measured with the creation of token accounts: 68-84k. */
const BUY_UNITS = 150_000

export interface FirstBuyRequest extends TokenPair {
  readonly signer: string
  readonly pool: PoolAccounts
  readonly amountIn: bigint
  readonly minimumAmountOut: bigint
  /** The program inspects the other instructions of the transaction. */
  readonly readsInstructions: boolean
  /** Whether the wallet has an account for wrapped SOL: it then stays open, with what it holds. */
  readonly hasWrappedSol: boolean
  readonly rent: RentOf
}

/** The step in which the wallet buys from the new pool. SOL is wrapped before; the account for it is closed if it is new. */
export const firstBuyStep = Effect.fnUntraced(function* (request: FirstBuyRequest) {
  const { amountIn, base, minimumAmountOut, pool, quote, readsInstructions, rent, signer } = request
  const [input, output] = yield* Effect.promise(() =>
    Promise.all([
      associatedTokenAddress(signer, quote.mint, quote.program),
      associatedTokenAddress(signer, base.mint, base.program),
    ]),
  )
  const isNative = quote.mint === NATIVE_MINT
  const isClosed = isNative && !request.hasWrappedSol
  const step: LaunchStep = {
    purpose: "first_buy",
    instructions: [
      ...(isNative ? [createTokenAccount(signer, input, quote), ...wrapSol(signer, input, amountIn)] : []),
      createTokenAccount(signer, output, base),
      swapInstruction(
        { ...pool, base, quote, readsInstructions },
        { amountIn, minimumAmountOut, payer: signer, inputTokenAccount: input, outputTokenAccount: output },
      ),
      ...(isClosed ? [unwrapSol(signer, input)] : []),
    ],
    keys: [],
    computeUnits: BUY_UNITS,
    costs: [
      { item: "token_account_rent", account: output, lamports: tokenAccountRent(rent, base.program) },
      ...(isNative ? ([{ item: "first_buy", account: pool.quoteVault, lamports: amountIn }] as const) : []),
    ],
    lent: isClosed ? tokenAccountRent(rent, quote.program) : 0n,
  }
  return step
})
