import { type ChildProcess, fork } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { LocalChain } from "@launch-registry/chain/localnet/LocalChain"
import { SEEDED_MINTS, SEEDED_POOLS } from "@launch-registry/chain/localnet/SeedAccounts"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { checkedFetch } from "./ContractCheck.ts"
import { answering, freePort, run, type Running } from "./RunningService.ts"

const SIGNER = "2gPJHzn5khcuAjvLQxyVVyLDTAyvj1Xx8chWb4PPg1CR"
const SOL = "So11111111111111111111111111111111111111112"
const CLIENTS = 20

interface Endpoint {
  readonly process: ChildProcess
  readonly url: string
}

/** An RPC endpoint in a process of its own. */
const endpoint = (chainUrl: string) =>
  Effect.acquireRelease(
    Effect.promise(
      () =>
        new Promise<Endpoint>((resolve) => {
          const child = fork(fileURLToPath(new URL("RpcProxyMain.ts", import.meta.url)), [new URL(chainUrl).port])
          child.once("message", (port) =>
            resolve({ process: child, url: `http://127.0.0.1:${String(port)}/?api-key=CANARY` }),
          )
        }),
    ),
    (running) => Effect.sync(() => running.process.kill("SIGKILL")),
  )

/** The service over two endpoints of the local chain. */
const service = (endpoints: ReadonlyArray<Endpoint>) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const folder = mkdtempSync(join(tmpdir(), "registry-failover-"))
      const port = await freePort()
      const url = `http://127.0.0.1:${port}`
      const running = run({
        DATA_FOLDER: folder,
        PORT: String(port),
        RPC_URL: endpoints[0]!.url,
        RPC_BACKUP_URL: endpoints[1]!.url,
        RPC_GENESIS_HASH: "any",
      })
      await answering(running, url)
      return { folder, running, url }
    }),
    ({ folder, running }) =>
      Effect.promise(async () => {
        running.process.kill("SIGTERM")
        await running.ended
        rmSync(folder, { recursive: true, force: true })
      }),
  )

/** A recorded trade names its pool, which is how a mint that no index knows is found. */
const recordTrade = (url: string) =>
  checkedFetch(`${url}/api/transactions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      ...{ userAddress: SIGNER, txHash: "failover-1", action: "BUY", baseToken: SEEDED_MINTS.spl, quoteToken: SOL },
      ...{ amountIn: 1, amountOut: 1, pricePerToken: 1, slippageBps: 100, fee: 0, feeToken: SOL },
      ...{ status: "pending", chain: "SOLANA", poolAddress: SEEDED_POOLS[0]!.pool },
    }),
  })

const swap = async (url: string) => {
  const response = await checkedFetch(`${url}/api/launch/swap`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ baseMint: SEEDED_MINTS.spl, signer: SIGNER, amount: 1_000_000, swapBaseForQuote: false }),
  })
  return { status: response.status, headers: response.headers, body: (await response.json()) as { code?: string } }
}

/** Waits until the service has said something. */
const said = (running: Running, text: string) =>
  Effect.promise(async () => {
    for (let attempt = 0; attempt < 400 && !running.output().includes(text); attempt++)
      await new Promise((resolve) => setTimeout(resolve, 25))
    assert.include(running.output(), text)
  })

const pause = (millis: number) => Effect.promise(() => new Promise((resolve) => setTimeout(resolve, millis)))

layer(LocalChain.layer({}), { excludeTestServices: true })("A service over two RPC endpoints", (it) => {
  it.effect("builds swaps through the death of its primary, says so when both are away, and comes back", () =>
    Effect.gen(function* () {
      const { url: chainUrl } = yield* LocalChain
      const [primary, backup] = [yield* endpoint(chainUrl), yield* endpoint(chainUrl)]
      const { running, url } = yield* service([primary, backup])
      const get = (path: string) =>
        checkedFetch(`${url}${path}`).then(async (response) => ({
          status: response.status,
          text: await response.text(),
        }))

      assert.strictEqual((yield* Effect.promise(() => recordTrade(url))).status, 201)
      const statuses: Array<number> = []
      let isOver = false
      const clients = Array.from({ length: CLIENTS }, async () => {
        while (!isOver) statuses.push((await swap(url)).status)
      })
      yield* pause(700)
      const before = statuses.length
      primary.process.kill("SIGKILL")
      yield* pause(1_500)
      isOver = true
      yield* Effect.promise(() => Promise.all(clients))
      assert.deepStrictEqual([...new Set(statuses)], [200])
      assert.isAbove(statuses.length, before + CLIENTS)
      assert.match((yield* Effect.promise(() => get("/"))).text, /primary down.*, backup up/)

      backup.process.kill("SIGSTOP")
      const startedAt = Date.now()
      const refused = yield* Effect.promise(() => Promise.all(Array.from({ length: CLIENTS }, () => swap(url))))
      // The bound on what a caller waits, not a measurement.
      assert.isBelow(Date.now() - startedAt, 2_500)
      for (const { body, headers, status } of refused) {
        assert.deepStrictEqual([status, body.code, headers.get("retry-after")], [503, "chain_unavailable", "2"])
      }
      for (const path of ["/api/tokens", "/readyz", "/api/system/rpc"])
        assert.strictEqual((yield* Effect.promise(() => get(path))).status, 200, path)

      yield* said(running, "backup is out of use")
      backup.process.kill("SIGCONT")
      yield* said(running, "backup is back in use")
      assert.strictEqual((yield* Effect.promise(() => swap(url))).status, 200)
      const seen = [running.output(), JSON.stringify(refused), (yield* Effect.promise(() => get("/metrics"))).text]
      assert.notInclude(seen.join("\n"), "CANARY")
      for (const line of ["primary is out of use", "backup is out of use", "backup is back in use"])
        assert.lengthOf(running.output().split(line), 2, line)
    }),
  )
})
