import { decodeBase58 } from "@launch-registry/domain/solana/Base58"
import { AccountReader } from "../accounts/AccountReader.ts"
import { DAMM_V1_CONFIGS, DAMM_V1_PROGRAM, DYNAMIC_VAULT_PROGRAM, TOKEN_PROGRAM } from "../accounts/Programs.ts"
import { squareRoot } from "../venues/SquareRoot.ts"
import type { AccountTable } from "../transactions/AccountTable.ts"
import { startsLike } from "../transactions/Base58Prefix.ts"
import type { Swapped } from "../transactions/DbcEvent.ts"
import { dammV1ConfigOf } from "../transactions/MigratedPools.ts"
import { accountOf, type ProgramCall } from "../transactions/ProgramCall.ts"
import { type CallContext, headOf, NOTHING, type ProgramDecoder, whole } from "../transactions/ProgramDecoder.ts"
import type { RawInstruction } from "../transactions/RawTransaction.ts"
import { tokenCalls } from "../transactions/TokenBatch.ts"
import { sharesAfter, tokenBalanceOf, tokenMove } from "../transactions/TokenMoves.ts"

/** `swap` (dynamic-amm IDL): amount in @8, least amount out @16. */
const SWAP = "f8c69e91e17587c8"
/** `deposit` (amount @8) and `withdraw` (shares @8) of a dynamic vault; the vault is their first account, its token account the second. */
const DEPOSIT = "f223c68952e1f2b6"
const WITHDRAW = "b712469c946da122"
const CALL_BYTES = 24
/** Longest base58 of so many bytes. */
const CALL_LENGTH_MAX = 33
const ACCOUNTS_MIN = 15

/** By their index among the accounts of a swap. */
const [POOL, TOKEN_VAULT_A, TOKEN_VAULT_B, POOL_LP_A, POOL_LP_B, USER] = [0, 5, 6, 9, 10, 12] as const
const VAULT_B = 4

/** Fees by configuration, and the protocol's part of them. */
const FEE_BPS: ReadonlyArray<bigint> = [25n, 30n, 100n, 200n, 400n, 600n]
const BASIS_POINTS = 10_000n
const PROTOCOL_PART = 5n

/** Below this, amounts say less than four digits of what a share of a vault is worth. */
const MOVED_MIN = 10_000n

/** Whether base58 data may be those of a swap. */
const mayBeSwap = startsLike([SWAP])

/** Of a call that is a swap: the accounts whose balances tell it, by their index in the transaction. */
const balances = ({ accounts, data }: RawInstruction): ReadonlyArray<number> =>
  mayBeSwap(data) && accounts.length >= ACCOUNTS_MIN && callBytes(data, SWAP) !== undefined
    ? [TOKEN_VAULT_A, TOKEN_VAULT_B, POOL_LP_A, POOL_LP_B].map((position) => accounts[position]!)
    : []

/** What a swap moved: into the vault of one token, and out of that of the other. */
interface Moved {
  readonly isBuy: boolean
  readonly deposited: bigint
  readonly minted: bigint
  readonly burned: bigint
  readonly amountOut: bigint
  /** Position of the last of its calls, and of what that had the token program do. */
  readonly last: number
  readonly part: number
}

/**
 * The swap that a call of DAMM v1 made, on a pool that the DBC program created; `undefined` for any other call and pool, and for one too
 * small to tell its price by.
 *
 * What DAMM v1 emits stands in the logs, which validators cut off and any program can write to. So the amounts are those of the calls
 * below the swap, and mints and shares those of the balances after the
 * transaction: the runtime records both.
 */
const swapOf = (call: ProgramCall, { calls, keys, raw }: CallContext): Swapped | undefined => {
  if (!mayBeSwap(call.raw.data) || call.raw.accounts.length < ACCOUNTS_MIN) return undefined
  const order = callBytes(call.raw.data, SWAP)
  const balanceAt = (position: number) => tokenBalanceOf(raw, call.raw.accounts[position])
  const [tokenA, tokenB] = [balanceAt(TOKEN_VAULT_A), balanceAt(TOKEN_VAULT_B)]
  if (order === undefined || tokenA === undefined || tokenB === undefined) return undefined
  const pool = accountOf(call, POOL, keys)
  const [baseMint, quoteMint] = [tokenA.mint, tokenB.mint]
  const config = dammV1ConfigOf(pool, baseMint, quoteMint)
  if (config === undefined) return undefined
  const moved = movedBy(call, calls, keys)
  if (moved === undefined) return undefined
  const after = { instruction: call.instruction, innerInstruction: moved.last, part: moved.part }
  const [sharesA, sharesB] = [POOL_LP_A, POOL_LP_B].map((position) =>
    sharesAfter(raw, after, call.raw.accounts[position]!, keys.indexOf(TOKEN_PROGRAM)),
  )
  if (sharesA === undefined || sharesB === undefined) return undefined
  const left = reservesAfter(moved, sharesA, sharesB)
  if (left === undefined) return undefined
  const amountIn = order.u64(8)
  return {
    type: "Swapped",
    venue: "damm_v1",
    pool,
    config,
    baseMint,
    quoteMint,
    trader: accountOf(call, USER, keys),
    side: moved.isBuy ? "BUY" : "SELL",
    amountIn,
    amountOut: moved.amountOut,
    fee: feeOf(
      amountIn,
      amountIn - moved.deposited,
      FEE_BPS[(DAMM_V1_CONFIGS as ReadonlyArray<string>).indexOf(config)]!,
    ),
    ...left,
  }
}

/** The data of a call that starts so. */
const callBytes = (data: string, head: string): AccountReader | undefined => {
  const bytes = data.length > CALL_LENGTH_MAX ? undefined : decodeBase58(data)
  if (bytes?.length !== CALL_BYTES) return undefined
  return headOf(bytes) === head ? new AccountReader(bytes) : undefined
}

/** Reads the calls of the vaults, and of the token program below them, that follow a swap. */
const movedBy = (call: ProgramCall, calls: ReadonlyArray<RawInstruction>, keys: AccountTable): Moved | undefined => {
  const [vaults, tokens] = [keys.indexOf(DYNAMIC_VAULT_PROGRAM), keys.indexOf(TOKEN_PROGRAM)]
  const { accounts } = call.raw
  let isBuy: boolean | undefined
  let [deposited, minted, burned, amountOut] = [0n, 0n, 0n, 0n]
  let from: number | undefined
  for (let last = call.innerInstruction + 1; last < calls.length; last++) {
    const { accounts: given, data, programIdIndex } = calls[last]!
    if (programIdIndex === tokens) {
      for (const [part, { accounts: moving, data: order }] of tokenCalls(calls[last]!).entries()) {
        const move = tokenMove(order)
        if (move?.kind === "mint" && from === undefined) minted = move.amount
        else if (move?.kind === "burn" && from !== undefined) burned = move.amount
        else if (move?.kind === "transfer" && from !== undefined && moving[0] === from) amountOut = move.amount
        if (isBuy !== undefined && burned > 0n && amountOut > 0n)
          return { isBuy, deposited, minted, burned, amountOut, last, part }
      }
    } else if (programIdIndex === vaults) {
      const deposit = callBytes(data, DEPOSIT)
      if (deposit !== undefined) {
        isBuy = given[0] === accounts[VAULT_B]
        deposited = deposit.u64(8)
      } else if (isBuy === undefined || callBytes(data, WITHDRAW) === undefined) return undefined
      else from = accounts[isBuy ? TOKEN_VAULT_A : TOKEN_VAULT_B]
    } else return undefined
  }
  return undefined
}

/**
 * Price and quote reserve that the swap left: the pool's shares, at what shares of both vaults cost in this swap. Both costs are rounded
 * down to whole tokens or shares; the middle of what they can have been is off by less than one in twenty thousand.
 */
const reservesAfter = (
  { amountOut, burned, deposited, isBuy, minted }: Omit<Moved, "last" | "part">,
  sharesA: bigint,
  sharesB: bigint,
): Pick<Swapped, "nextSqrtPrice" | "quoteReserve"> | undefined => {
  if ([deposited, minted, burned, amountOut].some((amount) => amount < MOVED_MIN)) return undefined
  const sent = [2n * deposited, 2n * minted + 1n] as const
  const received = [2n * amountOut + 1n, 2n * burned] as const
  const [[worthA, perA], [worthB, perB]] = isBuy ? [received, sent] : [sent, received]
  const base = sharesA * worthA * perB
  if (base === 0n) return undefined
  return {
    nextSqrtPrice: squareRoot(((sharesB * worthB * perA) << 128n) / base),
    quoteReserve: (sharesB * worthB) / perB,
  }
}

/**
 * Only logs say the whole fee. A pool has the fee of its configuration, until operators of the program change it: then the part that
 * the protocol received tells the rest.
 */
const feeOf = (amountIn: bigint, toProtocol: bigint, feeBps: bigint): bigint => {
  const fee = (amountIn * feeBps) / BASIS_POINTS || 1n
  return (fee / PROTOCOL_PART || 1n) === toProtocol ? fee : toProtocol * PROTOCOL_PART
}

/** A swap deposits into one dynamic vault and withdraws from another, which burns shares and pays out. */
const emitted: ProgramDecoder["emitted"] = (call, calledBelow, keys) => {
  if (balances(call).length === 0) return "all"
  const [vaults, tokens, below] = [keys.indexOf(DYNAMIC_VAULT_PROGRAM), keys.indexOf(TOKEN_PROGRAM), calledBelow()]
  const [, second] = below.flatMap(({ programIdIndex }, position) => (programIdIndex === vaults ? [position] : []))
  const moving = below.slice(second).filter(({ programIdIndex }) => programIdIndex === tokens)
  return whole(second !== undefined && moving.flatMap(tokenCalls).length >= 2)
}

export const dammV1Decoder: ProgramDecoder = {
  ...{ program: DAMM_V1_PROGRAM, eventName: NOTHING, factOfEvent: NOTHING, factOfCall: swapOf, emitted, balances },
}
