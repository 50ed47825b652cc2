import { DepositAddress, DepositMemo } from "@launch-registry/domain/bridge/ForeignText"
import { parseIsoMillis } from "@launch-registry/domain/time/Timestamp"
import { Schema } from "effect"
import type { IntentsQuoteRequest, IntentsQuoteResponse } from "./IntentsSchemas.ts"
import { type Discrepancy, fatal, harmless } from "./Discrepancy.ts"

const BPS = 10_000n

/** A signature has no end: this tells a quote made now from one that was kept. Clocks may differ by as much. */
const AGE_MILLIS_MAX = 300_000

/** No address is watched for as long; a swap that says so would be watched for ever. */
const INACTIVE_MILLIS_MAX = 30 * 86_400_000
const ESTIMATE_SECONDS_MAX = 86_400

const isDepositMemo = Schema.is(DepositMemo)
const isAddress = Schema.is(DepositAddress)
/** What a browser or a wallet would follow instead of paying to it. Some chains write addresses with a prefix and a colon. */
const LINK = /^(?:about|blob|data|file|ftp|https?|javascript|mailto|vbscript|wss?):/i

/** The least that slippage leaves of `amount`. One unit is given for rounding. */
const leastOf = (amount: bigint, slippageBps: number): bigint => (amount * (BPS - BigInt(slippageBps))) / BPS - 1n

/** By what a quote contradicts itself or its request, or cannot be paid any more. */
export const quoteDiscrepancies = (
  asked: IntentsQuoteRequest,
  { quote, quoteRequest, timestamp }: IntentsQuoteResponse,
  nowMillis: number,
): ReadonlyArray<Discrepancy> => {
  const found: Array<Discrepancy> = []
  const [amountIn, minAmountIn] = [BigInt(quote.amountIn), BigInt(quote.minAmountIn)]
  const [amountOut, minAmountOut] = [BigInt(quote.amountOut), BigInt(quote.minAmountOut)]

  if (asked.swapType !== "EXACT_OUTPUT" && amountIn !== BigInt(asked.amount))
    found.push(fatal("quote.amountIn", "different"))
  if (asked.swapType === "EXACT_OUTPUT" && amountOut !== BigInt(asked.amount))
    found.push(fatal("quote.amountOut", "different"))
  if (amountIn === 0n) found.push(fatal("quote.amountIn", "inconsistent"))
  if (amountOut === 0n) found.push(fatal("quote.amountOut", "inconsistent"))
  // With FLEX_INPUT both ends may slip: the least that is paid in, and what is given for it.
  const slipped = asked.swapType === "FLEX_INPUT" ? leastOf(amountOut, asked.slippageTolerance) : amountOut
  if (minAmountOut > amountOut || minAmountOut < leastOf(slipped, asked.slippageTolerance))
    found.push(fatal("quote.minAmountOut", "inconsistent"))
  if (minAmountIn > amountIn) found.push(fatal("quote.minAmountIn", "inconsistent"))
  // Where less than amountIn is enough, it should not be less by more than the slippage.
  else if (asked.swapType !== "EXACT_INPUT" && minAmountIn < leastOf(amountIn, asked.slippageTolerance))
    found.push(harmless("quote.minAmountIn", "inconsistent"))

  if (Math.abs(nowMillis - parseIsoMillis(timestamp)!) > AGE_MILLIS_MAX) found.push(fatal("timestamp", "stale"))
  if (parseIsoMillis(asked.deadline)! <= nowMillis) found.push(fatal("quoteRequest.deadline", "past"))
  if (quote.timeEstimate < 0 || quote.timeEstimate > ESTIMATE_SECONDS_MAX)
    found.push(fatal("quote.timeEstimate", "inconsistent"))
  if (asked.dry) return found

  if (quote.depositAddress === undefined) found.push(fatal("quote.depositAddress", "missing"))
  else if (!isAddress(quote.depositAddress) || LINK.test(quote.depositAddress))
    found.push(fatal("quote.depositAddress", "unsound"))
  // Reports and questions come with it: what could not be sent back here would be lost.
  if (quote.depositMemo !== undefined && !isDepositMemo(quote.depositMemo))
    found.push(fatal("quote.depositMemo", "unsound"))
  const isMemo = asked.depositMode === "MEMO" || quoteRequest.depositMode === "MEMO"
  if (isMemo && quote.depositMemo === undefined) found.push(fatal("quote.depositMemo", "missing"))
  if (quote.deadline === undefined) found.push(fatal("quote.deadline", "missing"))
  else if (parseIsoMillis(quote.deadline)! <= nowMillis) found.push(fatal("quote.deadline", "past"))
  else if (parseIsoMillis(quote.deadline)! < parseIsoMillis(asked.deadline)!)
    // The address would end while payers are told to pay to it.
    found.push(fatal("quote.deadline", "inconsistent"))
  else if (parseIsoMillis(quote.deadline)! > nowMillis + INACTIVE_MILLIS_MAX)
    found.push(fatal("quote.deadline", "unsound"))
  return found
}
