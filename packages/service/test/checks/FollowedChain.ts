import { setTimeout as sleep } from "node:timers/promises"
import { Effect } from "effect"
import { jsonServer } from "../../../chain/test/JsonServer.ts"
import { generateChain } from "../../../indexer/fixtures/GenerateTransactions.ts"
import { StandInCluster } from "../../../indexer/test/StandInCluster.ts"
import { sendAsHelius } from "../HeliusSender.ts"

export const SECRET = "the-secret-of-the-life-cycle"
const SLOTS = 400
const { blocks, truth } = generateChain({ seed: 19, slots: SLOTS, transactionsPerSlot: 6, isLarge: false })

/** Trades that the whole chain has. */
export const TRADES = truth.trades.length
export const HALF = blocks[SLOTS / 2]!.slot
export const LAST = blocks.at(-1)!.slot

/** A chain that services follow, and what they need to follow it. */
export const followedChain = Effect.gen(function* () {
  const cluster = new StandInCluster().put(blocks).finalize(blocks[0]!.slot - 1)
  const rpcUrl = yield* jsonServer((body: never, response) => cluster.answer(body, response))
  const environment = {
    ...{ NETWORK: "localnet", RPC_URL: rpcUrl, RPC_GENESIS_HASH: "any", HELIUS_WEBHOOK_SECRET: SECRET },
    ...{ INDEXER_RECONCILE_SECONDS: "1", LOG_LEVEL: "warn" },
  }
  /** Delivers the blocks of these slots, of which a share is lost on the way, and finalizes the last. */
  const deliver = async (urls: ReadonlyArray<string>, fromSlot: number, toSlot: number) => {
    const some = blocks.filter(({ slot }) => slot >= fromSlot && slot <= toSlot && slot % 10 !== 0)
    const sent = await sendAsHelius({
      bodies: some.map(({ transactions }) => JSON.stringify(transactions)),
      ...{ urls, secret: SECRET, atOnce: 4, retryMillis: 100, deadlineMillis: 60_000 },
    })
    cluster.finalize(toSlot)
    return sent
  }
  return { environment, deliver, firstSlot: blocks[0]!.slot }
})

/** What `/api/system/indexer` says. */
export const indexerReport = async (url: string) => {
  const response = await fetch(`${url}/api/system/indexer`)
  // oxlint-disable-next-line typescript/no-explicit-any
  return ((await response.json()) as { data: any }).data
}

const reaches = async (url: string, mark: "watermarkSlot" | "programWatermarkSlot", slot: number): Promise<void> => {
  const isReached = () =>
    indexerReport(url).then(
      (report) => report[mark] === String(slot),
      () => false,
    )
  while (!(await isReached())) await sleep(50)
}

/** Resolves once every slot of the program up to this one is proven. */
export const provenUpTo = (url: string, slot: number): Promise<void> => reaches(url, "programWatermarkSlot", slot)

/**
 * Resolves once every slot up to this one is proven for migrated pools as well. They are compared the later the longer nobody traded there:
 * after some 40 s at most on this chain.
 */
export const wholeUpTo = (url: string, slot: number): Promise<void> => reaches(url, "watermarkSlot", slot)
