import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { LocalChain } from "@launch-registry/chain/localnet/LocalChain"
import { withNewCluster } from "@launch-registry/migrations/NewCluster"
import { embeddedPostgres } from "@launch-registry/postgres/embedded/EmbeddedPostgres"
import { Effect } from "effect"
import { jsonServer } from "../../chain/test/JsonServer.ts"
import { localWallet } from "../../chain/test/submissions/LocalWallet.ts"
import { RECEIVER } from "../../chain/test/submissions/SignedTransfers.ts"
import { checkedFetch } from "./ContractCheck.ts"
import { Replica } from "./Replica.ts"

const AMOUNT = 2_000_000_000n

interface Call {
  readonly id: unknown
  readonly method: string
  readonly params: ReadonlyArray<unknown>
}

/** A node of the local chain that says it took transactions and forgets them, while it forgets. */
const forgetfulNode = Effect.fnUntraced(function* (chainUrl: string) {
  const facts = { isForgetful: true, sent: [] as Array<string> }
  const url = yield* jsonServer(async (body: Call | ReadonlyArray<Call>, response) => {
    const call = Array.isArray(body) ? undefined : (body as Call)
    if (call?.method === "sendTransaction") {
      facts.sent.push(String(call.params[0]))
      if (facts.isForgetful)
        return void response.end(JSON.stringify({ jsonrpc: "2.0", id: call.id, result: "5".repeat(87) }))
    }
    // Whoever asked may be killed, and the chain end, meanwhile.
    const answer = await fetch(chainUrl, { method: "POST", body: JSON.stringify(body) })
      .then((forwarded) => forwarded.text())
      .catch(() => undefined)
    if (answer === undefined) response.destroy()
    else response.end(answer)
  })
  return Object.assign(facts, { url })
})

const read = async (url: string, signature: string) =>
  ((await (await checkedFetch(`${url}/api/launch/submissions/${signature}`)).json()) as { readonly data: never })
    .data as {
    readonly state: string
    readonly isFinal: boolean
  }

const untilFinal = async (url: string, signature: string): Promise<string> => {
  for (;;) {
    const { isFinal, state } = await read(url, signature)
    if (isFinal) return state
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

it.live("A submission that was answered is landed by another process after kill -9, once", () =>
  Effect.gen(function* () {
    const folder = mkdtempSync(join(tmpdir(), "registry-submissions-"))
    yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(folder, { recursive: true, force: true })))
    const { address } = yield* embeddedPostgres({ folder: withNewCluster(folder), isThrowaway: true })
    const { url: chainUrl } = yield* LocalChain
    const node = yield* forgetfulNode(chainUrl)
    const environment = {
      DATABASE_URL: `postgres://${address.username}@localhost/${address.database}?host=${address.socketDirectory}`,
      ...{ NETWORK: "localnet", RPC_URL: node.url, RPC_GENESIS_HASH: "any", ROLE: "api" },
    }
    const replicas = yield* Effect.acquireRelease(
      Effect.promise(() => Promise.all([Replica.of(environment), Replica.of(environment)])),
      (all) => Effect.promise(() => Promise.all(all.map((replica) => replica.stop()))),
    )
    yield* Effect.promise(async () => {
      const [first, second] = replicas as [Replica, Replica]
      await first.start()
      await second.start()
      const wallet = await localWallet(chainUrl)
      const before = await wallet.balance(RECEIVER)
      // A machine that stands still for a minute lets a blockhash expire; then it is tried again.
      for (let state = ""; state !== "finalized";) {
        if (!first.isUp) await first.start()
        node.isForgetful = true
        node.sent.length = 0
        const { signature, transaction } = await wallet.signTransfer(AMOUNT)
        const answer = await checkedFetch(`${first.url}/api/launch/submit`, {
          ...{ method: "POST", headers: { "content-type": "application/json" } },
          body: JSON.stringify({ transaction }),
        })
        assert.strictEqual(answer.status, 202)
        await first.kill()
        assert.strictEqual((await read(second.url, signature)).state, "pending")
        node.isForgetful = false
        state = await untilFinal(second.url, signature)
        assert.include(["finalized", "expired"], state)
        assert.deepStrictEqual([...new Set(node.sent)], [transaction])
      }
      assert.strictEqual((await wallet.balance(RECEIVER)) - before, AMOUNT)
    })
    // The chain ends after those who ask it.
  }).pipe(Effect.scoped, Effect.provide(LocalChain.layer({}))),
)
