import { encodeBase58 } from "@launch-registry/domain/solana/Base58"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Logger, Redacted } from "effect"
import { Holders } from "../../src/holders/Holders.ts"
import { Pools } from "../../src/pools/Pools.ts"
import { DBC_POOL_AUTHORITY } from "../../src/accounts/Programs.ts"
import { LocalChain } from "../../src/localnet/LocalChain.ts"
import { SEEDED_MINTS } from "../../src/localnet/SeedAccounts.ts"
import { jsonServer } from "../JsonServer.ts"
import { counted, rpcOver, seededDirectory } from "./CountedChain.ts"

const MINT = SEEDED_MINTS.spl
const ON_CHAIN = { address: "37g9o1WbsndZUP9ytYBQ29C2KdoP25nzG5UY6KgwN21e", amount: "96463029603365", share: 0.096463 }

/** The mint, the largest accounts, and whose they are. */
const WITH_LARGEST = ["getMultipleAccounts", "getTokenLargestAccounts", "getMultipleAccounts"]

interface DasCall {
  readonly path: string
  readonly method: string
  readonly params: { readonly mint: string; readonly limit: number; readonly page?: number; readonly cursor?: string }
}

/** Wallets of tests. */
const ownerOf = (index: number): string => {
  const bytes = new Uint8Array(32).fill(7)
  new DataView(bytes.buffer).setUint32(0, index)
  return encodeBase58(bytes)
}

/** An index that returns these pages, or fails from a page on. */
const das = (pages: ReadonlyArray<ReadonlyArray<{ owner: string; amount: string }>>, failsAt = Infinity) =>
  Effect.suspend(() => {
    const calls: Array<DasCall> = []
    return Effect.map(
      jsonServer<Omit<DasCall, "path">>(({ method, params }, response, path) => {
        calls.push({ path, method, params })
        const index = params.cursor === undefined ? 0 : Number(params.cursor)
        if (index >= failsAt) return void response.writeHead(503).end()
        const accounts = pages[index]!.map(({ amount, owner }) => `{"owner":"${owner}","amount":${amount}}`)
        const cursor = index + 1 < pages.length ? `,"cursor":"${index + 1}"` : ""
        response.end(`{"jsonrpc":"2.0","id":"holders","result":{"token_accounts":[${accounts.join(",")}]${cursor}}}`)
      }),
      (url) => ({ url: `${url}/?api-key=CANARY`, calls }),
    )
  })

/** The holders of the mint, and the methods called on the chain. */
const holdersWith = (dasUrl?: string, times = 1) =>
  Effect.gen(function* () {
    const { url } = yield* LocalChain
    const chain = yield* counted(url)
    const logged: Array<string> = []
    const services = Holders.layer(dasUrl === undefined ? {} : { dasUrl: Redacted.make(dasUrl) }).pipe(
      Layer.provide(Layer.provide(Pools.layer, seededDirectory)),
      Layer.provide(rpcOver(chain.url)),
      Layer.provideMerge(Logger.layer([Logger.make(({ message }) => void logged.push(String(message)))])),
    )
    const { holders, isWhole } = yield* Effect.gen(function* () {
      const { list } = yield* Holders
      for (let asked = 1; asked < times; asked++) yield* list(MINT)
      return yield* list(MINT)
    }).pipe(Effect.provide(Layer.fresh(services)))
    assert.notInclude(logged.join("\n"), "CANARY")
    return { holders, isWhole, methods: chain.methods }
  })

layer(LocalChain.layer({}), { excludeTestServices: true })("Holders", (it) => {
  it.effect("come from the token accounts, read at most once in ten seconds", () =>
    Effect.gen(function* () {
      const { holders, methods } = yield* holdersWith(undefined, 5)
      assert.deepStrictEqual([...holders], [ON_CHAIN as never])
      assert.deepStrictEqual(methods, ["getMultipleAccounts", "getProgramAccounts"])
    }),
  )

  it.effect("come from the DAS index where there is one, with all pages and exact amounts", () =>
    Effect.gen(function* () {
      const page = Array.from({ length: 1_000 }, (_, index) => ({ owner: ownerOf(index), amount: "1" }))
      const last = [
        { owner: ownerOf(5_000), amount: "18446744073709551615" },
        { owner: ownerOf(7), amount: "9007199254740993" },
        { owner: ownerOf(5_001), amount: "0" },
        { owner: DBC_POOL_AUTHORITY, amount: "5" },
      ]
      const { calls, url } = yield* das([page, last])
      const { holders, methods } = yield* holdersWith(url)
      assert.deepStrictEqual(methods, ["getMultipleAccounts"])
      assert.lengthOf(holders, 1_001)
      assert.deepInclude(holders[0], { address: ownerOf(5_000), amount: "18446744073709551615" })
      assert.deepInclude(holders[1], { address: ownerOf(7), amount: "9007199254740994" })
      assert.deepStrictEqual(calls, [
        { path: "/?api-key=CANARY", method: "getTokenAccounts", params: { mint: MINT, limit: 1_000 } },
        { path: "/?api-key=CANARY", method: "getTokenAccounts", params: { mint: MINT, limit: 1_000, cursor: "1" } },
      ])
    }),
  )

  it.effect("are not whole where the index has more pages than are read, and begin with the largest", () =>
    Effect.gen(function* () {
      const page = Array.from({ length: 1_000 }, (_, index) => ({ owner: ownerOf(index), amount: "1" }))
      for (const [pages, isWhole] of [
        [100, true],
        [101, false],
      ] as const) {
        const { calls, url } = yield* das(Array.from({ length: pages }, () => page))
        const found = yield* holdersWith(url)
        assert.strictEqual(found.isWhole, isWhole)
        assert.lengthOf(calls, 100)
        assert.deepStrictEqual(found.methods, isWhole ? ["getMultipleAccounts"] : WITH_LARGEST)
        assert.deepInclude(found.holders[0], isWhole ? { amount: "100" } : ON_CHAIN)
        assert.lengthOf(found.holders, isWhole ? 1_000 : 1_001)
      }
    }),
  )

  it.effect("are those that were read and the largest when the index fails between pages", () =>
    Effect.gen(function* () {
      const page = Array.from({ length: 1_000 }, (_, index) => ({ owner: ownerOf(index), amount: "1" }))
      const failing = yield* das([page, page], 1)
      const { holders, isWhole, methods } = yield* holdersWith(failing.url)
      assert.deepInclude(holders[0], ON_CHAIN)
      assert.lengthOf(holders, 1_001)
      assert.isFalse(isWhole)
      assert.deepStrictEqual(methods, WITH_LARGEST)
    }),
  )

  it.effect("are the largest when the index does not answer, and never scanned for", () =>
    Effect.gen(function* () {
      const { holders, isWhole, methods } = yield* holdersWith("http://127.0.0.1:9/?api-key=CANARY")
      assert.deepStrictEqual([...holders], [ON_CHAIN as never])
      assert.isTrue(isWhole)
      assert.deepStrictEqual(methods, WITH_LARGEST)
    }),
  )

  it.effect("are the largest when the index answers nonsense", () =>
    Effect.gen(function* () {
      const owner = ownerOf(1)
      const accounts = (...found: ReadonlyArray<unknown>) => ({ token_accounts: found })
      const right = { owner, amount: 1 }
      const results: ReadonlyArray<unknown> = [
        ...[null, 5, "x", [], {}, { token_accounts: null }, { token_accounts: {} }],
        accounts(null),
        accounts([]),
        ...[undefined, null, 5, "whale", owner.slice(2), `1${owner}`].map((wrong) =>
          accounts({ ...right, owner: wrong }),
        ),
        ...[undefined, null, "many", -1, 0.5, 1e300, 2 ** 64, "1".repeat(30)].map((wrong) =>
          accounts({ ...right, amount: wrong }),
        ),
        { ...accounts(right), cursor: 5 },
        { ...accounts(right), cursor: "c".repeat(1_000) },
        accounts(...Array.from({ length: 1_001 }, () => right)),
      ]
      let result: unknown
      const url = yield* jsonServer((_, response) =>
        response.end(JSON.stringify({ jsonrpc: "2.0", id: "holders", result })),
      )
      for (result of results) {
        const { holders, methods } = yield* holdersWith(`${url}/?api-key=CANARY`)
        assert.deepStrictEqual([...holders], [ON_CHAIN as never], JSON.stringify(result)?.slice(0, 200))
        assert.deepStrictEqual(methods, WITH_LARGEST)
      }
    }),
  )
})
