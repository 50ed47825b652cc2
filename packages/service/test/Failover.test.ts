import { type ChildProcess, fork } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { LocalChain } from "@launch-registry/chain/localnet/LocalChain"
import { SEEDED_MINTS, SEEDED_POOLS } from "@launch-registry/chain/localnet/SeedAccounts"
import { assert, layer } from "@effect/vitest"
import { withNewCluster } from "@launch-registry/migrations/NewCluster"
import { Effect } from "effect"
import { checkedFetch } from "./ContractCheck.ts"
import { answering, freePort, run, type Running } from "./RunningService.ts"

const SIGNER = "2gPJHzn5khcuAjvLQxyVVyLDTAyvj1Xx8chWb4PPg1CR"
const SOL = "So11111111111111111111111111111111111111112"
/** So few that a swap is far below its deadlines, also when every core is busy. */
const CLIENTS = 5
/** The bound is 2.5 s and measured on an idle machine (`packages/chain/test/rpc/Probing.test.ts`); no call waits forever. */
const ANSWER_MILLIS_MAX = 20_000

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
        DATA_FOLDER: withNewCluster(folder),
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

/** A recorded trade names its pool, by which an unindexed mint is found. */
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

/** The states of an endpoint in order, as logged. */
const transitionsOf = (running: Running, name: string) =>
  [...running.output().matchAll(new RegExp(`RPC ${name} is (out of|back in) use`, "g"))].map(([, how]) => how)

const until = (running: Running, holds: () => boolean | Promise<boolean>) =>
  Effect.promise(async () => {
    while (!(await holds())) {
      assert.isNull(running.process.exitCode, running.output())
      await new Promise((resolve) => setTimeout(resolve, 25))
    }
  })

layer(LocalChain.layer({}), { excludeTestServices: true })("A service over two RPC endpoints", (it) => {
  it.effect("builds swaps while its primary is killed, reports when both are down, and recovers", () =>
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
      const built = () => statuses.filter((status) => status === 200).length
      const isBuilt = (count: number) => until(running, () => built() >= count)
      yield* isBuilt(5 * CLIENTS)
      primary.process.kill("SIGKILL")
      yield* until(running, () => transitionsOf(running, "primary").at(-1) === "out of")
      // Those in flight at the kill, and many that started afterwards.
      yield* isBuilt(built() + 10 * CLIENTS)
      isOver = true
      yield* Effect.promise(() => Promise.all(clients))
      // On a busy machine deadlines may pass, which is answered 503; that none fails on a machine that keeps up is tested in
      // `packages/chain/test/rpc/Resilience.test.ts`.
      assert.includeMembers([200, 503], [...new Set(statuses)])
      yield* until(running, async () => /primary down.*, backup up/.test((await get("/")).text))

      backup.process.kill("SIGSTOP")
      const startedAt = Date.now()
      const refused = yield* Effect.promise(() => Promise.all(Array.from({ length: CLIENTS }, () => swap(url))))
      assert.isBelow(Date.now() - startedAt, ANSWER_MILLIS_MAX)
      for (const { body, headers, status } of refused) {
        assert.deepStrictEqual([status, body.code, headers.get("retry-after")], [503, "upstream_unavailable", "2"])
      }
      for (const path of ["/api/tokens", "/readyz", "/api/system/rpc"])
        assert.strictEqual((yield* Effect.promise(() => get(path))).status, 200, path)

      yield* until(running, () => transitionsOf(running, "backup").at(-1) === "out of")
      backup.process.kill("SIGCONT")
      yield* until(running, () => transitionsOf(running, "backup").at(-1) === "back in")
      yield* until(running, async () => (await swap(url)).status === 200)
      const seen = [running.output(), JSON.stringify(refused), (yield* Effect.promise(() => get("/metrics"))).text]
      assert.notInclude(seen.join("\n"), "CANARY")
      for (const name of ["primary", "backup"]) {
        const transitions = transitionsOf(running, name)
        assert.isTrue(
          transitions.every((how, index) => how === (index % 2 === 0 ? "out of" : "back in")),
          transitions.join(),
        )
      }
    }),
  )
})
