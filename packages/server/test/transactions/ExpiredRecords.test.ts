import { assert, layer } from "@effect/vitest"
import { Rpc } from "@launch-registry/chain/rpc/Rpc"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { failure, over, status, untilState } from "../../../chain/test/rpc/StandInNode.ts"
import { followIndex } from "../../src/tokens/FollowIndex.ts"
import { askStatuses } from "../../src/transactions/AskStatuses.ts"
import { transactionDraft } from "../Samples.ts"
import { commitChanges, sampleChange } from "../stream/IndexChanges.ts"
import { TestServer } from "../TestServer.ts"
import { failed, landed, processed, recordNode, type RecordNode, signature } from "./RecordNode.ts"

let seeds = 100

/** Records a transaction nobody else has: its id and its signature. */
const record = Effect.fn(function* (fields: Readonly<Record<string, unknown>> = {}) {
  const { request } = yield* TestServer
  const { txHash, ...draft } = transactionDraft({ txHash: signature(++seeds), ...fields })
  const { body } = yield* request("/api/transactions", { json: { txHash, ...draft } })
  assert.isTrue(body.success, JSON.stringify(body))
  return { id: body.transaction.id as string, txHash }
})

const endOf = Effect.fn(function* ({ id }: { readonly id: string }) {
  const { request } = yield* TestServer
  const { body } = yield* request(`/api/transactions/${id}`)
  return [body.transaction.status as string, body.transaction.statusReason as string | null]
})

const age = ({ id }: { readonly id: string }, hours: number) =>
  Effect.flatMap(
    SqlClient,
    (sql) =>
      sql`update transactions set created_at = created_at - make_interval(hours => ${hours}::integer) where id = ${id}::uuid`,
  )

/** Asks these nodes once, after all of them are in use. */
const askOf = Effect.fn(function* (nodes: ReadonlyArray<RecordNode>, isReady = true) {
  const sql = yield* SqlClient
  yield* Effect.gen(function* () {
    const names = ["primary", "backup", "backup-2"].slice(0, nodes.length)
    if (isReady) for (const name of names) yield* untilState(name, "closed")
    const ask = yield* askStatuses
    yield* sql`update registry_progress set statuses_asked_at = '-infinity'`
    yield* Effect.ignore(ask)
  }).pipe(Effect.provide(over(nodes.map(({ node }) => node.url))))
})

const PENDING = ["pending", null]
const EXPIRED = ["failed", "expired: valid until block height 3999; finalized block height 4000 was reached without it"]
const AGED = ["failed", "expired: an hour after it was recorded the chain does not know it"]

layer(TestServer.layer(), { excludeTestServices: true })("A record whose block height is past", (it) => {
  it.effect("fails with the reason when no node knows it, and not a block earlier", () =>
    Effect.gen(function* () {
      const past = yield* record({ lastValidBlockHeight: "3999" })
      const present = yield* record({ lastValidBlockHeight: 4_000 })
      yield* askOf([yield* recordNode(), yield* recordNode()])
      assert.deepStrictEqual(yield* endOf(past), EXPIRED)
      assert.deepStrictEqual(yield* endOf(present), PENDING)
    }),
  )

  it.effect("ends as the one node says that knows it", () =>
    Effect.gen(function* () {
      const [good, bad, young] = [
        yield* record({ lastValidBlockHeight: 3_999 }),
        yield* record({ lastValidBlockHeight: 3_999 }),
        yield* record({ lastValidBlockHeight: 3_999 }),
      ]
      const statuses = { [good.txHash]: landed, [bad.txHash]: failed, [young.txHash]: processed }
      yield* askOf([yield* recordNode(), yield* recordNode({ statuses })])
      assert.deepStrictEqual(yield* endOf(good), ["success", null])
      assert.deepStrictEqual(yield* endOf(bad), ["failed", "failed on chain: InstructionError 2, Custom 6002"])
      assert.deepStrictEqual(yield* endOf(young), PENDING)
    }),
  )

  it.effect("stays pending while a node lags that might know it", () =>
    Effect.gen(function* () {
      const one = yield* record({ lastValidBlockHeight: 3_999 })
      // The primary has finalized what the backup has not even processed, or has not finalized.
      const nodes = [yield* recordNode(), yield* recordNode({ slot: 4_999 })] as const
      yield* askOf(nodes)
      assert.deepStrictEqual(yield* endOf(one), PENDING)
      nodes[1].slot = 5_032
      nodes[1].finalizedHeight = 3_999
      yield* askOf(nodes)
      assert.deepStrictEqual(yield* endOf(one), PENDING)
      nodes[1].finalizedHeight = 4_000
      yield* askOf(nodes)
      assert.deepStrictEqual(yield* endOf(one), EXPIRED)
    }),
  )

  it.effect("stays pending while a node cannot know it: its history begins too late", () =>
    Effect.gen(function* () {
      const one = yield* record({ lastValidBlockHeight: 3_999 })
      // It can have landed from block height 3850 on.
      const pruned = yield* recordNode({ firstSlot: 4_800, firstHeight: 3_850, firstMillis: Date.now() })
      yield* askOf([yield* recordNode(), pruned])
      assert.deepStrictEqual(yield* endOf(one), PENDING)
      pruned.firstHeight = 3_849
      yield* askOf([yield* recordNode(), pruned])
      assert.deepStrictEqual(yield* endOf(one), EXPIRED)
    }),
  )

  it.effect("stays pending when no node answers, and when one in use keeps silent", () =>
    Effect.gen(function* () {
      const one = yield* record({ lastValidBlockHeight: 3_999 })
      const nodes = [yield* recordNode(), yield* recordNode()] as const
      for (const { node } of nodes) node.behave("getSignatureStatuses", status(503))
      yield* askOf(nodes)
      assert.deepStrictEqual(yield* endOf(one), PENDING)
      nodes[0].recover()
      yield* askOf(nodes)
      assert.deepStrictEqual(yield* endOf(one), PENDING)
      // What it keeps is as little known.
      nodes[1].recover()
      nodes[1].node.behave("getFirstAvailableBlock", status(503))
      yield* askOf(nodes)
      assert.deepStrictEqual(yield* endOf(one), PENDING)
      // A node that is out of use is not waited for.
      yield* Effect.promise(() => nodes[1].node.die())
      const sql = yield* SqlClient
      yield* Effect.gen(function* () {
        yield* untilState("primary", "closed")
        yield* untilState("backup", "open")
        yield* sql`update registry_progress set statuses_asked_at = '-infinity'`
        yield* yield* askStatuses
      }).pipe(Effect.provide(over(nodes.map(({ node }) => node.url))))
      assert.deepStrictEqual(yield* endOf(one), EXPIRED)
    }),
  )

  it.effect("is not ended by a node that does not serve what is asked, nor kept by it", () =>
    Effect.gen(function* () {
      const one = yield* record({ lastValidBlockHeight: 3_999 })
      const mute = yield* recordNode()
      mute.node.behave("getFirstAvailableBlock", failure(-32601))
      yield* askOf([mute])
      assert.deepStrictEqual(yield* endOf(one), PENDING)
      yield* askOf([mute, yield* recordNode()])
      assert.deepStrictEqual(yield* endOf(one), EXPIRED)
    }),
  )

  it.effect("is success again when it turns out to have landed: by its trade, or when it is asked about anew", () =>
    Effect.gen(function* () {
      const [traded, asked] = [
        yield* record({ lastValidBlockHeight: 3_999 }),
        yield* record({ lastValidBlockHeight: 3_999 }),
      ]
      yield* askOf([yield* recordNode()])
      assert.deepStrictEqual([yield* endOf(traded), yield* endOf(asked)], [EXPIRED, EXPIRED])
      yield* commitChanges(sampleChange("trade", signature(9), { signature: traded.txHash }))
      const step = yield* followIndex
      while (yield* step) continue
      assert.deepStrictEqual(yield* endOf(traded), ["success", null])
      yield* record({ txHash: asked.txHash })
      yield* askOf([yield* recordNode({ statuses: { [asked.txHash]: landed } })])
      assert.deepStrictEqual(yield* endOf(asked), ["success", null])
    }),
  )

  it.effect("is left alone when it is of another chain, a launch or a swap across chains", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const elsewhere = yield* record({ lastValidBlockHeight: 3_999, chain: "near" })
      const own = yield* Effect.forEach(
        ["DEPLOY", "BRIDGE"],
        Effect.fnUntraced(function* (action) {
          const made = yield* record({ lastValidBlockHeight: 3_999 })
          yield* sql`update transactions set action = ${action} where id = ${made.id}::uuid`
          return made
        }),
      )
      const nameless = yield* record({ txHash: "launch" })
      yield* sql`update transactions set action = 'DEPLOY' where id = ${nameless.id}::uuid`
      for (const one of [elsewhere, ...own, nameless]) {
        yield* age(one, 30)
        yield* askOf([yield* recordNode()])
        assert.deepStrictEqual(yield* endOf(one), PENDING)
      }
    }),
  )
})

layer(TestServer.layer(), { excludeTestServices: true })("A record without a block height", (it) => {
  it.effect("fails an hour after it was recorded when no node knows it, however old it is", () =>
    Effect.gen(function* () {
      const [young, hours, week, known] = [yield* record(), yield* record(), yield* record(), yield* record()]
      yield* age(hours, 2)
      yield* age(week, 7 * 24)
      yield* age(known, 7 * 24)
      yield* askOf([yield* recordNode(), yield* recordNode({ statuses: { [known.txHash]: landed } })])
      assert.deepStrictEqual(yield* endOf(young), PENDING)
      assert.deepStrictEqual(yield* endOf(hours), AGED)
      assert.deepStrictEqual(yield* endOf(week), AGED)
      assert.deepStrictEqual(yield* endOf(known), ["success", null])
    }),
  )

  it.effect("is one with a block height that no transaction can have", () =>
    Effect.gen(function* () {
      const [absurd, halted] = [
        yield* record({ lastValidBlockHeight: "18446744073709551615" }),
        yield* record({ lastValidBlockHeight: 4_100 }),
      ]
      yield* age(absurd, 2)
      yield* age(halted, 2)
      yield* askOf([yield* recordNode()])
      assert.deepStrictEqual(yield* endOf(absurd), AGED)
      assert.deepStrictEqual(yield* endOf(halted), PENDING)
    }),
  )

  it.effect("does not grow old while the chain stands still", () =>
    Effect.gen(function* () {
      const one = yield* record()
      yield* age(one, 5)
      yield* askOf([yield* recordNode({ finalizedMillis: () => Date.now() - 4.5 * 3_600_000 })])
      assert.deepStrictEqual(yield* endOf(one), PENDING)
      yield* askOf([yield* recordNode()])
      assert.deepStrictEqual(yield* endOf(one), AGED)
    }),
  )

  it.effect("stays pending while a node's history begins less than an hour before it", () =>
    Effect.gen(function* () {
      const one = yield* record()
      yield* age(one, 5)
      const pruned = (hours: number) =>
        recordNode({ firstSlot: 4_000, firstHeight: 3_990, firstMillis: Date.now() - hours * 3_600_000 })
      yield* askOf([yield* recordNode(), yield* pruned(5.5)])
      assert.deepStrictEqual(yield* endOf(one), PENDING)
      yield* askOf([yield* recordNode(), yield* pruned(6.5)])
      assert.deepStrictEqual(yield* endOf(one), AGED)
    }),
  )

  it.effect("fails by its age alone when its hash is no signature, whether nodes answer or not", () =>
    Effect.gen(function* () {
      const [young, old] = [yield* record({ txHash: "sent-by-hand" }), yield* record({ txHash: "sent-by-hand" })]
      yield* age(old, 1)
      const dead = yield* recordNode()
      yield* Effect.promise(() => dead.node.die())
      yield* askOf([dead], false)
      assert.deepStrictEqual(yield* endOf(young), PENDING)
      assert.deepStrictEqual(yield* endOf(old), [
        "failed",
        "expired: the hash is no Solana signature, and nobody said within an hour how it ended",
      ])
    }),
  )
})

layer(TestServer.layer(), { excludeTestServices: true })("On the local chain, which has only just begun,", (it) => {
  it.effect("a record that never landed fails when it can no longer land", () =>
    Effect.gen(function* () {
      const { call } = yield* Rpc
      const first = yield* call((kit) => kit.getFirstAvailableBlock())
      const block = yield* call((kit) => kit.getBlock(first, { transactionDetails: "none", rewards: false }))
      // The blockhash of its first block is one that transactions can be built on.
      assert.strictEqual(block!.blockHeight, first)
      const [old, wrong, fresh] = [
        yield* record(),
        yield* record({ lastValidBlockHeight: 5 }),
        yield* record({ lastValidBlockHeight: String(first + 150n) }),
      ]
      yield* age(old, 2)
      yield* age(wrong, 2)
      const sql = yield* SqlClient
      yield* sql`update registry_progress set statuses_asked_at = '-infinity'`
      yield* yield* askStatuses
      assert.deepStrictEqual(yield* endOf(old), AGED)
      assert.match((yield* endOf(wrong))[1]!, /^expired: valid until block height 5;/)
      assert.deepStrictEqual(yield* endOf(fresh), PENDING)
    }),
  )
})

layer(TestServer.layer(), { excludeTestServices: true })("A crowd of records", (it) => {
  it.effect("older than a day ends too, and does not keep the newest waiting", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const old = yield* record()
      const hashes = Array.from({ length: 600 }, () => signature(++seeds))
      yield* sql`
        insert into transactions (id, tx_hash, user_address, action, base_token, quote_token, amount_in, amount_out,
          price_per_token, slippage_bps, fee, fee_token, status, chain, pool_address, created_at, updated_at)
        select gen_random_uuid(), hash, user_address, action, base_token, quote_token, amount_in, amount_out,
          price_per_token, slippage_bps, fee, fee_token, status, chain, pool_address, created_at, updated_at
        from transactions, unnest(${hashes}::text[]) as hash`
      yield* sql`update transactions set created_at = created_at - interval '3 days'`
      const fresh = yield* record({ lastValidBlockHeight: 3_999 })
      const node = yield* recordNode()
      yield* Effect.gen(function* () {
        yield* untilState("primary", "closed")
        const ask = yield* askStatuses
        for (let turn = 0; turn < 3; turn++) {
          yield* sql`update registry_progress set statuses_asked_at = '-infinity'`
          yield* ask
          if (turn === 0) assert.deepStrictEqual(yield* endOf(fresh), EXPIRED)
        }
      }).pipe(Effect.provide(over([node.node.url])))
      const left = yield* sql`select id from transactions where status = 'pending'`
      assert.lengthOf(left, 0)
      assert.deepStrictEqual(yield* endOf(old), AGED)
    }),
  )
})
