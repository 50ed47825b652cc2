import { SEEDED_MINTS } from "@launch-registry/chain/localnet/SeedAccounts"
import { assert, layer } from "@effect/vitest"
import { Rpc } from "@launch-registry/chain/rpc/Rpc"
import { WebhookInbox } from "@launch-registry/domain/webhooks/WebhookInbox"
import { ORDINAL_MAX } from "@launch-registry/domain/solana/Ordinal"
import { type Address, lamports } from "@solana/kit"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { IntentsStandIn } from "../../../bridge/test/IntentsStandIn.ts"
import { AMPLE } from "../../../bridge/test/TestBridge.ts"
import { fundedWallet, transferOf } from "../../../chain/test/submissions/SignedTransfers.ts"
import { adminAccess, AS_ADMIN } from "../access/TestAccess.ts"
import { OPTIONS as NOTIFICATIONS } from "../../../server/test/notifications/TestNotifications.ts"
import { declaredDocument } from "../../fixtures/OpenApiExamples.ts"
import { sendTrades, TestHistory } from "../../../server/test/history/TestHistory.ts"
import { indexTrades, randomTrades } from "../../../server/test/launch/IndexedTrades.ts"
import { randomOf } from "../Random.ts"
import { seededDraft } from "../Samples.ts"
import { commitChanges, sampleChange } from "../../../server/test/stream/IndexChanges.ts"
import { examples, SEED } from "../../../../scripts/Laws.ts"
import { TestServer } from "../TestServer.ts"
import { FUZZ_KNOWN, FUZZ_SAMPLES, FUZZ_SECRET, FUZZ_WALLET } from "./FuzzSamples.ts"
import { type FuzzFigures, fuzzRun } from "./FuzzRun.ts"
import { type OpenApiDocument, operationsOf } from "./OpenApi.ts"

const REQUESTS = examples(500, 20_000)

/** Accepts everything; the real inbox is tested with the indexer. */
const inbox = Layer.succeed(WebhookInbox, { receive: () => Effect.succeed({ accepted: 1, unreadable: 0 }) })

const server = Layer.unwrap(
  Effect.map(IntentsStandIn.make(), (standIn) =>
    TestServer.layer({
      bridge: { url: standIn.url, quoteKey: standIn.publicKey, rates: { watch: AMPLE, quote: AMPLE } },
      notifications: NOTIFICATIONS,
      webhookSecrets: [Redacted.make(FUZZ_SECRET)],
      access: adminAccess(),
    }).pipe(Layer.provide(inbox), Layer.provideMerge(TestHistory.layer)),
  ),
)

/** The seeded launches as tokens, with trades of one of them, old ones in history alone, and a change of every type. */
const populated = Effect.gen(function* () {
  const { request } = yield* TestServer
  for (const mint of Object.values(SEEDED_MINTS)) yield* request("/api/tokens", { json: seededDraft(mint) })
  const rpc = yield* Rpc
  yield* Effect.orDie(rpc.call((kit) => kit.requestAirdrop(FUZZ_WALLET as Address, lamports(100_000_000_000n))))
  const trades = randomTrades(randomOf(1), 60, SEEDED_MINTS.spl)
  yield* indexTrades(trades)
  yield* sendTrades(trades)
  const sql = yield* SqlClient
  const keptFrom = trades.toSorted((a, b) => (a.ordinal < b.ordinal ? -1 : 1))[30]!.ordinal
  yield* sql`update indexer_progress set sent_below = ${ORDINAL_MAX}, sent_at = now()`
  yield* sql`update indexer_progress set kept_from = ${keptFrom}`
  yield* sql`
    insert into dead_letters (log_offset, position, slot, signature, reason, module_hash)
    select n, 0, 300000000 + n, 'signature', 'no block time', 'hash' from generate_series(1, 8) n`
  for (const type of ["token", "trade", "pool", "graduation", "creator", "liquidity", "revert"] as const)
    yield* commitChanges(sampleChange(type, SEEDED_MINTS.spl))
})

/** Signed before the run; submitted once, it is answered for ever. */
const signed = Effect.gen(function* () {
  const { getLatestBlockhash } = yield* Rpc
  return yield* transferOf(yield* fundedWallet, yield* getLatestBlockhash)
})

const run = Effect.gen(function* () {
  yield* populated
  const { transaction } = yield* signed
  const { url } = yield* TestServer
  return yield* Effect.promise(() =>
    fuzzRun({
      ...{ url, document: declaredDocument as OpenApiDocument, seed: SEED, requests: REQUESTS },
      samples: { ...FUZZ_SAMPLES, "launch.submit": () => ({ transaction }) },
      known: FUZZ_KNOWN,
      headers: AS_ADMIN,
    }),
  )
})

const succeeded = ({ counts }: FuzzFigures, operationId: string): boolean =>
  [...(counts.get(operationId)?.keys() ?? [])].some((status) => status < 300)

layer(server, { excludeTestServices: true })("Every operation of the contract", (it) => {
  it.effect("answers as it declares, whatever the request", () =>
    Effect.gen(function* () {
      const figures = yield* run
      const { violations: found } = figures
      const first = found.slice(0, 5).map(({ fault, operationId, shown }) => `${operationId}: ${fault}\n${shown}\n`)
      assert.strictEqual(found.length, 0, `PROPERTY_SEED=${SEED}\n${first.join("\n")}`)
      // Otherwise only refusals would have been checked.
      const operations = operationsOf(declaredDocument as OpenApiDocument).map(({ operationId }) => operationId)
      // Only the seeded mints have holders, and few requests name them; below a file there is nothing; most ids are not of dead letters.
      const seldom = new Set(["tokens.holders", "gateway.contentPath", "system.deadLetter"])
      const never = operations.filter((id) => !seldom.has(id) && !succeeded(figures, id))
      assert.deepStrictEqual(never, [], `PROPERTY_SEED=${SEED}`)
    }),
  )
})
