import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { examples } from "../../../../scripts/Laws.ts"
import { SeededRandom } from "../../fixtures/SeededRandom.ts"
import { provenRange } from "../../src/pools/ProvenRange.ts"
import { forget, testIndex } from "../TestIndex.ts"

const SLOTS = 40
const CURSOR = 4

interface Subject {
  /** From where it has to be proven. */
  readonly fromSlot: number
  readonly isProven: ReadonlyArray<boolean>
}

describe("What is proven for the program and all migrated pools", () => {
  it.live("is what is proven for each of them, slot by slot", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      for (let seed = 1; seed <= examples(40, 2_000); seed++) {
        yield* forget
        yield* sql`update indexer_progress set module_hash = 'modules', log_offset = ${CURSOR}, slot = 60`
        const random = new SeededRandom(seed)
        const cover = Effect.fnUntraced(function* (pool: string, share: number) {
          const isProven = Array.from({ length: SLOTS }, () => false)
          for (let slot = random.below(4); slot < SLOTS;) {
            const toSlot = Math.min(slot + random.below(14), SLOTS - 1)
            const logOffset = random.chance(share) ? CURSOR : CURSOR + 1
            const row = { fromSlot: slot, toSlot, provenBy: "rpc", provenAt: new Date(0), logOffset }
            yield* sql`insert into coverage ${sql.insert({ ...row, pool })}`
            if (logOffset === CURSOR) isProven.fill(true, slot, toSlot + 1)
            slot = toSlot + 1 + (random.chance(0.8) ? 0 : random.below(4))
          }
          return isProven
        })
        const program: Subject = { fromSlot: 0, isProven: yield* cover("", 0.95) }
        const pools: Array<Subject> = []
        for (let number = random.below(4); number > 0; number--) {
          const pool = `pool ${number}`
          const fromSlot = random.below(SLOTS)
          const isFollowed = random.chance(0.8)
          yield* sql`
            insert into dbc_pools (pool, base_mint, quote_mint, config, creator, name, symbol, uri, pool_type,
              created_slot, created_at, migrated_slot, migrated_pool)
            values (${`curve of ${pool}`}, 'mint', 'quote', 'config', 'creator', 'n', 's', 'u', 0, 0, now(),
              ${fromSlot}, ${pool})`
          const venue = random.chance(0.85) ? "damm_v2" : null
          if (isFollowed)
            yield* sql`
              insert into followed_pools (pool, venue, from_slot, active_slot, followed_at, due_at)
              values (${pool}, ${venue}, ${fromSlot}, 0, now(), now())`
          const isProven = yield* cover(pool, 0.9)
          if (!isFollowed) pools.push({ fromSlot, isProven: isProven.map(() => false) })
          else if (venue !== null) pools.push({ fromSlot, isProven })
        }
        const range = provenRange(sql)
        const origin = random.below(SLOTS)
        const holds = (slot: number) =>
          [program, ...pools].every(({ fromSlot, isProven }) => slot < fromSlot || isProven[slot]!)
        let last = origin - 1
        while (last + 1 < SLOTS && holds(last + 1)) last++
        const expected = last < origin ? undefined : BigInt(last)
        assert.strictEqual(yield* range.onFrom(BigInt(origin)), expected, `seed ${seed}`)
      }
    }).pipe(Effect.provide(testIndex)),
  )
})
