import { assert, describe, it } from "@effect/vitest"
import { WebhookInbox } from "@launch-registry/domain/webhooks/WebhookInbox"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { generateBlocks } from "../fixtures/GenerateTransactions.ts"
import { groupCommit } from "../src/inbox/GroupCommit.ts"
import { postgresLog } from "../src/inbox/PostgresLog.ts"
import { readBody, transactionsIn } from "../src/inbox/ReadBody.ts"
import { replay } from "../src/replay/Rebuild.ts"
import { digest, fold, forget, lead, testIndex } from "./TestIndex.ts"

const all = [...generateBlocks({ seed: 9, slots: 12, transactionsPerSlot: 6, isLarge: false })].flatMap(
  (block) => block.transactions,
)
const swap = all.find(({ meta, transaction }) => meta.err === null && transaction.message.accountKeys.length > 12)!
/** The same swap as another transaction, changed. */
// oxlint-disable-next-line typescript/no-explicit-any
const changed = (index: number, change: (copy: any) => void): string => {
  const copy = structuredClone(swap) as unknown as { transaction: { signatures: Array<string> } }
  copy.transaction.signatures[0] = `${"abcdefghij"[index]}${copy.transaction.signatures[0]!.slice(1)}`
  change(copy)
  return JSON.stringify([copy])
}

const POISON: Readonly<Record<string, string>> = {
  "a byte order mark before it": `\ufeff${changed(0, () => undefined)}`,
  "a time beyond all calendars": changed(1, (copy) => void (copy.blockTime = 9e15)),
  "a time before the first": changed(2, (copy) => void (copy.blockTime = -9e12)),
  "no time": changed(3, (copy) => void (copy.blockTime = null)),
  "accounts that are objects": changed(4, (copy) => {
    copy.transaction.message.accountKeys = copy.transaction.message.accountKeys.map((key: string) =>
      key.startsWith("dbcij") ? key : { pubkey: key },
    )
  }),
  "accounts with NUL": changed(5, (copy) => {
    copy.transaction.message.accountKeys = copy.transaction.message.accountKeys.map((key: string) =>
      key.startsWith("dbcij") ? key : `\u0000${key}`,
    )
  }),
  "accounts that are null": changed(6, (copy) => {
    copy.transaction.message.accountKeys = copy.transaction.message.accountKeys.map((key: string) =>
      key.startsWith("dbcij") ? key : null,
    )
  }),
  "a place that no block has": changed(7, (copy) => void (copy.indexWithinBlock = 2 ** 40)),
  "no outcome": changed(8, (copy) => void delete copy.meta.err),
}

describe("Invalid elements", () => {
  it.live("are accepted and noted one by one, and everything else is folded as without them", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { receive } = yield* WebhookInbox
      const fence = yield* lead
      const bytes = (text: string) => Buffer.from(text)
      yield* receive(bytes(JSON.stringify(all)))
      yield* fold(fence)
      const clean = yield* digest
      for (const [what, body] of Object.entries(POISON)) {
        yield* forget
        yield* receive(bytes(body))
        yield* receive(bytes(JSON.stringify(all)))
        yield* fold(fence)
        assert.deepStrictEqual(yield* digest, clean, what)
        const [counts] = yield* sql`
          select (select count(*)::integer from dead_letters) + (select count(*)::integer from inbox_poison) as apart`
        assert.strictEqual(counts!.apart, 1, what)
        yield* replay(fence)
        assert.deepStrictEqual(yield* digest, clean, `${what}, replayed`)
      }
    }).pipe(Effect.provide(groupCommit().pipe(Layer.provide(postgresLog), Layer.provideMerge(testIndex)))),
  )

  it.live("include transactions that only PostgreSQL rejects", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { receive } = yield* WebhookInbox
      const fence = yield* lead
      yield* receive(Buffer.from(JSON.stringify(all)))
      yield* fold(fence)
      const clean = yield* digest
      const [{ signature }] = (yield* sql<{
        signature: string
      }>`select signature from trades order by ordinal limit 1`) as [{ signature: string }]
      yield* forget
      // A constraint that a transaction violates and no earlier check knows.
      yield* sql`alter table trades add constraint refused check (signature <> ${sql.literal(`'${signature}'`)})`
      yield* receive(Buffer.from(JSON.stringify(all)))
      yield* fold(fence)
      const letters = yield* sql`select signature, reason from dead_letters`
      assert.deepStrictEqual(letters, [{ signature, reason: "the database refuses it" }])
      const [trades] = yield* sql`select count(*)::text as count from trades where signature <> ${signature}`
      const others = Number(clean.find(({ table }) => table === "trades")!.rows)
      assert.isBelow(Number(trades!.count), others)
      assert.isAbove(Number(trades!.count), others - 3)
      yield* sql`alter table trades drop constraint refused`
      // Without the constraint, a replay has the transaction, and the dead letter is gone with the old modules.
      yield* sql`update dead_letters set module_hash = 'earlier modules'`
      yield* replay(fence)
      assert.deepStrictEqual(yield* digest, clean)
      assert.lengthOf(yield* sql`select * from dead_letters`, 0)
    }).pipe(Effect.provide(groupCommit().pipe(Layer.provide(postgresLog), Layer.provideMerge(testIndex)))),
  )

  it("are read the same by every reader", () => {
    for (const body of Object.values(POISON).slice(1))
      assert.strictEqual(transactionsIn(readBody(Buffer.from(body))), 1)
    assert.lengthOf(readBody(Buffer.from(Object.values(POISON)[0]!)).unreadable, 1)
  })
})
