import { assert, describe, it } from "@effect/vitest"
import type { RawTransaction } from "@launch-registry/chain/transactions/RawTransaction"
import { Arbitrary, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { examples, SEED } from "../../../../scripts/Laws.ts"
import { forkOf } from "../../fixtures/ForkBlock.ts"
import type { Fence } from "../../src/leader/Lease.ts"
import { signatureOf, standInCluster, type StandInCluster } from "../StandInCluster.ts"
import { digest, fold, forget, lead, receiveTransactions } from "../TestIndex.ts"
import {
  between,
  blocks,
  covered,
  digestOfAll,
  forged,
  LAST,
  landed,
  ORIGIN,
  randomSignature,
  reconciledIndex,
  round,
  without,
} from "./ReconciledIndex.ts"

const SLOTS = LAST - ORIGIN
/** Finality lags deliveries by so many slots, or comes with them. */
const BEHIND = [6, 0]

const Step = Schema.Literals([
  ...(["grow", "grow", "grow", "round", "round", "fold"] as const),
  ...(["late", "forge", "fork", "break", "lie", "forget", "recover"] as const),
])

/** A growing chain, an unreliable sender and an unreliable node. */
class Course {
  readonly #cluster: StandInCluster
  readonly #fence: Fence
  readonly #lost: Array<RawTransaction> = []
  readonly #delivered: Array<RawTransaction> = []
  readonly #behind: number
  #number = 0
  #head = -1

  constructor(cluster: StandInCluster, fence: Fence, behind: number) {
    this.#behind = behind
    this.#cluster = cluster
    this.#fence = fence
    cluster.recover()
    cluster.finalizedSlot = ORIGIN - 1
    cluster.confirmedSlot = ORIGIN - 1
  }

  step(step: typeof Step.Type) {
    const number = this.#number++
    const cluster = this.#cluster
    return Effect.gen({ self: this }, function* () {
      switch (step) {
        case "grow": {
          const fresh = between(this.#head + 1, this.#head + 4)
          this.#head = Math.min(this.#head + 4, SLOTS)
          cluster.confirmedSlot = ORIGIN + this.#head
          cluster.finalizedSlot = Math.max(cluster.finalizedSlot, ORIGIN + this.#head - this.#behind)
          const delivered = without(0.25, number, fresh)
          this.#lost.push(...fresh.filter((one) => !delivered.includes(one)))
          this.#delivered.push(...delivered)
          return yield* receiveTransactions(delivered)
        }
        case "late":
          return yield* receiveTransactions(this.#lost.splice(number % 3, 4))
        case "forge": {
          const from = landed[(number * 37) % landed.length]!
          const slot = ORIGIN + ((number * 11) % (SLOTS + 1))
          return yield* receiveTransactions([
            forged(from, { signature: randomSignature(number) }),
            forged(from, { slot: slot === from.slot ? slot + 1 : slot }),
          ])
        }
        case "fork": {
          const fork = forkOf(blocks[Math.max(this.#head, 0)]!, number)
          return yield* receiveTransactions(fork.block.transactions)
        }
        case "break":
          return cluster.fail({ code: -32603 }, { times: 1 + (number % 4) })
        case "lie": {
          // A transaction that was never delivered nor listed cannot be known.
          const known = this.#delivered[(number * 53) % this.#delivered.length]
          return known && cluster.omitted.add(signatureOf(known))
        }
        case "forget":
          return (cluster.firstAvailableSlot = ORIGIN + this.#head - 5)
        case "recover":
          return cluster.recover()
        case "fold":
          return yield* fold(this.#fence)
        case "round":
          return yield* Effect.catchTag(round(this.#fence), "HistoryIncomplete", () => Effect.void)
      }
    })
  }

  /** The node answers completely, and everything is finalized. */
  get end() {
    return Effect.gen({ self: this }, function* () {
      this.#cluster.recover()
      this.#cluster.finalize(LAST)
      yield* round(this.#fence)
      yield* fold(this.#fence)
    })
  }
}

/** Eight histories exceed the default timeout on a busy machine. */
const LIMIT_MILLIS = 240_000

describe("Whatever is delivered, lost, forged and answered,", () => {
  it.live(
    "everything ends up proven, with the tables of the chain",
    () =>
      Effect.gen(function* () {
        const cluster = yield* standInCluster(blocks)
        yield* Effect.gen(function* () {
          const sql = yield* SqlClient
          const fence = yield* lead
          const whole = yield* digestOfAll(fence)
          const takes = Effect.fnUntraced(function* (steps: ReadonlyArray<typeof Step.Type>) {
            yield* forget
            yield* sql`delete from indexer_reports`
            yield* sql`update indexer_progress set checked_offset = 0`
            const course = new Course(cluster, fence, BEHIND[steps.length % BEHIND.length]!)
            for (const step of steps) yield* course.step(step)
            yield* course.end
            assert.deepStrictEqual(yield* covered, [[0, SLOTS]])
            assert.deepStrictEqual(yield* digest, whole)
            return true
          })
          const result = yield* Arbitrary.checkEffect(Arbitrary.schema(Schema.Array(Step)), takes, {
            runs: examples(8, 80),
            size: 40,
            seed: SEED + 19,
            maxShrinks: 100,
          })
          assert.isUndefined(Arbitrary.formatCheckFailure(result))
        }).pipe(Effect.provide(reconciledIndex(cluster)))
      }),
    LIMIT_MILLIS,
  )
})
