import { assert } from "@effect/vitest"
import type { Part } from "./BridgingRound.ts"
import { SEEN_HASH } from "./ScriptedDetails.ts"

/** The transaction record of a swap, and whether it is still polled. */
export interface SwapRecordRow {
  readonly id: string
  readonly isWatched: boolean
  readonly action: string
  readonly status: string
  readonly amountIn: string
  readonly amountOut: string
  readonly txHash: string
  readonly poolAddress: string
}

/** Whether `seen` follows the order of `stages`, where any but the last may be missing. */
const isInOrder = (seen: ReadonlyArray<string>, stages: ReadonlyArray<string>): boolean => {
  const places = seen.map((stage) => stages.indexOf(stage))
  return (
    places.every((place, at) => place >= 0 && (at === 0 || place > places[at - 1]!)) && seen.at(-1) === stages.at(-1)
  )
}

/** The expected stored state of a swap, by its script. */
const expected = ({ client, script, swap }: Part) => {
  const { response } = swap()
  const { deposit, hasDelivery, ...end } = script.end(response.quote)
  const [{ amountIn, amountOut }] = client.quotes
  const originTxs = deposit === "unseen" ? [] : deposit === "seen" ? [SEEN_HASH] : client.reported
  return {
    ...{ depositedAmount: null, missingAmount: null, refundedAmount: null, refundReason: null, amountIn, amountOut },
    ...{ stalled: false, needsReview: false, isWatched: false, isPayable: false, stale: false },
    ...{ ...end, substatus: script.stages.at(-1), correlationId: response.correlationId },
    ...{ originTxs, deliveries: hasDelivery ? 1 : 0, deposits: client.reported },
    recordHash: originTxs[0] ?? client.reported[0] ?? "",
  }
}

const hashesOf = (transactions: ReadonlyArray<{ readonly hash: string }>) => transactions.map(({ hash }) => hash)

/** Compares the stored state of a swap with its script, including its course. */
export const assertAsScripted = async (part: Part, row: SwapRecordRow): Promise<void> => {
  const { client, index, script, swap } = part
  const name = `${index}: ${script.name}`
  const record = await client.record()
  const wanted = expected(part)
  const found = {
    ...record,
    ...{ isWatched: row.isWatched, recordHash: row.txHash, deliveries: record.destinationTxs.length },
    originTxs: hashesOf(record.originTxs),
    deposits: record.deposits.map(({ txHash }: { readonly txHash: string }) => txHash),
  }
  const read = Object.fromEntries(Object.keys(wanted).map((field) => [field, found[field]]))
  assert.deepStrictEqual(read, wanted, name)
  const { amountIn, amountOut, depositAddress, id, status } = record
  assert.deepInclude(row, { action: "BRIDGE", id, status, amountIn, amountOut, poolAddress: depositAddress }, name)

  // No other status was seen in between.
  const timeline: ReadonlyArray<{ readonly substatus: string; readonly status: string }> = record.timeline
  const stages = timeline.map(({ substatus }) => substatus)
  const steps = stages.filter((stage, at) => stage !== stages[at - 1])
  assert.isTrue(isInOrder(steps, script.stages), `${name}: ${steps.join(", ")}`)
  for (const { status: told, substatus } of timeline)
    assert.strictEqual(told === "success", substatus === "delivered", name)

  // One quote for one key: stored, and signed by the swap service.
  const payments = client.quotes.map(({ amountIn: amount, depositAddress: address, depositMemo, id: swapId }) =>
    [swapId, address, depositMemo, amount].join(),
  )
  assert.lengthOf([...new Set(payments)], 1, name)
  assert.deepInclude(client.quotes[0], { id, depositAddress }, name)
  assert.isFalse(swap().isTampered, name)
  assert.deepStrictEqual(record.signedQuote, JSON.parse(JSON.stringify(swap().response)), name)
  assert.includeMembers(swap().submitted, [...client.reported], name)
}
