import { assert, describe, it } from "@effect/vitest"
import { DeadLetters } from "@launch-registry/domain/system/DeadLetters"
import { WebhookInbox } from "@launch-registry/domain/webhooks/WebhookInbox"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { generateBlocks } from "../fixtures/GenerateTransactions.ts"
import { appendTransactions } from "../src/inbox/IngestLog.ts"
import { DeadLettersLayer } from "../src/inbox/DeadLetters.ts"
import { groupCommit } from "../src/inbox/GroupCommit.ts"
import { fold, lead, testIndex } from "./TestIndex.ts"

const all = [...generateBlocks({ seed: 9, slots: 4, transactionsPerSlot: 3, isLarge: false })].flatMap(
  (block) => block.transactions,
)
const index = Layer.provideMerge(DeadLettersLayer, groupCommit().pipe(Layer.provideMerge(testIndex)))

const FIRST = { after: undefined, limit: 100 }

describe("Dead letters", () => {
  it.live("are listed with their reasons, and read as they were received, until retention deletes their bytes", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const unread = yield* DeadLetters
      const fence = yield* lead
      const odd = all.map((transaction, at) => (at === 2 ? { ...transaction, blockTime: 9e15 } : transaction))
      // As the chain would answer it: what others deliver so is poison.
      yield* appendTransactions("follow", odd)
      yield* fold(fence)
      const [row] = yield* unread.letters(FIRST)
      const { id, signature, slot } = row!.item
      assert.deepInclude(odd[2]!.transaction.signatures, signature)
      assert.strictEqual(slot, String(odd[2]!.slot))
      const letter = yield* unread.letter(id)
      assert.isAbove(letter.reason.length, 0)
      assert.deepInclude(JSON.parse(letter.body!), { slot: odd[2]!.slot, blockTime: 9e15 })
      assert.strictEqual(letter.length, letter.body!.length)

      for (const none of ["0-0", "999999999999999999-999999999", `${id.split("-")[0]}-77`])
        assert.strictEqual((yield* Effect.flip(unread.letter(none)))._tag, "NotFound")
      yield* sql`delete from inbox_segments`
      assert.deepInclude(yield* unread.letter(id), { body: null, length: 0 })
    }).pipe(Effect.provide(index)),
  )

  it.live("that are long are cut off, and deliveries that cannot be read are shown by their first bytes", () =>
    Effect.gen(function* () {
      const { receive } = yield* WebhookInbox
      const unread = yield* DeadLetters
      const fence = yield* lead
      const long = { ...all[0]!, blockTime: 9e15, meta: { ...all[0]!.meta, logMessages: ["x".repeat(150_000)] } }
      yield* appendTransactions("follow", [long])
      yield* fold(fence)
      const [row] = yield* unread.letters(FIRST)
      const letter = yield* unread.letter(row!.item.id)
      assert.isAtMost(letter.body!.length, 100_000)
      assert.isAtLeast(letter.length, letter.body!.length)

      const garbage = Buffer.concat([Buffer.from("not json \0 "), Buffer.from([0xff, 0xc3]), Buffer.alloc(5_000, "y")])
      yield* receive(garbage)
      yield* receive(Buffer.from("[1,2"))
      const deliveries = (yield* unread.poison(FIRST)).map(({ item }) => item)
      assert.lengthOf(deliveries, 2)
      const first = deliveries.find(({ excerpt }) => excerpt.startsWith("not json"))
      assert.strictEqual(first!.source, "webhook")
      assert.isAtMost(first!.excerpt.length, 1_000)
      assert.isAbove(first!.bytes, 5_000)
      const pages = yield* unread.poison({ after: undefined, limit: 1 })
      const rest = yield* unread.poison({ after: pages[0]!.position, limit: 10 })
      assert.sameMembers(
        [...pages, ...rest].map(({ item }) => item.digest),
        deliveries.map(({ digest }) => digest),
      )
    }).pipe(Effect.provide(index)),
  )
})
