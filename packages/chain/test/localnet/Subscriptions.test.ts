import { assert, layer } from "@effect/vitest"
import {
  type Address,
  airdropFactory,
  createKeyPairSignerFromBytes,
  createSolanaRpc,
  createSolanaRpcSubscriptions,
  createTransactionMessage,
  appendTransactionMessageInstruction,
  lamports,
  pipe,
  sendAndConfirmTransactionFactory,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
  assertIsTransactionWithBlockhashLifetime,
} from "@solana/kit"
import { getTransferSolInstruction } from "@solana-program/system"
import { Effect } from "effect"
import { newKeyPair } from "../../src/build/NewKeyPair.ts"
import { LocalChain } from "../../src/localnet/LocalChain.ts"
import { SEEDED_POOLS } from "../../src/localnet/SeedAccounts.ts"

const client = Effect.map(LocalChain, ({ url }) => ({
  rpc: createSolanaRpc(url),
  rpcSubscriptions: createSolanaRpcSubscriptions(url.replace("http:", "ws:")),
}))

const signer = Effect.promise(async () => createKeyPairSignerFromBytes((await newKeyPair()).secretKey))

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
      const transfer = getTransferSolInstruction({ source: from, destination: to.address, amount: 1_000_000_000n })
      const message = pipe(
        createTransactionMessage({ version: 0 }),
        (empty) => setTransactionMessageFeePayerSigner(from, empty),
        (paid) => setTransactionMessageLifetimeUsingBlockhash(latest, paid),
        (live) => appendTransactionMessageInstruction(transfer, live),
      )
      const transaction = yield* Effect.promise(() => signTransactionMessageWithSigners(message))
      assertIsTransactionWithBlockhashLifetime(transaction)
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
      const { url } = yield* LocalChain
      const socket = new WebSocket(url.replace("http:", "ws:"))
      const answers: Array<{ readonly error?: { readonly code: number }; readonly result?: unknown }> = []
      yield* Effect.promise(() => new Promise((resolve) => socket.addEventListener("open", resolve)))
      socket.addEventListener("message", ({ data }) => answers.push(JSON.parse(String(data))))
      const calls = [
        '{"jsonrpc":"2.0","id":1,"method":"accountSubscribe","params":["nobody"]}',
        '{"jsonrpc":"2.0","id":2,"method":"signatureUnsubscribe","params":[77]}',
        '{"jsonrpc":"2.0","id":3,"method":"voteSubscribe"}',
        "no JSON",
        '{"jsonrpc":"2.0","id":5,"method":"getHealth"}',
      ]
      for (const call of calls) socket.send(call)
      while (answers.length < calls.length) yield* Effect.sleep(20)
      socket.close()
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
      const socket = new WebSocket(url.replace("http:", "ws:"))
      const answers: Array<string> = []
      yield* Effect.promise(() => new Promise((resolve) => socket.addEventListener("open", resolve)))
      socket.addEventListener("message", ({ data }) => answers.push(String(data)))
      const clock = "SysvarC1ock11111111111111111111111111111111"
      const subscribe = {
        jsonrpc: "2.0",
        id: 1,
        method: "accountSubscribe",
        params: [clock, { encoding: "jsonParsed" }],
      }
      socket.send(JSON.stringify(subscribe))
      socket.send(deep)
      while (answers.length < 2) yield* Effect.sleep(20)
      socket.close()
      assert.match(answers[0]!, /-32602/)
      const { address } = yield* signer
      yield* Effect.promise(() => rpc.requestAirdrop(address, lamports(1_000_000_000n)).send())
      assert.strictEqual(yield* Effect.promise(() => rpc.getHealth().send()), "ok")
    }),
  )
})
