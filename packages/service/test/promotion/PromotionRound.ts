import { execFile } from "node:child_process"
import { setTimeout as sleep } from "node:timers/promises"
import { promisify } from "node:util"
import { digestOf, type TableDigest } from "@launch-registry/indexer/replay/Digest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { commandFile } from "../CommandFile.ts"
import { IntentsStandIn } from "../../../bridge/test/IntentsStandIn.ts"
import { SeededRandom } from "../../../indexer/fixtures/SeededRandom.ts"
import { WEBHOOK_SECRET } from "../durability/DeliveryWriter.ts"
import { DurableClient } from "../durability/DurableClient.ts"
import { type Kind, Ledger } from "../durability/Ledger.ts"
import { Supervised } from "../durability/Supervised.ts"
import { writeMeanwhile } from "../durability/WriteMeanwhile.ts"
import { freePort } from "../RunningService.ts"
import { temporaryFolder } from "../TemporaryFolder.ts"
import { databasePair } from "./DatabasePair.ts"
import { followedStream, type SeenEvent, storedChanges } from "./FollowedStream.ts"

const INDEXER = commandFile("indexer")
const LOOK_MILLIS = 20
/** More than the processes and their writers need to reach every kind. */
const ACKNOWLEDGED_MIN = 150

/** When each write was acknowledged, in milliseconds. */
export class TimedLedger extends Ledger {
  readonly times: Array<number> = []

  override acknowledge(kind: Kind): void {
    super.acknowledge(kind)
    this.times.push(performance.now())
  }

  /** From the last acknowledged write before a moment to the first one after it, in milliseconds. */
  pauseAt(moment: number): number {
    const after = this.times.findIndex((at) => at > moment)
    return this.times[after]! - this.times[after - 1]!
  }
}

export interface PromotionFigures {
  readonly ledger: TimedLedger
  /** From the last write that the primary acknowledged to the first of the promoted standby, as clients saw it. */
  readonly pauseMillis: number
  /** What readers of the stream saw, each in its order. */
  readonly streams: ReadonlyArray<ReadonlyArray<SeenEvent>>
  /** Ids of the changes that the promoted server has. */
  readonly stored: ReadonlyArray<string>
  /** Digests of the derived tables, and after they were derived from the log once more. */
  readonly derived: ReadonlyArray<TableDigest>
  readonly replayed: ReadonlyArray<TableDigest>
}

export const serviceEnvironment = (databaseUrl: string, folder: string) => ({
  ...{ DATABASE_URL: databaseUrl, DATA_FOLDER: folder },
  // The local chain does not know the delivered transactions and would revert them.
  ...{ HELIUS_WEBHOOK_SECRET: WEBHOOK_SECRET, INDEXER_SOURCE: "off", LOG_LEVEL: "error" },
})

/** A service on a database; its process is replaced when it ends. */
export const supervised = (environment: Readonly<Record<string, string>>) =>
  Effect.acquireRelease(
    Effect.promise(() => Supervised.start(environment)),
    (service) => Effect.promise(() => service.stop()),
  )

export const waitFor = async (holds: () => boolean, signal?: AbortSignal) => {
  while (!holds()) {
    signal?.throwIfAborted()
    await sleep(LOOK_MILLIS)
  }
}

/** The derived tables, as they are and after a replay. */
export const deriveAgain = Effect.fnUntraced(function* (databaseUrl: string) {
  const sql = yield* SqlClient
  const derived = yield* digestOf(sql)
  yield* Effect.promise(() =>
    promisify(execFile)(process.execPath, [INDEXER, "replay"], {
      env: { PATH: process.env.PATH, DATABASE_URL: databaseUrl, INDEXER_SOURCE: "off" },
    }),
  )
  return { derived, replayed: yield* digestOf(sql) }
})

/** Two processes under every kind of write, whose primary is killed with -9 and whose standby, a synchronous one, is promoted. */
export const promotionRound = Effect.fnUntraced(function* (options: { readonly seed: number }) {
  const pair = yield* databasePair({ isSynchronous: true })
  const standIn = yield* IntentsStandIn.make()
  const chainPort = String(yield* Effect.promise(freePort))
  const environment = {
    ...serviceEnvironment(pair.address.url, yield* temporaryFolder),
    LOCAL_CHAIN_PORT: chainPort,
    ...{ INTENTS_URL: standIn.url, INTENTS_QUOTE_KEY: standIn.publicKey },
    INTENTS_REQUESTS_PER_SECOND: "1000",
  }
  const ledger = new TimedLedger()
  const random = new SeededRandom(options.seed)
  const round = Effect.gen(function* () {
    const written = yield* supervised(environment)
    const other = yield* supervised({
      ...serviceEnvironment(pair.address.url, yield* temporaryFolder),
      ...{ NETWORK: "localnet", RPC_URL: `http://127.0.0.1:${chainPort}`, RPC_GENESIS_HASH: "any" },
    })
    const streams = [yield* followedStream(written.url), yield* followedStream(other.url)]
    let promotedAt = 0
    const killed = Effect.andThen(pair.killPrimary, pair.promote)
    const writers = yield* Effect.promise(async (interruption) => {
      const failure = new AbortController()
      const signal = AbortSignal.any([interruption, failure.signal])
      const client = new DurableClient(written.url, ledger, signal)
      const seeing = (events: number) => () => streams.every(({ seen }) => seen.length >= events)
      return writeMeanwhile({ client, failure, ledger, random }, async () => {
        await waitFor(() => ledger.total >= ACKNOWLEDGED_MIN && !ledger.isMissingAny && seeing(1)(), signal)
        pair.address.moveTo(undefined)
        await Effect.runPromise(killed)
        promotedAt = performance.now()
        const before = { total: ledger.total, events: Math.max(...streams.map(({ seen }) => seen.length)) }
        await waitFor(() => ledger.total >= before.total + ACKNOWLEDGED_MIN && seeing(before.events + 1)(), signal)
      })
    })
    const stored = yield* pair.asStandby(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        for (const writer of writers) yield* writer.audit(sql)
        return yield* storedChanges(sql)
      }),
    )
    // Readers have what is stored, and nothing more is written.
    yield* Effect.promise((signal) =>
      waitFor(() => streams.every(({ seen }) => seen.at(-1)?.id === stored.at(-1)), signal),
    )
    ledger.faults.push(...written.gaveUp, ...other.gaveUp)
    return { pauseMillis: ledger.pauseAt(promotedAt), stored, streams: streams.map(({ seen }) => [...seen]) }
  })
  const found = yield* Effect.scoped(round)
  const derivations = yield* pair.asStandby(deriveAgain(pair.address.url))
  return { ...found, ...derivations, ledger } satisfies PromotionFigures
})
