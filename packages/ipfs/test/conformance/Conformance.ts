import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { type Fixtures, storeFixtures } from "./Fixtures.ts"
import { type Asking, GatewayServer, type WireAnswer } from "./GatewayServer.ts"

/** A case of ipfs/gateway-conformance, for content that is a single file. */
export interface Case {
  readonly name: string
  readonly path: (fixtures: Fixtures) => string
  readonly asking?: (fixtures: Fixtures) => Asking
  readonly status: number
  readonly headers?: (fixtures: Fixtures) => Readonly<Record<string, string | RegExp>>
  readonly body?: (fixtures: Fixtures) => Uint8Array
  readonly check?: (answer: WireAnswer, fixtures: Fixtures) => Promise<void> | void
}

class Stored extends Context.Service<Stored, Fixtures>()("@launch-registry/ipfs/test/conformance/Stored") {
  static readonly layer = Layer.effect(Stored, storeFixtures)
}

export const checkAnswer = async (answer: WireAnswer, fixtures: Fixtures, expected: Case): Promise<void> => {
  assert.strictEqual(answer.status, expected.status, answer.body.toString("latin1").slice(0, 300))
  assert.isTrue(answer.isComplete)
  for (const [name, value] of Object.entries(expected.headers?.(fixtures) ?? {})) {
    if (typeof value === "string") assert.strictEqual(answer.headers[name], value, name)
    else assert.match(answer.headers[name] ?? "", value, name)
  }
  if (expected.body !== undefined) assert.isTrue(answer.body.equals(expected.body(fixtures)), "the bytes differ")
  await expected.check?.(answer, fixtures)
}

/** Runs the cases of a group with GET, and with HEAD, whose answer must be the same without a body. */
export const conformance = (group: string, cases: ReadonlyArray<Case>): void =>
  layer(Stored.layer.pipe(Layer.provideMerge(GatewayServer.layer())))(group, (it) => {
    for (const expected of cases) {
      it.effect(expected.name, () =>
        Effect.gen(function* () {
          const { ask } = yield* GatewayServer
          const fixtures = yield* Stored
          const asking = expected.asking?.(fixtures) ?? {}
          const path = expected.path(fixtures)
          const answer = yield* ask(path, asking)
          yield* Effect.promise(() => checkAnswer(answer, fixtures, expected))
          if (asking.method !== undefined || asking.headers?.range !== undefined) return
          const head = yield* ask(path, { ...asking, method: "HEAD" })
          assert.strictEqual(head.status, answer.status)
          assert.strictEqual(head.body.length, 0)
          const comparable = ({ headers }: WireAnswer) => {
            const { "transfer-encoding": _, "x-request-id": __, date: ___, ...rest } = headers
            return rest
          }
          assert.deepStrictEqual(comparable(head), comparable(answer))
        }),
      )
    }
  })
