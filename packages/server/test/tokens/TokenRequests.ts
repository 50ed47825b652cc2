import type { Token, TokenDetails } from "@launch-registry/domain/tokens/Token"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { tokenDraft } from "../../../service/test/Samples.ts"
import { TestServer } from "../../../service/test/TestServer.ts"

/** Registers a sample token with these fields. */
export const create = Effect.fn(function* (fields: Readonly<Record<string, unknown>> = {}) {
  const { request } = yield* TestServer
  const answer = yield* request("/api/tokens", { json: tokenDraft(fields) })
  assert.strictEqual(answer.status, 201, JSON.stringify(answer.body))
  return answer.body.data as TokenDetails
})

/** The tokens listed at a path. */
export const listed = Effect.fn(function* (path: string) {
  const { request } = yield* TestServer
  const answer = yield* request(path)
  assert.strictEqual(answer.status, 200, JSON.stringify(answer.body))
  assert.strictEqual(answer.body.success, true)
  return answer.body.data as ReadonlyArray<Token>
})

export const symbols = (tokens: ReadonlyArray<Token>) => tokens.map(({ symbol }) => symbol)
