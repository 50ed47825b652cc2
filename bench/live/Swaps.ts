import { type Agent, request } from "node:http"
import { setTimeout as pause } from "node:timers/promises"
import { decodedEvents } from "@launch-registry/indexer/modules/DatabaseChanges"
import { tradesOfEvents } from "@launch-registry/indexer/modules/FactRows"
import { generateBlocks } from "../../packages/indexer/fixtures/GenerateTransactions.ts"

const PER_SLOT = 20
const SECRET = "the-secret-of-the-live-bench-for-a-minute"

/** Settings of a service that takes swaps as webhooks only: its chain does not know them. */
export const TAKES_WEBHOOKS = {
  ...{ HELIUS_WEBHOOK_SECRET: SECRET, INDEXER_SOURCE: "webhook", INDEXER_RECONCILE_SECONDS: "3600" },
}

export interface Swap {
  readonly signature: string
  readonly body: string
}

/** What is refused for a moment is sent again, as every sender of webhooks does. */
const AGAIN_MILLIS = 100

export const post = (agent: Agent, url: string, body: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json", authorization: SECRET }
    const sent = request(`${url}/api/webhooks/helius`, { agent, headers, method: "POST" }, (answer) => {
      answer.resume().on("end", () => {
        if (answer.statusCode === 200) resolve()
        else if (answer.statusCode === 503) resolve(pause(AGAIN_MILLIS).then(() => post(agent, url, body)))
        else reject(new Error(`The webhook was answered with ${answer.statusCode}`))
      })
    })
    sent.on("error", reject).end(body)
  })

/** Launches, and then swaps one by one. */
export const workload = (swaps: number, seed: number, isLarge = false) => {
  const slots = Math.ceil((swaps * 2) / PER_SLOT)
  const firstBlockTime = Math.floor(Date.now() / 1000) - Math.ceil(slots * 0.4)
  const firstAt = Math.ceil(slots / 3)
  const launches = new Array<string>()
  const chosen = new Array<Swap>()
  let slot = 0
  for (const { transactions } of generateBlocks({
    ...{ seed, slots, transactionsPerSlot: PER_SLOT, dammShare: 0, firstBlockTime, isLarge },
  })) {
    if (slot++ < firstAt) launches.push(JSON.stringify(transactions))
    else
      for (const one of transactions)
        if (chosen.length < swaps && tradesOfEvents(decodedEvents([one]).events).length > 0)
          chosen.push({ signature: one.transaction.signatures[0]!, body: JSON.stringify([one]) })
  }
  return { launches, swaps: chosen }
}

/** Calls `send` for each swap when it is due. */
export const atRate = async (swaps: ReadonlyArray<Swap>, rate: number, send: (swap: Swap) => void): Promise<void> => {
  const from = performance.now()
  for (const [at, swap] of swaps.entries()) {
    const wait = from + (at * 1_000) / rate - performance.now()
    if (wait > 1) await pause(wait)
    send(swap)
  }
}
