import { setTimeout as sleep } from "node:timers/promises"
import { Effect } from "effect"
import { deliver } from "../../../indexer/fixtures/DeliverTransactions.ts"
import { truthOf } from "../../../indexer/fixtures/GeneratedModel.ts"
import { generateBlocks } from "../../../indexer/fixtures/GenerateTransactions.ts"
import { type Desk, Kept, type Writer } from "./Writer.ts"

export const WEBHOOK_SECRET = "the-secret-of-the-durability-round"

/** More than a round needs; blocks are generated when they are sent. */
const SLOTS = 100_000
/** Above the slots of the local chain, which does not have these. */
const FIRST_SLOT = 400_000_000
const TRANSACTIONS_PER_SLOT = 4
const LOOK_MILLIS = 100
/** Trades of the last five minutes are streamed. */
const SECONDS_OLD = 60
/** Committed transactions are folded within a tenth of a second; after a change of leaders, within the lease. */
const CATCH_UP_MILLIS = 240_000

/** Delivers transactions like webhooks, some of them twice. */
export const deliveryWriter = (desk: Desk): Writer => {
  const { client, ledger, random } = desk
  const blocks = generateBlocks({
    ...{ seed: random.next(), slots: SLOTS, firstSlot: FIRST_SLOT, transactionsPerSlot: TRANSACTIONS_PER_SLOT },
    ...{ pools: 2_000, configs: 20, isLarge: false },
    firstBlockTime: Math.floor(Date.now() / 1_000) - SECONDS_OLD,
  })
  /** How many trades an acknowledged transaction holds, by its signature. */
  const trades = new Map<string, number>()

  const write = async () => {
    const { value: block } = blocks.next()
    if (block === undefined) throw new Error("There are no more transactions to deliver")
    const { bodies } = deliver([block], { seed: random.next(), duplicateShare: 0.2, batchMax: 4 })
    const headers = { authorization: WEBHOOK_SECRET, "content-type": "application/json" }
    for (const text of bodies) await client.write("webhook delivery", { path: "/api/webhooks/helius", text, headers })
    const truth = truthOf([block])
    for (const { signature } of truth.transactions) trades.set(signature, 0)
    for (const { signature } of truth.trades) trades.set(signature, trades.get(signature)! + 1)
  }

  /** Received transactions are in the tables, or will never be. */
  const caughtUp = Effect.promise(async () => {
    const giveUpAt = Date.now() + CATCH_UP_MILLIS
    while (Date.now() < giveUpAt) {
      const { body } = await client.read("/api/system/indexer")
      if (body?.data?.inbox.pendingSegments === 0) return
      await sleep(LOOK_MILLIS)
    }
  })

  const audit = Effect.fnUntraced(function* (sql) {
    yield* caughtUp
    const received = yield* sql<{ readonly signature: string; readonly times: number }>`
      select signature, count(*)::integer as times from inbox_transactions group by signature`
    const folded = yield* sql<{ readonly signature: string; readonly times: number }>`
      select signature, count(*)::integer as times from trades group by signature`
    const inInbox = new Map(received.map(({ signature, times }) => [signature, times]))
    const inTrades = new Map(folded.map(({ signature, times }) => [signature, times]))
    for (const [signature, expected] of trades) {
      const times = inInbox.get(signature) ?? 0
      const found = inTrades.get(signature) ?? 0
      if (times < 1 || found < expected)
        ledger.lost.add(`transaction ${signature}: ${times} times in the inbox, ${found} of ${expected} trades`)
      if (times > 1 || found > expected)
        ledger.doubled.add(`transaction ${signature}: ${times} times in the inbox, ${found} trades of ${expected}`)
    }
  }) satisfies Writer["audit"]

  return { write, kept: new Kept(desk), audit }
}
