import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { withNewCluster } from "@launch-registry/migrations/NewCluster"
import * as Database from "@launch-registry/postgres/Database"
import { embeddedPostgres } from "@launch-registry/postgres/embedded/EmbeddedPostgres"
import { Effect } from "effect"
import { jsonServer } from "../../chain/test/JsonServer.ts"
import { SeededRandom } from "../../indexer/fixtures/SeededRandom.ts"
import { StandInCluster } from "../../indexer/test/StandInCluster.ts"
import { IntentsStandIn } from "../../bridge/test/IntentsStandIn.ts"
import type { StandInSwap } from "../../bridge/test/IntentsTimeline.ts"
import { FaultDice } from "./FaultDice.ts"
import { Replica } from "./Replica.ts"
import { type Replicas, SwapClient } from "./SwapClient.ts"
import { EVM_USER, SOL_USER, STELLAR_USER, USDC_ON_ARB, USDC_ON_SOL, XLM } from "./BridgeParties.ts"
import type { SwapScript } from "./SwapScript.ts"
import { SWAP_SCRIPTS } from "./SwapScripts.ts"

export const API_KEY = "key-of-the-swap-service-that-nobody-may-see"

/** Origin and destination; on the second one swaps share an address and are told apart by memos. */
const ROUTES = [
  { originAsset: USDC_ON_SOL, destinationAsset: USDC_ON_ARB, refundTo: SOL_USER, recipient: EVM_USER },
  { originAsset: XLM, destinationAsset: USDC_ON_SOL, refundTo: STELLAR_USER, recipient: SOL_USER },
  { originAsset: USDC_ON_ARB, destinationAsset: USDC_ON_SOL, refundTo: EVM_USER, recipient: SOL_USER },
]
/** The amount identifies a client. */
const AMOUNT = 100_000_000

/** A client, the script of its swap, and the swap service's view of it. */
export interface Part {
  readonly index: number
  readonly client: SwapClient
  readonly script: SwapScript
  /** Of the client's quote. */
  readonly swap: () => StandInSwap
}

export interface BridgingRound {
  readonly dice: FaultDice
  readonly parts: ReadonlyArray<Part>
  readonly processes: ReadonlyArray<Replica>
  readonly replicas: Replicas
  readonly standIn: IntentsStandIn
  /** No more faults. */
  isCalm: boolean
  /** Requests to the swap service that could have failed, and valid quotes. */
  requests: number
  quotes: number
}

/** Whether the swap service has reported everything that the steps of a swap contain. */
export const isShown = (swap: StandInSwap): boolean =>
  swap.steps.every(
    ({ afterPolls = 0, afterSubmit = 0 }) => swap.polls > afterPolls && swap.submitted.length >= Number(afterSubmit),
  )

/** Two processes over one PostgreSQL, a swap service that fails three times in ten, and clients that retry. */
export const bridgingRound = Effect.fnUntraced(function* (options: {
  readonly seed: number
  readonly swaps: number
  /** Requests to the swap service at which a process is killed, counted from the first. */
  readonly crashesAt: ReadonlySet<number>
  /** Valid quotes at which both processes are killed, after the swap service made the quote and before the answer. */
  readonly quoteCrashesAt: ReadonlySet<number>
}) {
  const random = new SeededRandom(options.seed)
  const dice = new FaultDice(random.split())
  const folder = mkdtempSync(join(tmpdir(), "registry-bridging-"))
  yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(folder, { recursive: true, force: true })))
  const { address } = yield* embeddedPostgres({ folder: withNewCluster(folder), isThrowaway: true })
  const cluster = new StandInCluster()
  const rpcUrl = yield* jsonServer((body: never, response) => cluster.answer(body, response))
  const standIn = yield* IntentsStandIn.make({ apiKey: API_KEY, isKeyRequired: true })
  const environment = {
    DATABASE_URL: `postgres://${address.username}@localhost/${address.database}?host=${address.socketDirectory}`,
    ...{ ROLE: "api", NETWORK: "localnet", RPC_URL: rpcUrl, RPC_GENESIS_HASH: "any", LOG_LEVEL: "debug" },
    ...{ INTENTS_URL: standIn.url, INTENTS_API_KEY: API_KEY, INTENTS_QUOTE_KEY: standIn.publicKey },
    INTENTS_REQUESTS_PER_SECOND: "1000",
  }
  const processes = yield* Effect.promise(() => Promise.all([Replica.of(environment), Replica.of(environment)]))
  yield* Effect.addFinalizer(() => Effect.promise(() => Promise.all(processes.map((one) => one.stop()))))
  for (const one of processes) yield* Effect.promise(() => one.start())

  const replicas: Replicas = {
    next: () => processes[random.below(2)]!.url,
    transcript: [],
    counts: new Map(),
  }
  const scriptOf = (index: number) => SWAP_SCRIPTS[index % SWAP_SCRIPTS.length]!
  const parts = Array.from({ length: options.swaps }, (_, index): Part => {
    const script = scriptOf(index)
    const route = ROUTES[Math.floor(index / SWAP_SCRIPTS.length) % ROUTES.length]!
    const body = { ...route, amount: String(AMOUNT + index), ...script.fields }
    const client = new SwapClient(replicas, `swap-${index}`, body)
    const swap = () => {
      const { depositAddress, depositMemo } = client.quotes[0]
      return standIn.swapAt(depositAddress, depositMemo ?? undefined)
    }
    return { index, client, script, swap }
  })

  const round: BridgingRound = { dice, parts, processes, replicas, standIn, isCalm: false, requests: 0, quotes: 0 }
  standIn.onQuote = (swap) => {
    const asked = swap.response.quoteRequest as { readonly amount: string }
    swap.steps = scriptOf(Number(asked.amount) - AMOUNT).says(swap.response.quote)
    if (!swap.isTampered && options.quoteCrashesAt.has(++round.quotes)) for (const one of processes) one.crash()
  }
  standIn.chance = (call) => {
    if (round.isCalm) return undefined
    if (options.crashesAt.has(++round.requests)) processes[random.below(2)]!.crash()
    return dice.roll(call)
  }
  return { round, database: Database.layer(address) }
})
