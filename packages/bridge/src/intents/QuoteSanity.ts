import { DepositAddress, DepositMemo } from "@launch-registry/domain/bridge/ForeignText"
import { parseIsoMillis } from "@launch-registry/domain/time/Timestamp"
import { Schema } from "effect"
import type { IntentsQuoteRequest, IntentsQuoteResponse } from "./IntentsSchemas.ts"
import { type Discrepancy, fatal, harmless } from "./Discrepancy.ts"

const BPS = 10_000n

/** Signatures do not expire: this rejects replayed quotes, and allows as much clock skew. */
const AGE_MILLIS_MAX = 300_000

/** No deposit address lives longer; without this bound a swap could be polled for ever. */
const INACTIVE_MILLIS_MAX = 30 * 86_400_000
const ESTIMATE_SECONDS_MAX = 86_400

const isDepositMemo = Schema.is(DepositMemo)
const isAddress = Schema.is(DepositAddress)
/**
 * A link that a browser or wallet would open. Any other prefix with a colon is allowed, because some chains write
 * addresses so.
 */
const LINK = /^(?:about|blob|data|file|ftp|https?|javascript|mailto|vbscript|wss?):/i

/** `amount` less slippage, and less one unit for rounding. */
const leastOf = (amount: bigint, slippageBps: number): bigint => (amount * (BPS - BigInt(slippageBps))) / BPS - 1n

/** Contradictions within a quote or with its request, and reasons why it can no longer be paid. */
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
  // With FLEX_INPUT both the amount in and the amount out may slip.
  const slipped = asked.swapType === "FLEX_INPUT" ? leastOf(amountOut, asked.slippageTolerance) : amountOut
  if (minAmountOut > amountOut || minAmountOut < leastOf(slipped, asked.slippageTolerance))
    found.push(fatal("quote.minAmountOut", "inconsistent"))
  if (minAmountIn > amountIn) found.push(fatal("quote.minAmountIn", "inconsistent"))
  // When less than amountIn is enough, it may be lower by the slippage at most.
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
  // Requests about the swap repeat the memo, so it has to pass their validation.
  if (quote.depositMemo !== undefined && !isDepositMemo(quote.depositMemo))
    found.push(fatal("quote.depositMemo", "unsound"))
  const isMemo = asked.depositMode === "MEMO" || quoteRequest.depositMode === "MEMO"
  if (isMemo && quote.depositMemo === undefined) found.push(fatal("quote.depositMemo", "missing"))
  if (quote.deadline === undefined) found.push(fatal("quote.deadline", "missing"))
  else if (parseIsoMillis(quote.deadline)! <= nowMillis) found.push(fatal("quote.deadline", "past"))
  else if (parseIsoMillis(quote.deadline)! < parseIsoMillis(asked.deadline)!)
    // The address would become inactive before the deadline that payers are given.
    found.push(fatal("quote.deadline", "inconsistent"))
  else if (parseIsoMillis(quote.deadline)! > nowMillis + INACTIVE_MILLIS_MAX)
    found.push(fatal("quote.deadline", "unsound"))
  return found
}
