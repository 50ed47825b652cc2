import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { newKeyPair } from "@launch-registry/chain/build/NewKeyPair"
import { DBC_PROGRAM, NATIVE_MINT } from "@launch-registry/chain/accounts/Programs"
import { LocalChain } from "@launch-registry/chain/localnet/LocalChain"
import { Rpc } from "@launch-registry/chain/rpc/Rpc"
import { SubmissionFigures } from "@launch-registry/server/submissions/SubmissionFigures"
import { submissionRound } from "@launch-registry/server/submissions/SubmissionRound"
import { pollStatuses } from "@launch-registry/server/transactions/PollStatuses"
import { type Address, lamports } from "@solana/kit"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { signedBy } from "../../chain/test/submissions/SignedBy.ts"
import { TestServer } from "./TestServer.ts"

/** Program files are under a licence that keeps them out of the repository; see CONTRIBUTING. */
const PROGRAMS = fileURLToPath(new URL("../../../programs", import.meta.url))
const hasPrograms = existsSync(`${PROGRAMS}/dynamic_bonding_curve.so`) && existsSync(`${PROGRAMS}/metaplex.so`)

const server = Layer.unwrap(Effect.map(LocalChain, ({ url }) => TestServer.layer({ rpcUrl: url }))).pipe(
  Layer.provide(LocalChain.layer({ programsFolder: PROGRAMS })),
)

const METADATA = { name: "Submitted", symbol: "SUB", uri: "https://example.com/submitted.json" }

const post = (path: string, json: object) => Effect.flatMap(TestServer, ({ request }) => request(path, { json }))

const built = (path: string, json: object) =>
  Effect.map(post(`/api/launch/${path}`, json), ({ body, status }) => {
    assert.strictEqual(status, 200, JSON.stringify(body))
    return body.data
  })

const round = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`update launch_submissions set next_check_at = '-infinity' where settled_at is null`
  const { next } = yield* submissionRound
  yield* next
}).pipe(Effect.provide(SubmissionFigures.layer))

describe.skipIf(!hasPrograms)("A launch on the real programs", () => {
  it.live("is built, signed, submitted and traded, and a trade that would fail says why", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const rpc = yield* Rpc
      const { address: signer, keyPair } = yield* Effect.promise(newKeyPair)
      yield* rpc.call((kit) => kit.requestAirdrop(signer as Address, lamports(100_000_000_000n)))

      const submit = Effect.fnUntraced(function* (
        { lastValidBlockHeight, transaction }: { readonly lastValidBlockHeight: string; readonly transaction: string },
        options: object = {},
      ) {
        const signed = yield* Effect.promise(() => signedBy(keyPair, transaction))
        return yield* post("/api/launch/submit", { transaction: signed, lastValidBlockHeight, ...options })
      })
      const landed = Effect.fnUntraced(function* (...facts: Parameters<typeof submit>) {
        const { body, status } = yield* submit(...facts)
        assert.strictEqual(status, 202, JSON.stringify(body))
        yield* round
        const { data } = (yield* request(`/api/launch/submissions/${body.data.signature}`)).body
        assert.deepInclude(data, { state: "finalized", isFinal: true, error: null }, JSON.stringify(data))
        return data
      })

      const config = yield* built("dbc-config", { signer, metadata: METADATA })
      yield* landed(config)
      const { publicKey } = config.dbcConfigKeypair
      const pool = yield* built("deploy-token", { signer, metadata: METADATA, dbcConfigKeypair: { publicKey } })
      yield* landed(pool)

      const { baseMint } = pool
      const buy = (amount: string, slippageBps: number) =>
        built("swap", { baseMint, signer, amount, swapBaseForQuote: false, slippageBps })
      const stale = yield* buy("1000000000", 0)
      const swap = yield* buy("2000000000", 100)
      const record = {
        ...{ userAddress: signer, action: "BUY", baseToken: baseMint, quoteToken: NATIVE_MINT, amountIn: "2" },
        ...{
          amountOut: swap.quote.expectedAmountOut,
          amountOutDecimals: 6,
          pricePerToken: "0.00000003",
          slippageBps: 100,
        },
        ...{ fee: "0", feeToken: "SOL", poolAddress: pool.pool },
      }
      const { recordId } = yield* landed(swap, { record })
      // Nothing indexes this chain: the transaction is read from it.
      const sql = yield* SqlClient
      yield* sql`update registry_progress set statuses_asked_at = '-infinity'`
      yield* yield* pollStatuses
      const recorded = (yield* request(`/api/transactions/${recordId}`)).body.transaction
      assert.deepInclude(recorded, { status: "success", baseToken: baseMint, amountIn: "2" })

      // Its minimum was quoted before the other one moved the price.
      const { body } = yield* submit(stale)
      assert.strictEqual(body.code, "simulation_failed")
      assert.deepInclude(body.details.failure, { code: "ExceededSlippage", program: DBC_PROGRAM, customCode: 6002 })
    }).pipe(Effect.provide(server)),
  )
})
