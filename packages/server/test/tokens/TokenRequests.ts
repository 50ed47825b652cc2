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

/** What is answered at a path. */
export const dataAt = Effect.fn(function* (path: string) {
  const { request } = yield* TestServer
  const { body, status } = yield* request(path)
  assert.strictEqual(status, 200, JSON.stringify(body))
  assert.strictEqual(body.success, true)
  return body.data
})

/** The tokens listed at a path. */
export const listed = (path: string) => Effect.map(dataAt(path), (data) => data as ReadonlyArray<Token>)

export const symbols = (tokens: ReadonlyArray<Token>) => tokens.map(({ symbol }) => symbol)
