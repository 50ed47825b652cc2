import { hostname } from "node:os"
import { assert, it } from "@effect/vitest"
import { empty } from "@launch-registry/migrations/TestDatabase"
import { Effect } from "effect"
import { jsonServer } from "../../chain/test/JsonServer.ts"
import { generateChain } from "../../indexer/fixtures/GenerateTransactions.ts"
import { StandInCluster } from "../../indexer/test/StandInCluster.ts"
import { commandFile } from "./CommandFile.ts"
import { commandOutput } from "./CommandOutput.ts"
import { testUrlOf } from "./DatabaseUrls.ts"
import { sendAsHelius } from "./HeliusSender.ts"
import { startedService } from "./StartedService.ts"
import { answerOf, untilAnswer } from "./UntilAnswer.ts"

const SECRET = "the-secret-of-the-roles-test"
const { blocks, truth } = generateChain({ seed: 4, slots: 30, transactionsPerSlot: 6, isLarge: false })

const INDEXER = commandFile("indexer")

it.live(
  "Processes of different roles share the work: one receives and answers, another indexes, a third takes over",
  () =>
    Effect.gen(function* () {
      const cluster = new StandInCluster().put(blocks).finalize(blocks[0]!.slot - 1)
      const rpcUrl = yield* jsonServer((body: never, response) => cluster.answer(body, response))
      const environment = {
        DATABASE_URL: testUrlOf(yield* empty),
        ...{ NETWORK: "localnet", RPC_URL: rpcUrl, RPC_GENESIS_HASH: "any", HELIUS_WEBHOOK_SECRET: SECRET },
        INDEXER_RECONCILE_SECONDS: "1",
      }
      const api = yield* startedService({ ...environment, ROLE: "api" })
      const looked = (...look: Parameters<typeof untilAnswer>) => Effect.promise(() => untilAnswer(...look))
      const command = (...args: ReadonlyArray<string>) =>
        Effect.map(
          Effect.promise(() => commandOutput(INDEXER, args, environment)),
          ({ err, out }) => out + err,
        )
      const send = (some: typeof blocks) =>
        sendAsHelius({
          bodies: some.map(({ transactions }) => JSON.stringify(transactions)),
          ...{ urls: [api.url], secret: SECRET, atOnce: 4, retryMillis: 100, deadlineMillis: 60_000 },
        })
      // No process indexes yet: deliveries wait in the log.
      assert.deepInclude(yield* Effect.promise(() => send(blocks.slice(0, 10))), { delivered: 10, lost: 0 })
      const waiting = yield* Effect.promise(() => answerOf(`${api.url}/api/system/indexer`))
      assert.isNull(waiting.data.leader)
      assert.isAbove(waiting.data.inbox.pendingSegments, 0)
      assert.strictEqual((yield* Effect.promise(() => answerOf(api.url))).data.indexer.status, "off")

      const first = yield* startedService({ ...environment, ROLE: "indexer" })
      yield* looked(`${api.url}/api/system/indexer`, ({ data }) => data.inbox.pendingSegments === 0)
      // It reports its status, and serves nothing of the API.
      const { data: health } = yield* looked(
        first.url,
        ({ data }) => data.indexer.status === "up" && data.indexer.detail.startsWith("nothing to prove yet"),
      )
      assert.match(health.indexer.detail, /^nothing to prove yet: no slot is finalized since \d+, indexed up to \d+$/)
      assert.isTrue((yield* Effect.promise(() => answerOf(`${first.url}/readyz`))).success)
      assert.strictEqual((yield* Effect.promise(() => answerOf(`${first.url}/api/tokens`))).code, "route_not_found")
      const leader = (yield* Effect.promise(() => answerOf(`${api.url}/api/system/indexer`))).data.leader.holder
      // Only the log says which machine that is.
      assert.match(leader, /^replica-[0-9a-f]{8}$/)
      const { output, process: child } = first.running
      assert.include(output(), `This process is ${leader} (host ${hostname()}, process ${child.pid})`)

      const second = yield* startedService({ ...environment, ROLE: "indexer" })
      first.running.process.kill("SIGKILL")
      yield* looked(
        `${second.url}/api/system/indexer`,
        ({ data }) => ![undefined, leader].includes(data.leader?.holder),
      )
      assert.deepInclude(yield* Effect.promise(() => send(blocks.slice(10))), { lost: 0 })
      const lastSlot = blocks.at(-1)!.slot
      cluster.finalize(lastSlot)
      yield* looked(`${api.url}/api/system/indexer`, ({ data }) => data.watermarkSlot === String(lastSlot))
      const [trade] = truth.trades.toReversed()
      const { data } = yield* Effect.promise(() =>
        answerOf(`${api.url}/api/launch/pool/${trade!.baseMint}/trades?limit=1`),
      )
      assert.deepInclude(data[0], { signature: trade!.signature, side: trade!.side, finality: "finalized" })

      // The command rebuilds all tables while the service runs: the leader yields and resumes.
      const replayed = yield* command("replay")
      assert.include(replayed, "the same as before")
      assert.include(yield* command("status"), `proven: slots ${blocks[0]!.slot}`)
      const after = yield* looked(`${api.url}/api/system/indexer`, ({ data: { leader } }) =>
        /^replica-[0-9a-f]{8}$/.test(leader?.holder),
      )
      assert.deepInclude(after.data, { gaps: [], deadLetters: 0 })
      const { DATABASE_URL } = environment
      const refused = yield* Effect.promise(() => commandOutput(INDEXER, ["backfill", "1"], { DATABASE_URL }))
      assert.include(refused.err, "RPC_URL has to be set")
      assert.notInclude(refused.err, "at ")
    }).pipe(Effect.scoped),
)
