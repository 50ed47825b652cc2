import { getTransferSolInstruction } from "@solana-program/system"
import {
  getCloseAccountInstruction,
  getCreateAssociatedTokenIdempotentInstruction,
  getSyncNativeInstruction,
} from "@solana-program/token"
import { type Address, createNoopSigner, type Instruction } from "@solana/kit"
import { Effect } from "effect"
import { associatedTokenAddress } from "./DerivedAddresses.ts"
import { swapInstruction } from "./Instructions.ts"
import { tokenAccountRent } from "./LaunchCosts.ts"
import type { LaunchStep } from "./LaunchStep.ts"
import type { NewPoolAccounts } from "./PoolStep.ts"
import { NATIVE_MINT, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from "./Programs.ts"
import type { RentOf } from "./Rent.ts"

/** Measured with the creation of token accounts: 68-84k. */
const BUY_UNITS = 150_000

export interface FirstBuyRequest {
  readonly signer: string
  readonly pool: NewPoolAccounts
  readonly tokenType: number
  readonly quoteTokenProgram: string
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
  const { amountIn, pool, quoteTokenProgram, rent, signer } = request
  const baseProgram = request.tokenType === 1 ? TOKEN_2022_PROGRAM : TOKEN_PROGRAM
  const [input, output] = yield* Effect.promise(() =>
    Promise.all([
      associatedTokenAddress(signer, pool.quoteMint, quoteTokenProgram),
      associatedTokenAddress(signer, pool.baseMint, baseProgram),
    ]),
  )
  const owner = createNoopSigner(signer as Address)
  const create = (ata: Address, mint: string, tokenProgram: string): Instruction =>
    getCreateAssociatedTokenIdempotentInstruction({
      ...{ payer: owner, ata, owner: owner.address },
      ...{ mint: mint as Address, tokenProgram: tokenProgram as Address },
    })
  const isNative = pool.quoteMint === NATIVE_MINT
  const wrap: ReadonlyArray<Instruction> = isNative
    ? [
        create(input, pool.quoteMint, quoteTokenProgram),
        getTransferSolInstruction({ source: owner, destination: input, amount: amountIn }),
        getSyncNativeInstruction({ account: input }),
      ]
    : []
  const isClosed = isNative && !request.hasWrappedSol
  const unwrap = isClosed ? [getCloseAccountInstruction({ account: input, destination: owner.address, owner })] : []
  const buy = swapInstruction(
    {
      ...{ config: pool.config, pool: pool.pool, inputTokenAccount: input, outputTokenAccount: output },
      ...{ baseVault: pool.baseVault, quoteVault: pool.quoteVault, payer: signer },
      ...{ baseMint: pool.baseMint, quoteMint: pool.quoteMint },
      ...{ tokenBaseProgram: baseProgram, tokenQuoteProgram: quoteTokenProgram },
      readsInstructions: request.readsInstructions,
    },
    amountIn,
    request.minimumAmountOut,
  )
  const step: LaunchStep = {
    purpose: "first_buy",
    instructions: [...wrap, create(output, pool.baseMint, baseProgram), buy, ...unwrap],
    keys: [],
    computeUnits: BUY_UNITS,
    costs: [
      { item: "token_account_rent", account: output, lamports: tokenAccountRent(rent, baseProgram) },
      ...(isNative ? ([{ item: "first_buy", account: pool.quoteVault, lamports: amountIn }] as const) : []),
    ],
    lent: isClosed ? tokenAccountRent(rent, quoteTokenProgram) : 0n,
  }
  return step
})
