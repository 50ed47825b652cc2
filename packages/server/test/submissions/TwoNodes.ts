import { assert, it } from "@effect/vitest"
import { generateKeyPairSigner } from "@solana/kit"
import { Effect, Layer, Logger, type Scope } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { type StandInNode, untilState } from "../../../chain/test/rpc/StandInNode.ts"
import { transferOf } from "../../../chain/test/submissions/SignedTransfers.ts"
import { TestServer } from "../../../service/test/TestServer.ts"
import { SubmissionFigures } from "../../src/submissions/SubmissionFigures.ts"
import { submissionRound } from "../../src/submissions/SubmissionRound.ts"
import { StandInChain } from "./StandInChain.ts"

export const NAMES = ["primary", "backup"]

export const rounds = Effect.provide(submissionRound, SubmissionFigures.layer)

export const makeDue = Effect.flatMap(
  SqlClient,
  (sql) => sql`update launch_submissions set next_check_at = '-infinity' where settled_at is null`,
)

/** One round over everything that has not ended. */
export const round = Effect.gen(function* () {
  yield* makeDue
  const { next } = yield* rounds
  yield* next
})

export const read = (signature: string) =>
  Effect.flatMap(TestServer, ({ request }) =>
    Effect.map(request(`/api/launch/submissions/${signature}`), ({ body }) => body.data),
  )

export const stateOf = (signature: string) => Effect.map(read(signature), ({ isFinal, state }) => [state, isFinal])

type Step = Effect.Effect<unknown, unknown, Layer.Success<ReturnType<typeof TestServer.layer>> | Scope.Scope>

/** A test over two nodes of one chain, both in use. */
export const onTwoNodes = (
  title: string,
  test: (chain: StandInChain, nodes: readonly [StandInNode, StandInNode]) => Generator<Step, void, never>,
) =>
  it.live(title, () =>
    Effect.gen(function* () {
      const chain = new StandInChain()
      const nodes = [yield* chain.node, yield* chain.node] as const
      const server = TestServer.layer({ rpcUrls: nodes.map(({ url }) => url) })
      yield* Effect.forEach(NAMES, (name) => untilState(name, "closed"), { discard: true }).pipe(
        Effect.andThen(Effect.gen(() => test(chain, nodes))),
        Effect.provide(Layer.provide(server, Logger.layer([]))),
      )
    }),
  )

/** Submits a transfer of a new wallet; `more` may depend on its address and on the signature. */
export const submitted = Effect.fnUntraced(function* (
  chain: StandInChain,
  more: object | ((wallet: string, signature: string) => object) = {},
) {
  const { request } = yield* TestServer
  const wallet = yield* Effect.promise(() => generateKeyPairSigner())
  const { signature, ...sent } = yield* transferOf(wallet, chain.lifetime())
  const options: object = typeof more === "function" ? more(wallet.address, signature) : more
  const { body, status } = yield* request("/api/launch/submit", { json: { ...sent, ...options } })
  assert.strictEqual(status, 202, JSON.stringify(body))
  return { signature, ...sent }
})
