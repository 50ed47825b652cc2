import { assert, layer } from "@effect/vitest"
import { generateKeyPairSigner } from "@solana/kit"
import { BUILDER_PROGRAMS } from "@launch-registry/chain/submissions/BuilderPrograms"
import { SYSTEM_PROGRAM } from "@launch-registry/chain/accounts/Programs"
import { Rpc } from "@launch-registry/chain/rpc/Rpc"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { pollStatuses } from "../../src/transactions/PollStatuses.ts"
import { submissionRound } from "../../src/submissions/SubmissionRound.ts"
import { SubmissionFigures } from "../../src/submissions/SubmissionFigures.ts"
import { sampleAddress, SOL } from "../../../service/test/Samples.ts"
import { TestServer } from "../../../service/test/TestServer.ts"
import {
  advanceNonce,
  fundedWallet,
  RECEIVER,
  type Signed,
  signedOf,
  transfer,
  transferOf,
  unsignedOf,
} from "../../../chain/test/submissions/SignedTransfers.ts"

const submit = (json: object) => Effect.flatMap(TestServer, ({ request }) => request("/api/launch/submit", { json }))

const read = (signature: string, headers = {}) =>
  Effect.flatMap(TestServer, ({ request }) => request(`/api/launch/submissions/${signature}`, { headers }))

const latest = Effect.flatMap(Rpc, ({ getLatestBlockhash }) => getLatestBlockhash)

/** One round over everything that has not ended. */
const lookNow = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`update launch_submissions set next_check_at = '-infinity' where settled_at is null`
  const { next } = yield* submissionRound
  yield* next
}).pipe(Effect.provide(SubmissionFigures.layer))

const balanceOf = (address: string) =>
  Effect.flatMap(Rpc, ({ call }) =>
    Effect.map(
      call((kit) => kit.getBalance(address as never)),
      ({ value }) => value,
    ),
  )

const record = (userAddress: string) => ({
  ...{ userAddress, action: "BUY", baseToken: sampleAddress(), quoteToken: SOL, amountIn: "1.5", amountOut: "1000" },
  ...{ pricePerToken: "0.0015", slippageBps: 100, fee: "0.01", feeToken: SOL, poolAddress: sampleAddress() },
})

layer(TestServer.layer())("A signed transaction that is submitted", (it) => {
  it.effect("is sent, lands, and is final in the end", () =>
    Effect.gen(function* () {
      const wallet = yield* fundedWallet
      const { signature, ...sent } = yield* transferOf(wallet, yield* latest)
      const answer = yield* submit(sent)
      assert.strictEqual(answer.status, 202, JSON.stringify(answer.body))
      assert.strictEqual(answer.headers.get("location"), `/api/launch/submissions/${signature}`)
      assert.deepInclude(answer.body.data, {
        ...{ signature, state: "pending", isFinal: false, slot: null, error: null, recordId: null },
        ...{ feePayer: wallet.address, lastValidBlockHeight: sent.lastValidBlockHeight },
      })
      const pending = yield* read(signature)
      assert.strictEqual(pending.headers.get("cache-control"), "no-store")
      assert.strictEqual(pending.body.data.sends, 1)
      yield* lookNow
      const { body, headers } = yield* read(signature)
      assert.deepInclude(body.data, { state: "finalized", isFinal: true, error: null, sends: 1 })
      assert.match(body.data.slot, /^\d+$/)
      const etag = headers.get("etag")!
      assert.strictEqual((yield* read(signature, { "if-none-match": etag })).status, 304)
    }),
  )

  it.effect("of version 1 is checked, sent, and lands like the others, and its failure is told in words", () =>
    Effect.gen(function* () {
      const wallet = yield* fundedWallet
      const lifetime = yield* latest
      const { signature, ...sent } = yield* transferOf(wallet, lifetime, 1_000_000n, 1)
      const answer = yield* submit(sent)
      assert.strictEqual(answer.status, 202, JSON.stringify(answer.body))
      yield* lookNow
      assert.deepInclude((yield* read(signature)).body.data, { state: "finalized", isFinal: true, error: null })

      const { signature: failing, ...costly } = yield* transferOf(wallet, lifetime, 900_000_000_000n, 1)
      const refused = yield* submit(costly)
      assert.deepStrictEqual([refused.status, refused.body.code], [409, "simulation_failed"])
      assert.deepInclude(refused.body.details.failure, { code: "ResultWithNegativeLamports", program: SYSTEM_PROGRAM })
      assert.strictEqual((yield* submit({ ...costly, skipPreflight: true })).status, 202)
      yield* lookNow
      const { data } = (yield* read(failing)).body
      assert.deepInclude(data, { state: "failed", isFinal: true })
      // The words of its logs.
      assert.include(data.error.message, "insufficient lamports")

      const instructions = Array.from({ length: 60 }, () => transfer(wallet, 1n))
      const { signature: long, ...large } = yield* Effect.promise(() => signedOf(wallet, instructions, lifetime, 1))
      assert.isAbove(Buffer.from(large.transaction, "base64").length, 1_232)
      assert.strictEqual((yield* submit(large)).status, 202)
      yield* lookNow
      assert.deepInclude((yield* read(long)).body.data, { state: "finalized" })
    }),
  )

  it.effect("is the same submission when it is submitted again, also at the same time, and lands once", () =>
    Effect.gen(function* () {
      const wallet = yield* fundedWallet
      const { signature, ...sent } = yield* transferOf(wallet, yield* latest, 2_000_000_000n)
      const before = yield* balanceOf(RECEIVER)
      const answers = yield* Effect.all(
        Array.from({ length: 8 }, () => submit({ ...sent, record: record(wallet.address) })),
        { concurrency: "unbounded" },
      )
      yield* lookNow
      const again = yield* submit(sent)
      for (const { body, status } of [...answers, again]) {
        assert.strictEqual(status, 202, JSON.stringify(body))
        assert.strictEqual(body.data.signature, signature)
        assert.strictEqual(body.data.recordId, again.body.data.recordId)
      }
      assert.strictEqual(again.body.data.state, "finalized")
      const gained = (yield* balanceOf(RECEIVER)) - before
      assert.isTrue(gained >= 2_000_000_000n && gained < 4_000_000_000n, String(gained))
      const sql = yield* SqlClient
      const records = yield* sql`select from transactions where tx_hash = ${signature}`
      assert.lengthOf(records, 1)
    }),
  )

  it.effect("makes a record that ends by what it did", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const wallet = yield* fundedWallet
      const { signature, ...sent } = yield* transferOf(wallet, yield* latest)
      const { body } = yield* submit({ ...sent, record: record(wallet.address) })
      const of = () =>
        Effect.map(request(`/api/transactions/${body.data.recordId}`), (answer) => answer.body.transaction)
      assert.deepInclude(yield* of(), { status: "pending", txHash: signature, chain: "solana", amountIn: "1.5" })
      yield* lookNow
      // Landed, but what it did is not known yet.
      assert.deepInclude(yield* of(), { status: "pending", statusReason: null })
      yield* yield* pollStatuses
      assert.deepInclude(yield* of(), {
        ...{ status: "failed", statusReason: "contradicted by the chain: the transaction holds no such trade" },
      })
      const stranger = yield* submit({
        ...(yield* transferOf(wallet, yield* latest)),
        signature: undefined,
        record: record(sampleAddress()),
      })
      assert.strictEqual(stranger.status, 400)
      assert.strictEqual(stranger.body.issues[0].path, "body.record.userAddress")
    }),
  )

  it.effect("that would fail is refused with the words of its program, unless the simulation is skipped", () =>
    Effect.gen(function* () {
      const wallet = yield* fundedWallet
      const { signature, ...sent } = yield* transferOf(wallet, yield* latest, 900_000_000_000n)
      const refused = yield* submit(sent)
      assert.strictEqual(refused.status, 409)
      assert.strictEqual(refused.body.code, "simulation_failed")
      assert.deepInclude(refused.body.details.failure, {
        ...{ code: "ResultWithNegativeLamports", instruction: 0, program: SYSTEM_PROGRAM, customCode: 1 },
      })
      assert.include(refused.body.message, "insufficient lamports")
      assert.strictEqual((yield* read(signature)).status, 404)
      assert.strictEqual((yield* submit({ ...sent, skipPreflight: true })).status, 202)
      yield* lookNow
      const { data } = (yield* read(signature)).body
      assert.deepInclude(data, { state: "failed", isFinal: true })
      assert.deepInclude(data.error, { code: "ResultWithNegativeLamports", instruction: 0, customCode: 1 })
      assert.include(data.error.message, "insufficient lamports")
    }),
  )

  it.effect("is refused with the reason where the network would not take it", () =>
    Effect.gen(function* () {
      const wallet = yield* fundedWallet
      const lifetime = yield* latest
      const codeOf = (json: object) => Effect.map(submit(json), ({ body, status }) => [status, body.code])
      const { signature: _, ...good } = yield* transferOf(wallet, lifetime)
      const bytes = Buffer.from(good.transaction, "base64")

      const unsigned = yield* submit({ transaction: unsignedOf(wallet, [transfer(wallet, 5n)], lifetime) })
      assert.strictEqual(unsigned.body.code, "transaction_not_signed")
      assert.deepStrictEqual(unsigned.body.details, { missing: [wallet.address], wrong: [] })
      const changed = Buffer.from(bytes)
      changed[bytes.length - 3]! ^= 1
      const forged = yield* submit({ transaction: changed.toString("base64") })
      assert.deepStrictEqual(forged.body.details, { missing: [], wrong: [wallet.address] })
      for (const wrong of [
        bytes.subarray(0, 90),
        Buffer.concat([bytes, Buffer.of(0)]),
        Buffer.alloc(200),
        Buffer.of(1),
      ])
        assert.deepStrictEqual(yield* codeOf({ transaction: wrong.toString("base64") }), [400, "invalid_request"])
      assert.deepStrictEqual(yield* codeOf({ transaction: Buffer.alloc(1_233).toString("base64") }), [
        ...[400, "invalid_request"],
      ])
      const tooLarge = yield* submit({ transaction: Buffer.alloc(4_099).toString("base64") })
      assert.strictEqual(tooLarge.body.message, "body.transaction: expected a transaction of at most 4096 bytes")
      assert.deepStrictEqual(yield* codeOf({ transaction: "no base64" }), [400, "invalid_request"])

      const durable = yield* Effect.promise(() => signedOf(wallet, [advanceNonce(wallet)], lifetime))
      assert.deepStrictEqual(yield* codeOf({ transaction: durable.transaction }), [400, "invalid_request"])

      const other = { ...lifetime, blockhash: sampleAddress() }
      const { transaction: elsewhere } = yield* transferOf(wallet, other)
      const reasonOf = (lastValidBlockHeight?: bigint) =>
        Effect.map(
          submit({
            transaction: elsewhere,
            ...(lastValidBlockHeight !== undefined && { lastValidBlockHeight: String(lastValidBlockHeight) }),
          }),
          ({ body, status }) => [status, body.code, body.details?.reason],
        )
      assert.deepStrictEqual(yield* reasonOf(), [409, "blockhash_not_valid", "unknown"])
      assert.deepStrictEqual(yield* reasonOf(7n), [409, "blockhash_not_valid", "expired"])
      assert.deepStrictEqual(yield* reasonOf(lifetime.lastValidBlockHeight + 1_000_000n), [
        ...[409, "blockhash_not_valid", "another_cluster"],
      ])

      const poor = yield* Effect.promise(() => generateKeyPairSigner())
      const { transaction: unpaid } = yield* transferOf(poor, lifetime)
      for (const skipPreflight of [false, true]) {
        const { body } = yield* submit({ transaction: unpaid, skipPreflight })
        assert.strictEqual(body.code, "insufficient_funds")
        assert.deepInclude(body.details, { signer: poor.address, held: "0", required: "5000", shortfall: "5000" })
      }
      assert.strictEqual((yield* read(durable.signature)).status, 404)
    }),
  )
})

layer(
  TestServer.layer({ submissions: { programs: new Set(BUILDER_PROGRAMS.filter((one) => one !== SYSTEM_PROGRAM)) } }),
)("Where programs are named", (it) => {
  it.effect("a transaction that calls another one is refused by name", () =>
    Effect.gen(function* () {
      const wallet = yield* fundedWallet
      const { signature: _, ...sent }: Signed = yield* transferOf(wallet, yield* latest)
      const { body, status } = yield* submit(sent)
      assert.deepStrictEqual([status, body.code], [403, "forbidden"])
      assert.include(body.message, `instruction 0 calls program ${SYSTEM_PROGRAM}`)
    }),
  )
})
