import { assert, describe, it } from "@effect/vitest"
import { generateKeyPairSigner } from "@solana/kit"
import { Rpc } from "@launch-registry/chain/rpc/Rpc"
import { Effect, Layer, Logger } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { transferOf } from "../../../chain/test/submissions/SignedTransfers.ts"
import { status, type StandInNode, untilState } from "../../../chain/test/rpc/StandInNode.ts"
import { TestServer } from "../../../service/test/TestServer.ts"
import { SubmissionFigures } from "../../src/submissions/SubmissionFigures.ts"
import { submissionRound } from "../../src/submissions/SubmissionRound.ts"
import { StandInChain } from "./StandInChain.ts"

const NAMES = ["primary", "backup"]

const rounds = Effect.provide(submissionRound, SubmissionFigures.layer)

const makeDue = Effect.flatMap(
  SqlClient,
  (sql) => sql`update launch_submissions set next_check_at = '-infinity' where settled_at is null`,
)

/** One round over everything that has not ended. */
const round = Effect.gen(function* () {
  yield* makeDue
  const { next } = yield* rounds
  yield* next
})

const read = (signature: string) =>
  Effect.flatMap(TestServer, ({ request }) =>
    Effect.map(request(`/api/launch/submissions/${signature}`), ({ body }) => body.data),
  )

const stateOf = (signature: string) => Effect.map(read(signature), ({ isFinal, state }) => [state, isFinal])

/** Runs a test over two nodes of one chain, both in use. */
const onTwoNodes = <E, R>(
  test: (chain: StandInChain, nodes: readonly [StandInNode, StandInNode]) => Effect.Effect<void, E, R>,
) =>
  Effect.scoped(
    Effect.gen(function* () {
      const chain = new StandInChain()
      const nodes = [yield* chain.node, yield* chain.node] as const
      const server = TestServer.layer({ rpcUrls: nodes.map(({ url }) => url) })
      yield* Effect.gen(function* () {
        for (const name of NAMES) yield* untilState(name, "closed")
        yield* test(chain, nodes)
      }).pipe(Effect.provide(Layer.provide(server, Logger.layer([]))))
    }),
  )

const submitted = Effect.fnUntraced(function* (chain: StandInChain, options: object = {}) {
  const { request } = yield* TestServer
  const wallet = yield* Effect.promise(() => generateKeyPairSigner())
  const { signature, ...sent } = yield* transferOf(wallet, chain.lifetime())
  const { body, status } = yield* request("/api/launch/submit", { json: { ...sent, ...options } })
  assert.strictEqual(status, 202, JSON.stringify(body))
  return { signature, ...sent }
})

describe("A submission", () => {
  it.live("is sent to every endpoint, again and as the same bytes, until it is confirmed", () =>
    onTwoNodes((chain) =>
      Effect.gen(function* () {
        const { signature, transaction } = yield* submitted(chain)
        assert.deepStrictEqual(chain.sentOf(signature), [transaction, transaction])
        yield* round
        assert.lengthOf(chain.sentOf(signature), 4)
        chain.land(signature)
        yield* round
        assert.deepStrictEqual(yield* stateOf(signature), ["processed", false])
        chain.land(signature, { confirmationStatus: "confirmed" })
        yield* round
        assert.deepStrictEqual(yield* stateOf(signature), ["confirmed", false])
        const sent = chain.sentOf(signature)
        yield* round
        assert.deepStrictEqual(chain.sentOf(signature), sent)
        assert.deepStrictEqual([...new Set(sent)], [transaction])
        chain.land(signature, { confirmationStatus: "finalized" })
        yield* round
        assert.deepStrictEqual(yield* stateOf(signature), ["finalized", true])
      }),
    ),
  )

  it.live("goes on over the other endpoint when one dies in the middle", () =>
    onTwoNodes((chain, [primary, backup]) =>
      Effect.gen(function* () {
        const { signature, transaction } = yield* submitted(chain)
        yield* Effect.promise(() => primary.die())
        yield* round
        assert.deepStrictEqual(chain.sent.get(primary), [[signature, transaction]])
        assert.deepStrictEqual(chain.sent.get(backup), [
          [signature, transaction],
          [signature, transaction],
        ])
        chain.land(signature, { confirmationStatus: "finalized" })
        yield* round
        assert.deepStrictEqual(yield* stateOf(signature), ["finalized", true])
      }),
    ),
  )

  it.live("is stored while no endpoint answers, and sent as soon as one does", () =>
    onTwoNodes((chain, nodes) =>
      Effect.gen(function* () {
        for (const node of nodes) yield* Effect.promise(() => node.die())
        for (const name of NAMES) yield* untilState(name, "open")
        const { signature, transaction } = yield* submitted(chain)
        assert.deepInclude(yield* read(signature), { state: "pending", sends: 0, lastValidBlockHeight: null })
        yield* round
        for (const node of nodes) yield* Effect.promise(() => node.start())
        for (const name of NAMES) yield* untilState(name, "closed")
        yield* round
        assert.deepStrictEqual(chain.sentOf(signature), [transaction, transaction])
        assert.deepInclude(yield* read(signature), { state: "pending", sends: 1, lastValidBlockHeight: "5150" })
      }),
    ),
  )

  it.live(
    "expires when the finalized chain is past its height and no endpoint knows it, and is not sent any more",
    () =>
      onTwoNodes((chain, [primary]) =>
        Effect.gen(function* () {
          const { signature } = yield* submitted(chain)
          chain.advance(151)
          chain.valid.clear()
          const sent = chain.sentOf(signature).length
          yield* round
          assert.deepStrictEqual(yield* stateOf(signature), ["pending", false])
          chain.advance(30)
          // What one endpoint does not say, another one's denial does not settle.
          primary.behave("getSignatureStatuses", status(500))
          yield* round
          assert.deepStrictEqual(yield* stateOf(signature), ["pending", false])
          chain.behave(primary)
          yield* untilState("primary", "closed")
          yield* round
          assert.deepStrictEqual(yield* stateOf(signature), ["expired", true])
          assert.lengthOf(chain.sentOf(signature), sent)
          const sql = yield* SqlClient
          assert.deepStrictEqual(yield* sql`select transaction from launch_submissions`, [{ transaction: null }])
        }),
      ),
  )

  it.live("that landed after its last look is found before it expires", () =>
    onTwoNodes((chain) =>
      Effect.gen(function* () {
        const { signature } = yield* submitted(chain)
        chain.land(signature, { confirmationStatus: "finalized" })
        chain.advance(1_000)
        chain.valid.clear()
        yield* round
        assert.deepStrictEqual(yield* stateOf(signature), ["finalized", true])
      }),
    ),
  )

  it.live("does not expire by the height that the caller sent while its blockhash is valid", () =>
    onTwoNodes((chain) =>
      Effect.gen(function* () {
        const { signature } = yield* submitted(chain, { lastValidBlockHeight: "5001" })
        assert.strictEqual((yield* read(signature)).lastValidBlockHeight, "5001")
        chain.advance(32)
        const sent = chain.sentOf(signature).length
        yield* round
        assert.deepStrictEqual(yield* stateOf(signature), ["pending", false])
        yield* round
        assert.isAbove(chain.sentOf(signature).length, sent)
      }),
    ),
  )

  it.live("that fails on chain says so in words, and is final with its slot", () =>
    onTwoNodes((chain) =>
      Effect.gen(function* () {
        const { signature } = yield* submitted(chain)
        const err = { InstructionError: [0, { Custom: 1 }] }
        chain.land(signature, { err, confirmationStatus: "confirmed" })
        yield* round
        assert.deepInclude(yield* read(signature), { state: "failed", isFinal: false, slot: "6000" })
        chain.land(signature, { err, confirmationStatus: "finalized" })
        yield* round
        const { error, ...rest } = yield* read(signature)
        assert.deepInclude(rest, { state: "failed", isFinal: true, slot: "6000" })
        assert.deepInclude(error, { code: "ResultWithNegativeLamports", customCode: 1, instruction: 0 })
      }),
    ),
  )

  it.live("that a fork takes back is pending and sent again, and may land in another slot", () =>
    onTwoNodes((chain) =>
      Effect.gen(function* () {
        const { signature, transaction } = yield* submitted(chain)
        chain.land(signature)
        yield* round
        assert.deepStrictEqual(yield* stateOf(signature), ["processed", false])
        chain.landed.clear()
        chain.advance(1)
        const sent = chain.sentOf(signature).length
        yield* round
        assert.deepStrictEqual(yield* stateOf(signature), ["pending", false])
        assert.isAbove(chain.sentOf(signature).length, sent)
        assert.deepStrictEqual([...new Set(chain.sentOf(signature))], [transaction])
        chain.land(signature, { confirmationStatus: "finalized" })
        yield* round
        assert.deepInclude(yield* read(signature), { state: "finalized", isFinal: true, slot: "6001" })
      }),
    ),
  )

  it.live("is not sent to a cordoned endpoint", () =>
    onTwoNodes((chain, [primary, backup]) =>
      Effect.gen(function* () {
        const { cordon } = yield* Rpc
        yield* cordon(new Map([["primary", { reason: "test", since: new Date(0) }]]))
        yield* submitted(chain)
        yield* round
        assert.lengthOf(chain.sent.get(primary)!, 0)
        assert.lengthOf(chain.sent.get(backup)!, 2)
      }),
    ),
  )

  it.live("is worked on by one process at a time", () =>
    onTwoNodes((chain, [primary]) =>
      Effect.gen(function* () {
        const signatures = yield* Effect.forEach(Array.from({ length: 12 }), () => submitted(chain))
        yield* makeDue
        const processes = yield* Effect.all([rounds, rounds, rounds])
        yield* Effect.all(
          processes.map(({ next }) => next),
          { concurrency: "unbounded" },
        )
        const seen = chain.sent.get(primary)!.map(([signature]) => signature)
        for (const { signature } of signatures)
          assert.lengthOf(
            seen.filter((one) => one === signature),
            2,
          )
      }),
    ),
  )

  it.live("that another process has claimed since is left to it", () =>
    onTwoNodes((chain, nodes) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { signature } = yield* submitted(chain)
        chain.land(signature, { confirmationStatus: "finalized" })
        let isTaken = false
        for (const node of nodes)
          node.behave("getBlockHeight", (response, call) => {
            const answer = () => response.end(JSON.stringify({ jsonrpc: "2.0", id: call.id, result: chain.height }))
            if (isTaken) return void answer()
            isTaken = true
            void Effect.runPromise(sql`update launch_submissions set attempts = attempts + 1`).then(answer)
          })
        yield* round
        assert.isTrue(isTaken)
        assert.deepStrictEqual(yield* stateOf(signature), ["pending", false])
        yield* round
        assert.deepStrictEqual(yield* stateOf(signature), ["finalized", true])
      }),
    ),
  )

  it.live("is deleted once it is no longer kept, and never before it has ended", () =>
    onTwoNodes((chain) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { signature } = yield* submitted(chain)
        const { signature: open } = yield* submitted(chain)
        chain.land(signature, { confirmationStatus: "finalized" })
        yield* round
        yield* sql`update launch_submissions set settled_at = settled_at - interval '2 days', created_at = created_at - interval '2 days'`
        const { sweep } = yield* rounds
        const DAY = 86_400_000
        assert.strictEqual(yield* sweep(3 * DAY, 10), 0)
        assert.strictEqual(yield* sweep(DAY, 10), 1)
        assert.deepStrictEqual(yield* sql`select signature from launch_submissions`, [{ signature: open }])
      }),
    ),
  )
})
