import { assert, layer } from "@effect/vitest"
import { address, createSolanaRpc, generateKeyPairSigner, lamports } from "@solana/kit"
import { Effect } from "effect"
import launches from "../../fixtures/launches.json" with { type: "json" }
import { decodeConfig } from "../../src/dbc/ConfigAccount.ts"
import { decodePool } from "../../src/dbc/PoolAccount.ts"
import { DBC_PROGRAM } from "../../src/accounts/Programs.ts"
import { LocalChain } from "../../src/localnet/LocalChain.ts"
import { transferOf } from "./Transfer.ts"

const client = Effect.map(LocalChain, ({ url }) => createSolanaRpc(url))

interface JsonRpcAnswer {
  readonly result?: unknown
  readonly error?: { readonly code: number }
}

const post = Effect.fn(function* <A = JsonRpcAnswer>(body: string) {
  const { url } = yield* LocalChain
  return yield* Effect.promise(async () => (await fetch(url, { method: "POST", body })).json() as Promise<A>)
})

layer(LocalChain.layer({}), { excludeTestServices: true })("The local chain", (it) => {
  it.effect("answers kit's own client about the cluster", () =>
    Effect.gen(function* () {
      const rpc = yield* client
      const [health, slot, genesis, { value }] = yield* Effect.promise(() =>
        Promise.all([
          rpc.getHealth().send(),
          rpc.getSlot().send(),
          rpc.getGenesisHash().send(),
          rpc.getLatestBlockhash().send(),
        ]),
      )
      assert.strictEqual(health, "ok")
      assert.isTrue(slot > 300_000_000n)
      assert.match(genesis, /^[1-9A-HJ-NP-Za-km-z]{32,44}$/)
      assert.isTrue(value.lastValidBlockHeight >= slot + 140n)
      assert.isTrue((yield* Effect.promise(() => rpc.isBlockhashValid(value.blockhash).send())).value)
    }),
  )

  it.effect("has the captured launches, with vaults that match their pools", () =>
    Effect.gen(function* () {
      const rpc = yield* client
      for (const launch of launches) {
        const filters = [{ memcmp: { offset: 136n, bytes: launch.baseMint as never, encoding: "base58" as const } }]
        const [found] = yield* Effect.promise(() =>
          rpc.getProgramAccounts(DBC_PROGRAM, { encoding: "base64", filters }).send(),
        )
        assert.strictEqual(found?.pubkey, launch.pools.mid.address)
        const pool = decodePool(Uint8Array.from(Buffer.from(found!.account.data[0], "base64")))!
        const config = decodeConfig(Uint8Array.from(Buffer.from(launch.config.data, "base64")))!
        const balance = (vault: string) =>
          Effect.promise(async () => BigInt((await rpc.getTokenAccountBalance(address(vault)).send()).value.amount))
        const [base, quote] = [yield* balance(pool.baseVault), yield* balance(pool.quoteVault)]
        assert.strictEqual(base, pool.baseReserve + pool.protocolBaseFee + pool.partnerBaseFee + pool.creatorBaseFee)
        assert.strictEqual(
          quote,
          pool.quoteReserve + pool.protocolQuoteFee + pool.partnerQuoteFee + pool.creatorQuoteFee,
        )
        const { value: supply } = yield* Effect.promise(() => rpc.getTokenSupply(address(launch.baseMint)).send())
        assert.strictEqual(supply.amount, String(config.preMigrationTokenSupply))
        const { value: largest } = yield* Effect.promise(() =>
          rpc.getTokenLargestAccounts(address(launch.baseMint)).send(),
        )
        const held = largest.reduce((sum, { amount }) => sum + BigInt(amount), 0n)
        assert.strictEqual(held, config.preMigrationTokenSupply)
      }
    }),
  )

  it.effect("executes a signed transfer, and the same bytes only once", () =>
    Effect.gen(function* () {
      const rpc = yield* client
      yield* Effect.promise(async () => {
        const sender = await generateKeyPairSigner()
        const { address: receiver } = await generateKeyPairSigner()
        await rpc.requestAirdrop(sender.address, lamports(2_000_000_000n)).send()
        const { value: latest } = await rpc.getLatestBlockhash().send()
        const wire = await transferOf(sender, receiver, 1_000_000_000n, latest)
        const { value: simulated } = await rpc.simulateTransaction(wire, { encoding: "base64" }).send()
        assert.isNull(simulated.err)
        const signature = await rpc.sendTransaction(wire, { encoding: "base64" }).send()
        assert.strictEqual(await rpc.sendTransaction(wire, { encoding: "base64" }).send(), signature)
        const { value: statuses } = await rpc.getSignatureStatuses([signature]).send()
        assert.isNull(statuses[0]!.err)
        assert.strictEqual((await rpc.getBalance(receiver).send()).value, 1_000_000_000n)
        assert.strictEqual((await rpc.getBalance(sender.address).send()).value, 999_995_000n)
      })
    }),
  )

  it.effect("refuses unsupported requests with the codes of a node", () =>
    Effect.gen(function* () {
      const call = (method: string, ...params: ReadonlyArray<unknown>) =>
        JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
      const cases: ReadonlyArray<readonly [body: string, code: number]> = [
        ["{", -32700],
        ["1", -32600],
        ["[]", -32600],
        [call("getNothing"), -32601],
        [call("constructor"), -32601],
        [call("getAccountInfo", "nope"), -32602],
        [call("getMultipleAccounts", "nope"), -32602],
        [call("getTokenSupply", launches[0]!.config.address), -32602],
        [call("sendTransaction", "AAAA", { encoding: "base64" }), -32602],
        [call("requestAirdrop", launches[0]!.creator, -5), -32602],
        [call("requestAirdrop", "1".repeat(32), 5), -32602],
      ]
      for (const [body, code] of cases) assert.strictEqual((yield* post(body)).error?.code, code, body)
      const batch = yield* post<ReadonlyArray<JsonRpcAnswer>>(`[${call("getHealth")},${call("getNothing")}]`)
      assert.deepStrictEqual([batch[0]?.result, batch[1]?.error?.code], ["ok", -32601])
    }),
  )
})
