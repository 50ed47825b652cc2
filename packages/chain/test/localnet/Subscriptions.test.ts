import { assert, layer } from "@effect/vitest"
import {
  type Address,
  airdropFactory,
  createSolanaRpc,
  createSolanaRpcSubscriptions,
  generateKeyPairSigner,
  getBase64Encoder,
  getTransactionDecoder,
  lamports,
  sendAndConfirmTransactionFactory,
} from "@solana/kit"
import { Effect } from "effect"
import { LocalChain } from "../../src/localnet/LocalChain.ts"
import { SEEDED_POOLS } from "../../src/localnet/SeedAccounts.ts"
import { transferOf } from "./Transfer.ts"

const client = Effect.map(LocalChain, ({ url }) => ({
  rpc: createSolanaRpc(url),
  rpcSubscriptions: createSolanaRpcSubscriptions(url.replace("http:", "ws:")),
}))

const signer = Effect.promise(() => generateKeyPairSigner())

/** A socket that is open, and what has come over it. */
const opened = Effect.gen(function* () {
  const { url } = yield* LocalChain
  const socket = new WebSocket(url.replace("http:", "ws:"))
  const texts: Array<string> = []
  socket.addEventListener("message", ({ data }) => texts.push(String(data)))
  yield* Effect.promise(() => new Promise((resolve) => socket.addEventListener("open", resolve)))
  return { socket, texts }
})

layer(LocalChain.layer({}), { excludeTestServices: true })("Subscriptions of the local chain", (it) => {
  it.effect("let kit's own client send and confirm, by signature and by slot", () =>
    Effect.gen(function* () {
      const { rpc, rpcSubscriptions } = yield* client
      const [from, to] = [yield* signer, yield* signer]
      yield* Effect.promise(() =>
        airdropFactory({ rpc: rpc as never, rpcSubscriptions: rpcSubscriptions as never })({
          recipientAddress: from.address,
          lamports: lamports(10_000_000_000n),
          commitment: "confirmed",
        }),
      )
      const { value: latest } = yield* Effect.promise(() => rpc.getLatestBlockhash().send())
      const wire = yield* Effect.promise(() => transferOf(from, to.address, 1_000_000_000n, latest))
      const transaction = {
        ...getTransactionDecoder().decode(getBase64Encoder().encode(wire)),
        lifetimeConstraint: latest,
      }
      yield* Effect.promise(() =>
        sendAndConfirmTransactionFactory({ rpc, rpcSubscriptions })(transaction as never, { commitment: "confirmed" }),
      )
      const { value } = yield* Effect.promise(() => rpc.getBalance(to.address).send())
      assert.strictEqual(value, 1_000_000_000n)
    }),
  )

  it.effect("notify when an account changes, and only then", () =>
    Effect.gen(function* () {
      const { rpc, rpcSubscriptions } = yield* client
      const [watched, other] = [yield* signer, yield* signer]
      const controller = new AbortController()
      const seen: Array<bigint> = []
      const notifications = yield* Effect.promise(() =>
        rpcSubscriptions.accountNotifications(watched.address).subscribe({ abortSignal: controller.signal }),
      )
      const reading = (async () => {
        for await (const { value } of notifications) seen.push(value.lamports)
      })()
      const airdrop = (address: Address, amount: bigint) =>
        Effect.promise(() => rpc.requestAirdrop(address, lamports(amount)).send())
      yield* airdrop(watched.address, 1_000_000_000n)
      yield* airdrop(other.address, 1_000_000_000n)
      yield* airdrop(watched.address, 500_000_000n)
      while (seen.length < 2) yield* Effect.sleep(20)
      controller.abort()
      yield* Effect.promise(() => reading.catch(() => undefined))
      assert.deepStrictEqual(seen, [1_000_000_000n, 1_500_000_000n])
    }),
  )

  it.effect("refuse malformed requests", () =>
    Effect.gen(function* () {
      const { socket, texts } = yield* opened
      const calls = [
        '{"jsonrpc":"2.0","id":1,"method":"accountSubscribe","params":["nobody"]}',
        '{"jsonrpc":"2.0","id":2,"method":"signatureUnsubscribe","params":[77]}',
        '{"jsonrpc":"2.0","id":3,"method":"voteSubscribe"}',
        "no JSON",
        '{"jsonrpc":"2.0","id":5,"method":"getHealth"}',
      ]
      for (const call of calls) socket.send(call)
      while (texts.length < calls.length) yield* Effect.sleep(20)
      socket.close()
      const answers = texts.map(
        (text) => JSON.parse(text) as { readonly error?: { readonly code: number }; readonly result?: unknown },
      )
      assert.deepStrictEqual(
        answers.map(({ error, result }) => error?.code ?? result),
        [-32602, -32602, -32601, -32700, "ok"],
      )
    }),
  )

  it.effect("survive a message that is too deep or too large", () =>
    Effect.gen(function* () {
      const { rpc } = yield* client
      const { url } = yield* LocalChain
      const deep = `{"jsonrpc":"2.0","method":"getSlot","id":${"[".repeat(400_000)}${"]".repeat(400_000)}}`
      const hostile = [deep, '{"jsonrpc":"2.0","id":{"a":1},"method":"getHealth"}']
      for (const body of hostile) {
        const response = yield* Effect.promise(() => fetch(url, { method: "POST", body }))
        assert.strictEqual(response.status, 200)
        yield* Effect.promise(() => response.text())
      }
      const mint = { jsonrpc: "2.0", id: 1, method: "getAccountInfo", params: [SEEDED_POOLS[0]!.pool] }
      const large = yield* Effect.promise(async () =>
        (await fetch(url, { method: "POST", body: JSON.stringify(mint) })).json(),
      )
      assert.match(JSON.stringify(large), /base 58.*128 bytes/)
      const { socket, texts } = yield* opened
      const clock = "SysvarC1ock11111111111111111111111111111111"
      const params = [clock, { encoding: "unheard" }]
      const subscribe = { jsonrpc: "2.0", id: 1, method: "accountSubscribe", params }
      socket.send(JSON.stringify(subscribe))
      socket.send(deep)
      while (texts.length < 2) yield* Effect.sleep(20)
      socket.close()
      assert.match(texts[0]!, /-32602/)
      const { address } = yield* signer
      yield* Effect.promise(() => rpc.requestAirdrop(address, lamports(1_000_000_000n)).send())
      assert.strictEqual(yield* Effect.promise(() => rpc.getHealth().send()), "ok")
    }),
  )
})
