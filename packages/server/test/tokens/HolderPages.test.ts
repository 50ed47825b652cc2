import { encodeBase58 } from "@launch-registry/domain/solana/Base58"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { holderPage } from "../../src/tokens/HolderPages.ts"

const Amounts = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 5 })))
const Limit = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 7 }))

const MINT = encodeBase58(new Uint8Array(32).fill(3))

const addressOf = (index: number) => encodeBase58(new Uint8Array(32).fill(index % 256)) as never

/** Ranked as the service ranks them. */
const ranked = (amounts: ReadonlyArray<number>) =>
  amounts
    .map((amount, index) => ({ address: addressOf(index + 1), amount: String(amount), share: 0 }))
    .sort((left, right) => Number(right.amount) - Number(left.amount) || (left.address < right.address ? -1 : 1))

describe("Pages of holders", () => {
  it.effect.prop("partition the list", [Amounts, Limit], ([amounts, limit]) =>
    Effect.gen(function* () {
      const all = ranked(amounts)
      const seen: Array<unknown> = []
      let cursor: string | undefined
      for (let pages = 0; pages <= all.length; pages++) {
        const page = yield* holderPage(MINT, all, { limit, cursor })
        assert.isAtMost(page.holders.length, limit)
        seen.push(...page.holders)
        if (page.pagination?.nextCursor === null) break
        cursor = page.pagination!.nextCursor
      }
      assert.deepStrictEqual(seen, all)
    }),
  )

  it.effect("have no cursor when the list is complete, and refuse invalid cursors", () =>
    Effect.gen(function* () {
      const all = ranked([3, 1])
      assert.deepStrictEqual(yield* holderPage(MINT, all, {}), { holders: all })
      for (const cursor of ["x", "MS4x", Buffer.from("1.nobody").toString("base64url")]) {
        const error = yield* Effect.flip(holderPage(MINT, all, { cursor }))
        assert.strictEqual(error.issues[0]!.path, "query.cursor")
      }
    }),
  )
})
