import { setTimeout as sleep } from "node:timers/promises"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { IntentsStandIn } from "../../../bridge/test/IntentsStandIn.ts"
import { SeededRandom } from "../../../indexer/fixtures/SeededRandom.ts"
import { databasePair } from "../promotion/DatabasePair.ts"
import { followedStream, storedChanges } from "../promotion/FollowedStream.ts"
import { freePort } from "../RunningService.ts"
import { temporaryFolder } from "../TemporaryFolder.ts"
import { WEBHOOK_SECRET } from "./DeliveryWriter.ts"
import { deriveAgain } from "./DeriveAgain.ts"
import { DurableClient } from "./DurableClient.ts"
import { killPostgres } from "./KillPostgres.ts"
import { Ledger } from "./Ledger.ts"
import { supervised } from "./Supervised.ts"
import { writeMeanwhile } from "./WriteMeanwhile.ts"

const LOOK_MILLIS = 20
/** Acknowledged writes before each kill; the last one comes while what was killed before it is starting. */
const KILLS = [
  { after: 40, service: true, postgres: false },
  { after: 40, service: false, postgres: true },
  { after: 40, service: true, postgres: true },
  { after: 0, service: true, postgres: false },
]
/** Acknowledged writes before and after the promotion, more than it takes to reach every kind. */
const ACKNOWLEDGED_MIN = 150

export const serviceEnvironment = (databaseUrl: string, folder: string) => ({
  ...{ DATABASE_URL: databaseUrl, DATA_FOLDER: folder },
  // The local chain does not know the delivered transactions and would revert them.
  ...{ HELIUS_WEBHOOK_SECRET: WEBHOOK_SECRET, INDEXER_SOURCE: "off", LOG_LEVEL: "error" },
})

export const waitFor = async (holds: () => boolean, signal?: AbortSignal) => {
  while (!holds()) {
    signal?.throwIfAborted()
    await sleep(LOOK_MILLIS)
  }
}

/**
 * Two processes under every kind of write. One of them and the primary are killed with -9, and start again; then the primary is killed for
 * good, and its standby, a synchronous one, is promoted.
 */
export const durabilityRound = Effect.fnUntraced(function* (seed: number) {
  const pair = yield* databasePair({ isSynchronous: true })
  const standIn = yield* IntentsStandIn.make()
  const chainPort = String(yield* Effect.promise(freePort))
  const ledger = new Ledger()
  const random = new SeededRandom(seed)
  const found = yield* Effect.gen(function* () {
    const written = yield* supervised({
      ...serviceEnvironment(pair.address.url, yield* temporaryFolder),
      ...{ INTENTS_URL: standIn.url, INTENTS_QUOTE_KEY: standIn.publicKey, LOCAL_CHAIN_PORT: chainPort },
      INTENTS_REQUESTS_PER_SECOND: "1000",
    })
    const other = yield* supervised({
      ...serviceEnvironment(pair.address.url, yield* temporaryFolder),
      ...{ NETWORK: "localnet", RPC_URL: `http://127.0.0.1:${chainPort}`, RPC_GENESIS_HASH: "any" },
    })
    const streams = [yield* followedStream(written.url), yield* followedStream(other.url)]
    const writers = yield* Effect.promise(async (interruption) => {
      const failure = new AbortController()
      const signal = AbortSignal.any([interruption, failure.signal])
      const client = new DurableClient(written.url, ledger, signal)
      const seen = () => Math.min(...streams.map((one) => one.seen.length))
      const more = (writes: number, events: number) => {
        const before = { writes: ledger.total, seen: seen() }
        return waitFor(() => ledger.total >= before.writes + writes && seen() >= before.seen + events, signal)
      }
      return writeMeanwhile({ client, failure, ledger, random }, async () => {
        for (const { after, postgres, service } of KILLS) {
          await more(after, 0)
          await Promise.all([service && written.kill(), postgres && killPostgres(pair.primary.folder, signal)])
        }
        await more(ACKNOWLEDGED_MIN, 1)
        await waitFor(() => !ledger.isMissingAny, signal)
        pair.address.moveTo(undefined)
        await Effect.runPromise(Effect.andThen(pair.killPrimary, pair.promote))
        await more(ACKNOWLEDGED_MIN, 1)
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
    return { stored, streams: streams.map(({ seen }) => [...seen]) }
  }).pipe(Effect.scoped)
  return { ...found, ...(yield* pair.asStandby(deriveAgain(pair.address.url))), ledger }
})
