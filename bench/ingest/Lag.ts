import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { NATIVE_MINT } from "@launch-registry/chain/launch/Programs"
import { embeddedPostgres } from "@launch-registry/postgres/embedded/EmbeddedPostgres"
import { Effect } from "effect"
import { jsonServer } from "../../packages/chain/test/JsonServer.ts"
import { generateChain } from "../../packages/indexer/fixtures/GenerateTransactions.ts"
import { StandInCluster } from "../../packages/indexer/test/StandInCluster.ts"
import { answering, freePort, run } from "../../packages/service/test/RunningService.ts"

/** From the POST of a swap until the API of the same process returns its trade, one swap after another. */
const SECRET = "the secret of the lag bench"
const { blocks, truth } = generateChain({ seed: 8, slots: 150, transactionsPerSlot: 4 })
const say = (text: string) => void process.stdout.write(`${text}\n`)
/** Decimals of other quote tokens would be read from the chain, which has transactions only here. */
const mintOf = new Map(
  truth.trades.flatMap(({ baseMint, quoteMint, signature }) =>
    quoteMint === NATIVE_MINT ? [[signature, baseMint] as const] : [],
  ),
)

const lag = Effect.gen(function* () {
  const folder = mkdtempSync(join(tmpdir(), "registry-lag-"))
  yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(folder, { recursive: true, force: true })))
  const { address } = yield* embeddedPostgres({ folder })
  const cluster = new StandInCluster().put(blocks).finalize(blocks[0]!.slot - 1)
  const rpcUrl = yield* jsonServer((body: never, response) => cluster.answer(body, response))
  const port = yield* Effect.promise(freePort)
  const url = `http://127.0.0.1:${port}`
  const running = run({
    DATABASE_URL: `postgres://${address.username}@localhost/${address.database}?host=${address.socketDirectory}`,
    ...{
      NETWORK: "localnet",
      RPC_URL: rpcUrl,
      RPC_GENESIS_HASH: "any",
      HELIUS_WEBHOOK_SECRET: SECRET,
      PORT: String(port),
    },
  })
  yield* Effect.addFinalizer(() => Effect.sync(() => running.process.kill("SIGTERM")))
  yield* Effect.promise(() => answering(running, url))

  const post = (body: string) =>
    fetch(`${url}/api/webhooks/helius`, {
      method: "POST",
      headers: { authorization: SECRET, "content-type": "application/json" },
      body,
    })
  const isVisible = async (mint: string, signature: string): Promise<boolean> => {
    const response = await fetch(`${url}/api/launch/pool/${mint}/trades?limit=20`)
    return (await response.text()).includes(signature)
  }
  const millis: Array<number> = []
  for (const transaction of blocks.flatMap(({ transactions }) => transactions)) {
    const signature = transaction.transaction.signatures[0]!
    const mint = mintOf.get(signature)
    const from = performance.now()
    yield* Effect.promise(() => post(JSON.stringify([transaction])))
    if (mint === undefined) continue
    while (!(yield* Effect.promise(() => isVisible(mint, signature)))) yield* Effect.sleep(5)
    millis.push(performance.now() - from)
  }
  millis.sort((left, right) => left - right)
  const at = (share: number) => `${millis[Math.floor((millis.length - 1) * share)]!.toFixed(0)} ms`
  say(`${millis.length} swaps from POST to API: p50 ${at(0.5)}, p99 ${at(0.99)}, slowest ${at(1)}`)
})

await Effect.runPromise(Effect.scoped(lag))
process.exit()
