import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { fundedWallet, transferOf } from "../../../chain/test/submissions/SignedTransfers.ts"
import { Rpc } from "@launch-registry/chain/rpc/Rpc"
import { readEvents } from "../../../service/test/StreamReader.ts"
import { TestServer } from "../../../service/test/TestServer.ts"
import { SubmissionFigures } from "../../src/submissions/SubmissionFigures.ts"
import { submissionRound } from "../../src/submissions/SubmissionRound.ts"

layer(TestServer.layer(), { excludeTestServices: true })("The stream", (it) => {
  it.effect("tells the states of submissions that it was asked for, from before they are made to the last", () =>
    Effect.gen(function* () {
      const { request, url } = yield* TestServer
      const { getLatestBlockhash } = yield* Rpc
      const wallet = yield* fundedWallet
      const { signature, ...sent } = yield* transferOf(wallet, yield* getLatestBlockhash)
      const { signature: other, ...unasked } = yield* transferOf(wallet, yield* getLatestBlockhash)
      const path = `${url}/api/stream?types=submission&submissions=${signature}`
      const stream = yield* readEvents(path)
      yield* request("/api/launch/submit", { json: unasked })
      yield* request("/api/launch/submit", { json: sent })
      const isIn = (state: string) => (event: { readonly data: { readonly state: string } }) =>
        event.data.state === state
      yield* stream.until(isIn("pending"))
      const sql = yield* SqlClient
      yield* sql`update launch_submissions set next_check_at = '-infinity'`
      const { next } = yield* Effect.provide(submissionRound, SubmissionFigures.layer)
      yield* next
      const events = yield* stream.until(isIn("finalized"))
      assert.deepStrictEqual(
        events.map(({ data, type }) => [type, data.signature, data.state]),
        [
          ["submission", signature, "pending"],
          ["submission", signature, "finalized"],
        ],
      )
      const again = yield* readEvents(`${path},${other}`)
      yield* again.until((event) => event.data.signature === other)
      yield* again.until((event) => event.data.signature === signature)
      const tooMany = yield* request(`/api/stream?submissions=${Array.from({ length: 21 }, () => signature).join(",")}`)
      assert.strictEqual(tooMany.status, 400)
    }),
  )
})
