import { solText } from "@launch-registry/domain/amounts/AmountText"
import { assert, layer } from "@effect/vitest"
import { type Address, generateKeyPairSigner, type KeyPairSigner, lamports } from "@solana/kit"
import { Rpc } from "@launch-registry/chain/rpc/Rpc"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { fundedWallet, RECEIVER, transferOf } from "../../../chain/test/submissions/SignedTransfers.ts"
import { TestServer } from "../../../service/test/TestServer.ts"

const submit = Effect.fnUntraced(function* (payer: KeyPairSigner, fields: object = { skipPreflight: true }) {
  const { request } = yield* TestServer
  const { getLatestBlockhash } = yield* Rpc
  const { signature: _, ...sent } = yield* transferOf(payer, yield* getLatestBlockhash, 1_000n)
  return { sent, answer: yield* request("/api/launch/submit", { json: { ...sent, ...fields } }) }
})

/** Open submissions that a wallet pays for; those that have landed are in another state. */
const openOf = (feePayer: string, count: number, state = "pending") =>
  Effect.flatMap(
    SqlClient,
    (sql) => sql`
      insert into launch_submissions (signature, transaction, signers, programs, blockhash, skips_preflight, state, version,
        attempts, sends, next_check_at, created_at, updated_at)
      select ${state}::text || ${feePayer}::text || n, ''::bytea, array[${feePayer}::text], '{}', '', true, ${state}, 1, 0, 0,
        'infinity', now(), now()
      from generate_series(1, ${count}::integer) n`,
  )

const forget = (feePayer: string) =>
  Effect.flatMap(SqlClient, (sql) => sql`delete from launch_submissions where signers[1] = ${feePayer}`)

const airdrop = (address: Address, amount = 1_000_000_000n) =>
  Effect.flatMap(Rpc, ({ call }) => call((kit) => kit.requestAirdrop(address, lamports(amount))))

/** A wallet that holds so many lamports. */
const walletWith = Effect.fnUntraced(function* (amount: bigint) {
  const wallet = yield* Effect.promise(() => generateKeyPairSigner())
  yield* airdrop(wallet.address, amount)
  return wallet
})

layer(TestServer.layer())("While many transactions are on their way", (it) => {
  it.effect("one wallet does not take the places of all others", () =>
    Effect.gen(function* () {
      const wallet = yield* fundedWallet
      yield* openOf(wallet.address, 999)
      const last = yield* submit(wallet)
      assert.strictEqual(last.answer.status, 202)
      const { answer } = yield* submit(wallet)
      assert.deepStrictEqual([answer.status, answer.body.code], [429, "limit_reached"])
      assert.deepStrictEqual(answer.body.details, { resource: "submissions", limit: 1_000 })
      assert.isNotNull(answer.headers.get("retry-after"))
      // What is on its way is answered all the same.
      const { request } = yield* TestServer
      assert.strictEqual((yield* request("/api/launch/submit", { json: last.sent })).status, 202)
    }),
  )

  it.effect("a wallet may have fewer the more others have, and one as long as there is any place", () =>
    Effect.gen(function* () {
      const [first, second] = [yield* fundedWallet, yield* fundedWallet]
      const sql = yield* SqlClient
      const { count } = (yield* sql<{ readonly count: number }>`
        select count(*)::integer as count from launch_submissions where settled_at is null`)[0]!
      yield* openOf(RECEIVER, 9_000 - count)
      yield* openOf(first.address, 9)
      assert.strictEqual((yield* submit(first)).answer.status, 202)
      const { answer } = yield* submit(first)
      assert.deepStrictEqual([answer.status, answer.body.details.limit], [429, 10])
      assert.strictEqual((yield* submit(second)).answer.status, 202)
      yield* openOf(RECEIVER, 988, "confirmed")
      const third = yield* fundedWallet
      assert.strictEqual((yield* submit(third)).answer.status, 202)
      const full = (yield* submit(yield* fundedWallet)).answer
      assert.deepStrictEqual([full.status, full.body.details.resource], [503, "submissions"])
      yield* forget(RECEIVER)
    }),
  )

  it.effect("a wallet holds the fees of what it has on its way, simulated or not", () =>
    Effect.gen(function* () {
      const wallet = yield* walletWith(1_004_000n)
      yield* airdrop(RECEIVER)
      const cases = [
        [{}, 199, "1005000"],
        [{ skipPreflight: true }, 198, "1000000"],
      ] as const
      for (const [fields, pending, required] of cases) {
        yield* openOf(wallet.address, pending)
        // What has landed is paid.
        yield* openOf(wallet.address, 50, "confirmed")
        const { answer } = yield* submit(wallet, fields)
        assert.strictEqual(answer.status, 202, JSON.stringify(answer.body))
        const refused = (yield* submit(wallet, fields)).answer
        assert.deepStrictEqual([refused.status, refused.body.code], [409, "insufficient_funds"])
        assert.deepInclude(refused.body.details, { signer: wallet.address, required })
        assert.isBelow(Number(refused.body.details.held), Number(required))
        assert.include(refused.body.message, `needs ${solText(BigInt(required))} at least`)
        yield* forget(wallet.address)
      }
    }),
  )
})
