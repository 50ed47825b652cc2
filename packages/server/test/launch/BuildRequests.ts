import { assert } from "@effect/vitest"
import { getBase64Encoder, getCompiledTransactionMessageDecoder, getTransactionDecoder } from "@solana/kit"
import { Effect } from "effect"
import { TestServer } from "../../../service/test/TestServer.ts"

/** A wallet that the local chain knows. */
export const SIGNER = "2gPJHzn5khcuAjvLQxyVVyLDTAyvj1Xx8chWb4PPg1CR"

/** Posts to `/api/launch`, and expects this status. */
export const post = Effect.fn(function* (path: string, json: unknown, status = 200) {
  const { request } = yield* TestServer
  const answer = yield* request(`/api/launch/${path}`, { json })
  assert.strictEqual(answer.status, status, JSON.stringify(answer.body))
  return answer
})

/** Reads below `/api/launch/pool`. */
export const readPool = (path: string) =>
  Effect.flatMap(TestServer, ({ request }) => request(`/api/launch/pool/${path}`))

export const accountsOf = (transaction: string): ReadonlyArray<string> => {
  const { messageBytes } = getTransactionDecoder().decode(getBase64Encoder().encode(transaction))
  return getCompiledTransactionMessageDecoder().decode(messageBytes).staticAccounts
}
