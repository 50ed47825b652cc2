/**
 * Records the examples of `openapi.json`: starts the service in local mode (with its own PostgreSQL and local chain,
 * the engine of ClickHouse, and a stand-in for the swap service), calls every operation, and writes requests and responses to
 * `packages/service/fixtures/examples`. Ids, times and keys differ with every run, so run it only after a response has
 * changed, and review the diff.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Exit, Scope } from "effect"
import { IntentsStandIn } from "../packages/bridge/test/IntentsStandIn.ts"
import { startClickHouseServer } from "../packages/clickhouse/test/ClickHouseServer.ts"
import { LocalChain } from "../packages/chain/src/localnet/LocalChain.ts"
import { transactionsOfLocalChain } from "../packages/indexer/src/sources/CapturedTransactions.ts"
import { announcedChain, answering, freePort, run } from "../packages/service/test/RunningService.ts"
import { analyticsStory } from "./examples/AnalyticsStory.ts"
import { bridgeStory } from "./examples/BridgeStory.ts"
import { earnStory } from "./examples/EarnStory.ts"
import { ExampleRecorder } from "./examples/ExampleRecorder.ts"
import { graduatedStory } from "./examples/GraduatedStory.ts"
import { LAUNCHER, marketStory } from "./examples/MarketStory.ts"
import { notificationStory } from "./examples/NotificationStory.ts"
import { submitStory } from "./examples/SubmitStory.ts"
import { systemStory } from "./examples/SystemStory.ts"

const PUBLIC_URL = "http://localhost:3001"
const API_KEY = "key-of-the-recording"
const WEBHOOK_SECRET = "secret-of-the-recording"
const ADMIN_KEY = "admin-key-of-the-recording-of-examples"
const CREDENTIALS = { "x-api-key": ADMIN_KEY }
const RECEIVER_URL = "https://dapp.example/hooks/launches"
const INDEX_PAUSE_MILLIS = 100
const EXAMPLES = join(import.meta.dirname, "..", "packages", "service", "fixtures", "examples")

const untilProven = async (recorder: ExampleRecorder): Promise<void> => {
  for (;;) {
    const { data } = await recorder.read("/api/system/indexer")
    if (data.watermarkSlot !== null && data.gaps.length === 0) return
    await new Promise((resolve) => setTimeout(resolve, INDEX_PAUSE_MILLIS))
  }
}

/** What is recorded of a service on the same chain after its curves have migrated. */
const recordedAfterMigration = Effect.gen(function* () {
  const { url: chainUrl } = yield* LocalChain
  return yield* Effect.promise(async () => {
    const data = mkdtempSync(join(tmpdir(), "registry-examples-"))
    const port = await freePort()
    const serviceUrl = `http://127.0.0.1:${port}`
    const later = run({
      ...{ DATA_FOLDER: data, PORT: String(port), PUBLIC_URL, NETWORK: "localnet", ADMIN_KEY },
      ...{ RPC_URL: chainUrl, RPC_GENESIS_HASH: "any" },
    })
    try {
      await answering(later, serviceUrl)
      const recorder = new ExampleRecorder(serviceUrl, CREDENTIALS)
      await graduatedStory(recorder)
      return recorder.recorded
    } finally {
      later.process.kill("SIGTERM")
      await later.ended
      rmSync(data, { recursive: true, force: true })
    }
  })
}).pipe(Effect.provide(LocalChain.layer({ stage: "migrated", captured: transactionsOfLocalChain })), Effect.scoped)

/** Ten SOL. */
const airdrop = async (chainUrl: string, wallet: string): Promise<void> => {
  const body = { jsonrpc: "2.0", id: 1, method: "requestAirdrop", params: [wallet, 10_000_000_000] }
  await fetch(chainUrl, { method: "POST", body: JSON.stringify(body) })
}

const folder = mkdtempSync(join(tmpdir(), "registry-examples-"))
const scope = await Effect.runPromise(Scope.make())
const history = await Effect.runPromise(Scope.provide(startClickHouseServer(), scope))
const standIn = new IntentsStandIn({ apiKey: API_KEY, isKeyRequired: true })
await standIn.start()
const receiver = createServer((request, response) => request.resume().on("end", () => response.writeHead(204).end()))
await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve))
const receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
const port = await freePort()
const url = `http://127.0.0.1:${port}`
const service = run({
  ...{ DATA_FOLDER: folder, PORT: String(port), PROGRAMS_FOLDER: join(folder, "none"), PUBLIC_URL },
  ...{ HELIUS_WEBHOOK_SECRET: WEBHOOK_SECRET, INTENTS_URL: standIn.url, INTENTS_API_KEY: API_KEY },
  ...{ ADMIN_KEY, NOTIFICATIONS_SECRET: "secret-of-the-recording-of-examples" },
  HISTORY_URL: history.url,
  ...{ INTENTS_QUOTE_KEY: standIn.publicKey, INTENTS_REQUESTS_PER_SECOND: "1000" },
})
try {
  await answering(service, url)
  const recorder = new ExampleRecorder(url, CREDENTIALS)
  await untilProven(recorder)
  await airdrop(await announcedChain(service), LAUNCHER)
  await marketStory(recorder)
  await earnStory(recorder)
  await submitStory(recorder, await announcedChain(service))
  await bridgeStory(recorder, standIn, url)
  await notificationStory(recorder, receiverUrl)
  await systemStory(recorder, WEBHOOK_SECRET)
  await analyticsStory(recorder)
  for (const [operationId, exchanges] of Object.entries(await Effect.runPromise(recordedAfterMigration)))
    recorder.recorded[operationId]!.push(...exchanges)

  // Ports and folders differ from machine to machine; a cluster has the programs that the chain of the recording lacks.
  const plain = (text: string) =>
    text
      .replaceAll(/,\s*"missingPrograms": \[[^\]]*\]/g, "")
      .replaceAll(/(\. It cannot land yet|; launches do not land): [^"]*/g, "")
      .replaceAll(/"warnings": \[\s*"Launches: [^"]*"\s*\]/g, '"warnings": []')
      .replaceAll(folder, "data")
      .replaceAll(url, PUBLIC_URL)
      .replaceAll(receiverUrl, RECEIVER_URL)
      .replaceAll(standIn.url, "https://1click.chaindefuser.com")
      .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, "http://127.0.0.1:8899")
  const byGroup = Map.groupBy(Object.entries(recorder.recorded), ([operationId]) => operationId.split(".")[0]!)
  rmSync(EXAMPLES, { recursive: true, force: true })
  mkdirSync(EXAMPLES, { recursive: true })
  for (const [group, examples] of byGroup)
    writeFileSync(join(EXAMPLES, `${group}.json`), plain(`${JSON.stringify(Object.fromEntries(examples), null, 1)}\n`))
} finally {
  service.process.kill("SIGTERM")
  await service.ended
  await standIn.stop()
  await Effect.runPromise(Scope.close(scope, Exit.void))
  receiver.close()
  rmSync(folder, { recursive: true, force: true })
}
