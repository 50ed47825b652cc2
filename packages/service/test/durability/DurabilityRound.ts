import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { withNewCluster } from "@launch-registry/migrations/NewCluster"
import * as Database from "@launch-registry/postgres/Database"
import { embeddedPostgres } from "@launch-registry/postgres/embedded/EmbeddedPostgres"
import { Effect, Logger } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { SeededRandom } from "../../../indexer/fixtures/SeededRandom.ts"
import { IntentsStandIn } from "../../../bridge/test/IntentsStandIn.ts"
import { WEBHOOK_SECRET } from "./DeliveryWriter.ts"
import { DurableClient } from "./DurableClient.ts"
import { killPostgres } from "./KillPostgres.ts"
import { nextKill, type Target, TARGETS } from "./KillSchedule.ts"
import { Ledger } from "./Ledger.ts"
import { Supervised } from "./Supervised.ts"
import { writeMeanwhile } from "./WriteMeanwhile.ts"

export interface DurabilityOptions {
  readonly seed: number
  readonly kills: number
  /** Kills end after this time, however many there were. */
  readonly secondsMax: number
  readonly onKill?: (figures: DurabilityFigures) => void
}

export interface DurabilityFigures {
  readonly seed: number
  readonly kills: ReadonlyMap<Target, number>
  readonly ledger: Ledger
  /** From a kill to the first successful read that needs the database. */
  slowestRestartMillis: number
}

const READ = "/api/tokens?limit=1"
const READ_MILLIS = 25
const READ_DEADLINE_MILLIS = 20_000

/** When a read that needs the database succeeded. */
const answeredAt = async (url: string, signal: AbortSignal): Promise<number> => {
  for (;;) {
    signal.throwIfAborted()
    const isAnswered = await fetch(`${url}${READ}`, { signal: AbortSignal.timeout(READ_DEADLINE_MILLIS) })
      .then(async (response) => (await response.arrayBuffer(), response.ok))
      .catch(() => false)
    if (isAnswered) return performance.now()
    await sleep(READ_MILLIS)
  }
}

const setUp = Effect.gen(function* () {
  const folder = mkdtempSync(join(tmpdir(), "registry-durability-"))
  yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(folder, { recursive: true, force: true })))
  const postgres = yield* Effect.provide(embeddedPostgres({ folder: withNewCluster(folder) }), Logger.layer([]))
  const standIn = yield* IntentsStandIn.make()
  const { database, socketDirectory, username } = postgres.address
  const environment = {
    DATABASE_URL: `postgres://${username}@localhost/${database}?host=${socketDirectory}`,
    DATA_FOLDER: folder,
    // The local chain does not know the delivered transactions and would revert them.
    ...{ HELIUS_WEBHOOK_SECRET: WEBHOOK_SECRET, INDEXER_SOURCE: "off" },
    ...{ INTENTS_URL: standIn.url, INTENTS_QUOTE_KEY: standIn.publicKey },
    INTENTS_REQUESTS_PER_SECOND: "1000",
    LOG_LEVEL: "error",
  }
  const service = yield* Effect.acquireRelease(
    Effect.promise(() => Supervised.start(environment)),
    (supervised) => Effect.promise(() => supervised.stop()),
  )
  return { postgres, service }
})

/**
 * A service and a PostgreSQL of its own, killed separately or together and restarted, under every kind of writer; and
 * the acknowledged writes that survive.
 */
export const durabilityRound = Effect.fnUntraced(function* (options: DurabilityOptions) {
  const { postgres, service } = yield* setUp
  const random = new SeededRandom(options.seed)
  const schedule = random.split()
  const ledger = new Ledger()
  const kills = new Map<Target, number>(TARGETS.map((target) => [target, 0]))
  const figures: DurabilityFigures = { seed: options.seed, kills, ledger, slowestRestartMillis: 0 }

  const killing = async (signal: AbortSignal) => {
    await answeredAt(service.url, signal)
    const endAt = performance.now() + options.secondsMax * 1_000
    let restarting: Promise<unknown> = Promise.resolve()
    for (let kill = 0; kill < options.kills && performance.now() < endAt; kill++) {
      const { afterMillis, isWaited, target } = nextKill(schedule)
      if (isWaited) await restarting
      await sleep(afterMillis)
      signal.throwIfAborted()
      const killedAt = performance.now()
      await Promise.all([
        ...(target === "PostgreSQL" ? [] : [service.kill()]),
        ...(target === "service" ? [] : [killPostgres(postgres.folder, signal)]),
      ])
      kills.set(target, kills.get(target)! + 1)
      restarting = answeredAt(service.url, signal).then((at) => {
        figures.slowestRestartMillis = Math.max(figures.slowestRestartMillis, at - killedAt)
      })
      restarting.catch(() => undefined)
      options.onKill?.(figures)
    }
    await restarting
  }

  const writers = yield* Effect.promise(async (interruption) => {
    const failure = new AbortController()
    const signal = AbortSignal.any([interruption, failure.signal])
    const client = new DurableClient(service.url, ledger, signal)
    return writeMeanwhile({ client, failure, ledger, random }, () => killing(signal))
  })

  yield* Effect.flatMap(SqlClient, (sql) =>
    Effect.forEach(writers, (writer) => writer.audit(sql), { discard: true }),
  ).pipe(Effect.provide(Database.layer(postgres.address)))
  ledger.faults.push(...service.gaveUp)
  return { figures, linesWith: (text: string) => service.linesWith(text) }
})
