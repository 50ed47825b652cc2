import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { SeededRandom } from "../../../indexer/fixtures/SeededRandom.ts"
import { deliveryWriter } from "../durability/DeliveryWriter.ts"
import { deriveAgain } from "../durability/DeriveAgain.ts"
import { serviceEnvironment, waitFor } from "../durability/DurabilityRound.ts"
import { DurableClient } from "../durability/DurableClient.ts"
import { Ledger } from "../durability/Ledger.ts"
import { supervised } from "../durability/Supervised.ts"
import { temporaryFolder } from "../TemporaryFolder.ts"
import { databasePair } from "./DatabasePair.ts"
import { followedStream, storedChanges } from "./FollowedStream.ts"

const SEED = 29
const DELIVERIES = 12

describe("A primary whose standby lacks the newest commits, killed with -9", () => {
  it.live("loses them to the promotion: readers are told, ids are not used again, and what comes after is right", () =>
    Effect.gen(function* () {
      const pair = yield* databasePair({ isSynchronous: false })
      const ledger = new Ledger()
      const random = new SeededRandom(SEED)
      const { before, lost, seen, stored } = yield* Effect.gen(function* () {
        const { gaveUp, url } = yield* supervised(serviceEnvironment(pair.address.url, yield* temporaryFolder))
        const { seen: events } = yield* followedStream(url)
        const client = new DurableClient(url, ledger, new AbortController().signal)
        const writers = [0, 1, 2].map(() => deliveryWriter({ client, ledger, random: random.split() }))
        const [first, second, third] = writers as [(typeof writers)[0], (typeof writers)[0], (typeof writers)[0]]
        /** Delivers, until the reader of the stream has all that was committed on a server. */
        const deliver = (writer: typeof first, stored: Effect.Effect<ReadonlyArray<string>, unknown>) =>
          Effect.gen(function* () {
            for (let delivery = 0; delivery < DELIVERIES; delivery++) yield* Effect.promise(writer.write)
            const isSeen = Effect.map(stored, (ids) => ids.at(-1) === events.at(-1)?.id)
            yield* Effect.repeat(Effect.delay(isSeen, 50), { until: (isDone) => isDone })
          })
        const onPrimary = pair.asPrimary(Effect.flatMap(SqlClient, storedChanges))
        const onStandby = pair.asStandby(Effect.flatMap(SqlClient, storedChanges))
        yield* deliver(first, onPrimary)
        yield* pair.asPrimary(Effect.flatMap(SqlClient, (sql) => first.audit(sql)))
        yield* pair.detachStandby
        const kept = yield* onStandby
        yield* deliver(second, onPrimary)
        const all = yield* onPrimary
        pair.address.moveTo(undefined)
        yield* pair.killPrimary
        yield* pair.promote
        yield* Effect.promise((signal) => waitFor(() => events.some(({ type }) => type === "reset"), signal))
        yield* deliver(third, onStandby)
        yield* pair.asStandby(Effect.flatMap(SqlClient, (sql) => third.audit(sql)))
        ledger.faults.push(...gaveUp)
        return { before: kept, lost: all.slice(kept.length), seen: [...events], stored: yield* onStandby }
      }).pipe(Effect.scoped)
      assert.deepStrictEqual([...ledger.lost, ...ledger.doubled, ...ledger.serverErrors, ...ledger.faults], [])

      assert.isAbove(lost.length, 0)
      assert.deepStrictEqual(stored.slice(0, before.length), before)
      const after = stored.slice(before.length)
      const commitOf = (id: string | undefined) => Number(id!.split("-")[0])
      assert.isAbove(commitOf(after[0]), commitOf(lost.at(-1)) + 1)
      // The reader saw what was lost, was told so once, and then has everything that it has not seen the end of.
      const reset = seen.findIndex(({ type }) => type === "reset")
      const ids = seen.map(({ id }) => id)
      const committed = [...before, ...lost]
      const from = committed.indexOf(ids[0]!)
      assert.deepStrictEqual(ids.slice(0, reset), committed.slice(from, from + reset))
      assert.include(ids.slice(0, reset), lost[0])
      assert.deepStrictEqual(ids.slice(reset + 1), after)
      assert.lengthOf(
        seen.filter(({ type }) => type === "reset"),
        1,
      )

      const { derived, replayed } = yield* pair.asStandby(deriveAgain(pair.address.url))
      assert.deepStrictEqual(derived, replayed)
    }).pipe(Effect.scoped),
  )
})
