import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { completeTransactions } from "../../src/finality/CompleteTransactions.ts"
import { changesOf } from "../../src/modules/DatabaseChanges.ts"
import { Sink } from "../../src/sink/Sink.ts"
import { signatureOf, standInCluster } from "../StandInCluster.ts"
import { digest, fold, forget, lead, receive } from "../TestIndex.ts"
import { completeAll, isOurChain, poisonLeft, textOf } from "./CompletedIndex.ts"
import { blocks, digestOfAll, landed, reconciledIndex } from "./ReconciledIndex.ts"

const swap = landed.find((one) => changesOf([one]).trades.length > 0)!

describe("A transaction whose body is dropped for the chain's version", () => {
  it.live("is never lost, wherever the process is killed in between", () =>
    Effect.gen(function* () {
      const cluster = yield* standInCluster(blocks)
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient
        const fence = yield* lead
        const whole = yield* digestOfAll(fence, [swap])
        const sink = yield* Sink
        const killed = Effect.die(new Error("killed"))
        for (const [drop, isInLog] of [
          [() => killed, true],
          [(...call: Parameters<typeof sink.drop>) => Effect.andThen(sink.drop(...call), killed), false],
        ] as const) {
          yield* forget
          yield* sql`alter table trades add constraint refused check (signature <> ${sql.literal(`'${signatureOf(swap)}'`)})`
          yield* receive([textOf([swap])])
          yield* fold(fence)
          yield* sql`alter table trades drop constraint refused`
          const complete = yield* Effect.provideService(completeTransactions, Sink, { ...sink, drop })
          assert.strictEqual((yield* Effect.exit(complete(fence, isOurChain)))._tag, "Failure")
          assert.lengthOf(yield* sql`select from inbox_transactions`, isInLog ? 1 : 0)
          const due = yield* sql`select signature from inbox_poison where due_at is not null`
          assert.deepStrictEqual(due, [{ signature: signatureOf(swap) }])
          // Another process leads.
          yield* completeAll(fence)
          assert.deepStrictEqual(yield* digest, whole)
          assert.deepStrictEqual(yield* poisonLeft, [])
        }
      }).pipe(Effect.provide(reconciledIndex(cluster)))
    }),
  )
})
