import { execFile } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { hostname, tmpdir } from "node:os"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { withNewCluster } from "@launch-registry/migrations/NewCluster"
import { embeddedPostgres } from "@launch-registry/postgres/embedded/EmbeddedPostgres"
import { Effect } from "effect"
import { jsonServer } from "../../chain/test/JsonServer.ts"
import { generateChain } from "../../indexer/fixtures/GenerateTransactions.ts"
import { StandInCluster } from "../../indexer/test/StandInCluster.ts"
import { commandFile } from "./CommandFile.ts"
import { checkedFetch } from "./ContractCheck.ts"
import { sendAsHelius } from "./HeliusSender.ts"
import { answering, freePort, run } from "./RunningService.ts"

const SECRET = "the-secret-of-the-roles-test"
const { blocks, truth } = generateChain({ seed: 4, slots: 30, transactionsPerSlot: 6, isLarge: false })

/** A service of a role, for the duration of the test. */
const started = (environment: Readonly<Record<string, string>>) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const port = await freePort()
      const url = `http://127.0.0.1:${port}`
      const running = run({ ...environment, PORT: String(port) })
      await answering(running, url)
      return { running, url }
    }),
    ({ running }) =>
      Effect.promise(async () => {
        running.process.kill("SIGTERM")
        await running.ended
      }),
  )

// oxlint-disable-next-line typescript/no-explicit-any
const json = (url: string): Promise<any> =>
  checkedFetch(url).then(
    (response) => response.json(),
    () => undefined,
  )

// oxlint-disable-next-line typescript/no-explicit-any
const until = (url: string, holds: (answer: any) => boolean) =>
  Effect.promise(async () => {
    while (true) {
      const answer = await json(url)
      if (answer !== undefined && holds(answer)) return answer
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  })

const INDEXER = commandFile("indexer")

/** The output of a command of the indexer. */
const command = (environment: Readonly<Record<string, string>>, ...args: ReadonlyArray<string>) =>
  new Promise<string>((resolve) => {
    execFile(process.execPath, [INDEXER, ...args], { env: environment }, (_, stdout, stderr) =>
      resolve(stdout + stderr),
    )
  })

it.live(
  "Processes of different roles share the work: one receives and answers, another indexes, a third takes over",
  () =>
    Effect.gen(function* () {
      const folder = mkdtempSync(join(tmpdir(), "registry-roles-"))
      yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(folder, { recursive: true, force: true })))
      const { address } = yield* embeddedPostgres({ folder: withNewCluster(folder), isThrowaway: true })
      const cluster = new StandInCluster().put(blocks).finalize(blocks[0]!.slot - 1)
      const rpcUrl = yield* jsonServer((body: never, response) => cluster.answer(body, response))
      const environment = {
        DATABASE_URL: `postgres://${address.username}@localhost/${address.database}?host=${address.socketDirectory}`,
        ...{ NETWORK: "localnet", RPC_URL: rpcUrl, RPC_GENESIS_HASH: "any", HELIUS_WEBHOOK_SECRET: SECRET },
        INDEXER_RECONCILE_SECONDS: "1",
      }
      const api = yield* started({ ...environment, ROLE: "api" })
      const send = (some: typeof blocks) =>
        sendAsHelius({
          bodies: some.map(({ transactions }) => JSON.stringify(transactions)),
          ...{ urls: [api.url], secret: SECRET, atOnce: 4, retryMillis: 100, deadlineMillis: 60_000 },
        })
      // No process indexes yet: deliveries wait in the log.
      assert.deepInclude(yield* Effect.promise(() => send(blocks.slice(0, 10))), { delivered: 10, lost: 0 })
      const waiting = yield* Effect.promise(() => json(`${api.url}/api/system/indexer`))
      assert.isNull(waiting.data.leader)
      assert.isAbove(waiting.data.inbox.pendingSegments, 0)
      assert.strictEqual((yield* Effect.promise(() => json(api.url))).data.indexer.status, "off")

      const first = yield* started({ ...environment, ROLE: "indexer" })
      yield* until(`${api.url}/api/system/indexer`, ({ data }) => data.inbox.pendingSegments === 0)
      // It reports its status, and serves nothing of the API.
      const { data: health } = yield* until(
        first.url,
        ({ data }) => data.indexer.status === "up" && data.indexer.detail.startsWith("nothing to prove yet"),
      )
      assert.match(health.indexer.detail, /^nothing to prove yet: no slot is finalized since \d+, indexed up to \d+$/)
      assert.isTrue((yield* Effect.promise(() => json(`${first.url}/readyz`))).success)
      assert.strictEqual((yield* Effect.promise(() => json(`${first.url}/api/tokens`))).code, "route_not_found")
      const leader = (yield* Effect.promise(() => json(`${api.url}/api/system/indexer`))).data.leader.holder
      // Only the log says which machine that is.
      assert.match(leader, /^replica-[0-9a-f]{8}$/)
      const { output, process: child } = first.running
      assert.include(output(), `This process is ${leader} (host ${hostname()}, process ${child.pid})`)

      const second = yield* started({ ...environment, ROLE: "indexer" })
      first.running.process.kill("SIGKILL")
      yield* until(`${second.url}/api/system/indexer`, ({ data }) => ![undefined, leader].includes(data.leader?.holder))
      assert.deepInclude(yield* Effect.promise(() => send(blocks.slice(10))), { lost: 0 })
      const lastSlot = blocks.at(-1)!.slot
      cluster.finalize(lastSlot)
      yield* until(`${api.url}/api/system/indexer`, ({ data }) => data.watermarkSlot === String(lastSlot))
      const [trade] = truth.trades.toReversed()
      const { data } = yield* Effect.promise(() => json(`${api.url}/api/launch/pool/${trade!.baseMint}/trades?limit=1`))
      assert.deepInclude(data[0], { signature: trade!.signature, side: trade!.side, finality: "finalized" })

      // The command rebuilds all tables while the service runs: the leader yields and resumes.
      const replayed = yield* Effect.promise(() => command(environment, "replay"))
      assert.include(replayed, "the same as before")
      assert.include(yield* Effect.promise(() => command(environment, "status")), `proven: slots ${blocks[0]!.slot}`)
      const after = yield* until(`${api.url}/api/system/indexer`, ({ data: { leader } }) =>
        /^replica-[0-9a-f]{8}$/.test(leader?.holder),
      )
      assert.deepInclude(after.data, { gaps: [], deadLetters: 0 })
      const refused = yield* Effect.promise(() => command({ DATABASE_URL: environment.DATABASE_URL }, "backfill", "1"))
      assert.include(refused, "RPC_URL has to be set")
      assert.notInclude(refused, "at ")
    }).pipe(Effect.scoped),
)
