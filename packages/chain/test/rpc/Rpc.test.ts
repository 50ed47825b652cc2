import { createServer, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { GENESIS_HASH, type Network } from "../../src/rpc/Network.ts"
import { Rpc } from "../../src/rpc/Rpc.ts"

type Behaviour = (response: ServerResponse, request: { readonly id: unknown; readonly method: string }) => void

const result =
  (value: unknown): Behaviour =>
  (response, { id }) =>
    response.end(JSON.stringify({ jsonrpc: "2.0", id, result: value }))
/** A refusal as nodes send it; that of a preflight says what the simulation found. */
const failure =
  (code: number, message = "m"): Behaviour =>
  (response, { id }) => {
    const data =
      code === -32002 ? { data: { accounts: null, err: "BlockhashNotFound", logs: [], unitsConsumed: 0 } } : {}
    response.end(JSON.stringify({ jsonrpc: "2.0", id, error: { code, message, ...data } }))
  }
const status =
  (code: number, body = "", headers = {}): Behaviour =>
  (response) =>
    void response.writeHead(code, headers).end(body)
const hang: Behaviour = () => undefined
const SLOT = result(5)

/** A node that answers `getSlot` as told, knows its genesis, and counts what it was asked. */
const node = (behaviour: Behaviour, genesis = GENESIS_HASH.devnet) =>
  Effect.acquireRelease(
    Effect.promise(
      () =>
        new Promise<{ server: Server; url: string; calls: Array<string>; behave: (next: Behaviour) => void }>(
          (resolve) => {
            const calls: Array<string> = []
            let current = behaviour
            const server = createServer((request, response) => {
              let text = ""
              request.on("data", (chunk) => (text += chunk))
              request.on("end", () => {
                const parsed = JSON.parse(text)
                calls.push(parsed.method)
                const answer = parsed.method === "getGenesisHash" ? result(genesis) : current
                answer(response, parsed)
              })
            })
            server.listen(0, "127.0.0.1", () => {
              const { port } = server.address() as AddressInfo
              const behave = (next: Behaviour) => void (current = next)
              resolve({ server, url: `http://127.0.0.1:${port}/?api-key=CANARY`, calls, behave })
            })
          },
        ),
    ),
    ({ server }) =>
      Effect.sync(() => {
        server.close()
        server.closeAllConnections()
      }),
  )

const DEAD = "http://127.0.0.1:9/?api-key=CANARY"

const getSlot = Effect.flatMap(Rpc, ({ call }) =>
  call("getSlot", (kit, abortSignal) => kit.getSlot().send({ abortSignal })),
)

/** Thirty calls at once, each different: kit sends identical ones of a moment once. */
const thirty = Effect.flatMap(Rpc, ({ call }) =>
  Effect.all(
    Array.from({ length: 30 }, (_, index) =>
      call("getMinimumBalanceForRentExemption", (kit, abortSignal) =>
        kit.getMinimumBalanceForRentExemption(BigInt(index)).send({ abortSignal }),
      ),
    ),
    { concurrency: 30 },
  ),
)

const over = (urls: ReadonlyArray<string>, network: Network = "localnet") =>
  Rpc.layer({ urls: urls.map((url) => Redacted.make(url)), network }).pipe(Layer.provideMerge(Logger.layer([])))

const statusOf = Effect.flatMap(Rpc, (rpc) => rpc.status)

describe("RPC failover", () => {
  const faults: ReadonlyArray<readonly [what: string, behaviour: Behaviour]> = [
    ["500", status(500)],
    ["503 with HTML", status(503, "<html>down</html>")],
    ["HTML with 200", status(200, "<html>login</html>")],
    ["truncated JSON", status(200, '{"jsonrpc":"2.0","res')],
    ["a closed connection", (response) => void response.socket?.destroy()],
    ["-32603 internal error", failure(-32603)],
    ["-32005 node is behind", failure(-32005)],
    ["-32016 minimum context slot", failure(-32016)],
    ["-32007 slot skipped", failure(-32007)],
    ["an unknown code", failure(-32099)],
    ["429", status(429, "", { "retry-after": "30" })],
    ["403", status(403, '{"jsonrpc":"2.0","error":{"code":1}}')],
  ]
  for (const [what, behaviour] of faults) {
    it.live(`asks the backup once when the primary answers ${what}`, () =>
      Effect.gen(function* () {
        const [primary, backup] = [yield* node(behaviour), yield* node(SLOT)]
        const slot = yield* Effect.provide(getSlot, over([primary.url, backup.url]))
        assert.strictEqual(slot, 5n)
        assert.deepStrictEqual([primary.calls.length, backup.calls.length], [1, 1])
      }),
    )
  }

  it.live("asks the backup when the primary is not there, and when it hangs", () =>
    Effect.gen(function* () {
      const [hanging, backup] = [yield* node(hang), yield* node(SLOT)]
      assert.strictEqual(yield* Effect.provide(getSlot, over([DEAD, backup.url])), 5n)
      assert.strictEqual(yield* Effect.provide(getSlot, over([hanging.url, backup.url])), 5n)
    }),
  )

  for (const code of [-32602, -32601, -32600, -32002, -32003]) {
    it.live(`takes ${code} as the answer and asks nobody else`, () =>
      Effect.gen(function* () {
        const [primary, backup] = [yield* node(failure(code, "no")), yield* node(SLOT)]
        const error = yield* Effect.provide(Effect.flip(getSlot), over([primary.url, backup.url]))
        assert.deepInclude(error.reason, { _tag: "Rejected", code })
        assert.lengthOf(backup.calls, 0)
      }),
    )
  }

  it.live("leaves a failing endpoint alone after three faults", () =>
    Effect.gen(function* () {
      const [primary, backup] = [yield* node(status(500)), yield* node(SLOT)]
      yield* Effect.gen(function* () {
        for (let call = 0; call < 8; call++) yield* getSlot
        assert.deepStrictEqual([primary.calls.length, backup.calls.length], [3, 8])
        const [first] = yield* statusOf
        assert.deepInclude(first, { name: "primary", state: "open", lastFault: "ServerFault", failures: 3 })
      }).pipe(Effect.provide(over([primary.url, backup.url])))
    }),
  )

  it.effect("probes a failed endpoint with a single call after its cool-down, however many calls had failed", () =>
    Effect.gen(function* () {
      const [primary, backup] = [yield* node(status(500)), yield* node(SLOT)]
      yield* Effect.gen(function* () {
        yield* thirty
        const failed = primary.calls.length
        yield* TestClock.adjust("1900 millis")
        yield* getSlot
        assert.lengthOf(primary.calls, failed)
        assert.strictEqual(failed, 30)
        primary.behave(SLOT)
        yield* TestClock.adjust("200 millis")
        yield* getSlot
        assert.lengthOf(primary.calls, failed + 1)
        assert.strictEqual((yield* statusOf)[0]?.state, "closed")
        assert.lengthOf(backup.calls, 31)
      }).pipe(Effect.provide(over([primary.url, backup.url])))
    }),
  )

  it.live("holds it against no endpoint that it does not keep what is asked for", () =>
    Effect.gen(function* () {
      const [primary, backup] = [yield* node(failure(-32007)), yield* node(SLOT)]
      yield* Effect.gen(function* () {
        for (let call = 0; call < 6; call++) yield* getSlot
        assert.deepStrictEqual([primary.calls.length, backup.calls.length], [6, 6])
        assert.deepInclude((yield* statusOf)[0], { state: "closed", failures: 0 })
      }).pipe(Effect.provide(over([primary.url, backup.url])))
    }),
  )

  it.live("does not call an endpoint that said when to come back before then", () =>
    Effect.gen(function* () {
      const [primary, backup] = [yield* node(status(429, "", { "retry-after": "30" })), yield* node(SLOT)]
      yield* Effect.gen(function* () {
        for (let call = 0; call < 4; call++) yield* getSlot
        assert.deepStrictEqual([primary.calls.length, backup.calls.length], [1, 4])
        assert.deepInclude((yield* statusOf)[0], { state: "paused", failures: 0 })
      }).pipe(Effect.provide(over([primary.url, backup.url])))
    }),
  )

  it.live("never uses an endpoint of another cluster", () =>
    Effect.gen(function* () {
      const [wrong, right] = [yield* node(SLOT, GENESIS_HASH.mainnet), yield* node(SLOT)]
      yield* Effect.gen(function* () {
        yield* getSlot
        yield* getSlot
        assert.deepStrictEqual(wrong.calls, ["getGenesisHash"])
        assert.deepStrictEqual(right.calls, ["getGenesisHash", "getSlot", "getSlot"])
        assert.deepInclude((yield* statusOf)[0], { state: "benched", lastFault: "WrongCluster" })
      }).pipe(Effect.provide(over([wrong.url, right.url], "devnet")))
    }),
  )

  it.live("tries a single endpoint twice", () =>
    Effect.gen(function* () {
      const only = yield* node(status(500))
      const error = yield* Effect.provide(Effect.flip(getSlot), over([only.url]))
      assert.deepStrictEqual(error.reason, { _tag: "ServerFault", status: 500 })
      assert.lengthOf(only.calls, 2)
    }),
  )

  it.live("shares a warm blockhash", () =>
    Effect.gen(function* () {
      const value = { blockhash: "4QjEBrJnATvydaCoPb7j4cneA5vSJNFsAYHQwRAjAjmQ", lastValidBlockHeight: 150 }
      const only = yield* node(result({ context: { slot: 7 }, value }))
      yield* Effect.gen(function* () {
        const { getLatestBlockhash } = yield* Rpc
        const all = yield* Effect.all(
          Array.from({ length: 20 }, () => getLatestBlockhash),
          { concurrency: 20 },
        )
        assert.deepStrictEqual(all[19], { ...value, lastValidBlockHeight: 150n, slot: 7n } as never)
        assert.lengthOf(only.calls, 1)
        assert.strictEqual((yield* statusOf)[0]?.lastSlot, "7")
      }).pipe(Effect.provide(over([only.url])))
    }),
  )

  it.live("shows no part of a URL in errors, status or log", () =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      const capture = Logger.layer([
        Logger.make(({ cause, message }) => void lines.push(`${String(message)} ${String(cause)}`)),
      ])
      const layer = Rpc.layer({ urls: [Redacted.make(DEAD), Redacted.make(DEAD)], network: "localnet" })
      yield* Effect.gen(function* () {
        for (let call = 0; call < 4; call++) {
          const error = yield* Effect.flip(getSlot)
          lines.push(JSON.stringify(error), error.message, String(error.stack))
        }
        lines.push(JSON.stringify(yield* statusOf))
      }).pipe(Effect.provide(layer.pipe(Layer.provideMerge(capture))))
      assert.isAtLeast(lines.filter((line) => line.includes("out of use")).length, 2)
      assert.notMatch(lines.join("\n"), /CANARY|127\.0\.0\.1/)
    }),
  )
})
