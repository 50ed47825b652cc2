import { LocalChain } from "@launch-registry/chain/localnet/LocalChain"
import { NATIVE_MINT } from "@launch-registry/chain/accounts/Programs"
import { SEEDED_MINTS } from "@launch-registry/chain/localnet/SeedAccounts"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { LIES, type Lie, lyingNode, type LyingNode, mapped, MORE } from "../../../chain/test/rpc/LyingNode.ts"
import { SAMPLE_RESULTS } from "../../../chain/test/rpc/results/SampleResults.ts"
import { type Answer, type RequestOptions, TestServer } from "../../../service/test/TestServer.ts"

const SIGNER = "2gPJHzn5khcuAjvLQxyVVyLDTAyvj1Xx8chWb4PPg1CR"
const MINT = SEEDED_MINTS.spl
const METADATA = { name: "Lie", symbol: "LIE", uri: "https://example.com/lie.json" }
/** With a quote token other than SOL: its decimals are read from the chain. */
const CONFIG = {
  metadata: METADATA,
  signer: SIGNER,
  quoteMint: MINT,
  dbcConfig: { buildCurveParam: { initialMarketCap: "5000", migrationMarketCap: "70000" } },
}
const SWAP = { baseMint: MINT, signer: SIGNER, amount: 1_000_000, swapBaseForQuote: false }

class Nodes extends Context.Service<Nodes, ReadonlyArray<LyingNode>>()("LyingNodes") {}

/** Transactions that name a mint, but no curve. */
const HISTORY = {
  getSignaturesForAddress: SAMPLE_RESULTS.getSignaturesForAddress.result,
  getTransaction: SAMPLE_RESULTS.getTransaction.result,
}

/** The API over two nodes in front of one chain. */
const services = Layer.unwrap(
  Effect.gen(function* () {
    const { url } = yield* LocalChain
    const nodes = [yield* lyingNode(url, HISTORY), yield* lyingNode(url, HISTORY)]
    return Layer.merge(Layer.succeed(Nodes, nodes), TestServer.layer({ rpcUrls: nodes.map((node) => node.url) }))
  }),
).pipe(Layer.provide(LocalChain.layer({})))

type Request = readonly [path: string, options?: RequestOptions]

const reads: ReadonlyArray<Request> = [
  ...["state", "config", "metadata", "curve-progress"].map((view): Request => [`/api/launch/pool/${view}/${MINT}`]),
  ["/api/launch/quote", { json: { mintAddress: MINT, amount: 1_000_000, swapBaseForQuote: true } }],
  [`/api/tokens/holders/${MINT}?include=balances`],
]

/** The requests that need the result of a method. */
const requestsOf = (deployment: object): Readonly<Record<string, ReadonlyArray<Request>>> => ({
  getMultipleAccounts: [
    ...reads,
    ["/api/launch/swap", { json: SWAP }],
    ["/api/launch/dbc-config", { json: CONFIG }],
    ["/api/launch/deploy-token", { json: deployment }],
  ],
  simulateTransaction: [["/api/launch/swap", { json: { ...SWAP, simulate: true } }]],
  // Only the latest transactions that name this mint could lead to its curve.
  getSignaturesForAddress: [[`/api/launch/pool/state/${NATIVE_MINT}`]],
  getTransaction: [[`/api/launch/pool/state/${NATIVE_MINT}`]],
})

const deploymentOf = Effect.gen(function* () {
  const { request } = yield* TestServer
  const { body } = yield* request("/api/launch/dbc-config", { json: CONFIG })
  return { metadata: METADATA, signer: SIGNER, dbcConfigKeypair: body.data.dbcConfigKeypair }
})

const ask = ([path, options]: Request) =>
  Effect.flatMap(TestServer, ({ request }) => Effect.map(request(path, options), (answer) => ({ path, ...answer })))

const askAll = (requests: ReadonlyArray<Request>) => Effect.all(requests.map(ask), { concurrency: "unbounded" })

const assertUnavailable = ({ body, headers, path, status }: Answer & { readonly path: string }, what: string) => {
  assert.deepInclude(
    body,
    { success: false, code: "upstream_unavailable", details: { service: "chain" } },
    `${what}: ${path} ${JSON.stringify(body)}`,
  )
  assert.strictEqual(status, 503)
  assert.match(headers.get("retry-after") ?? "", /^\d+$/)
}

/** A simulation without an error has succeeded, and other fields are not read. */
const PLAUSIBLE: Readonly<Record<string, ReadonlyArray<string>>> = {
  simulateTransaction: ["null for texts", "data that are cut"],
  getSignaturesForAddress: ["data that are cut"],
}

layer(services, { excludeTestServices: true })("Nodes that answer nonsense", (it) => {
  it.effect("cause 503 when all of them do, for any malformed result, and never 500", () =>
    Effect.gen(function* () {
      const nodes = yield* Nodes
      const requests = requestsOf(yield* deploymentOf)
      for (const [method, asking] of Object.entries(requests))
        for (const [what, of] of Object.entries(LIES)) {
          if (PLAUSIBLE[method]?.includes(what) === true) continue
          for (const node of nodes) node.lie = { method, of }
          for (const answer of yield* askAll(asking)) assertUnavailable(answer, `${method}, ${what}`)
        }
      for (const node of nodes) node.lie = undefined
      for (const [method, asking] of Object.entries(requests)) {
        const isUnknownMint = method.startsWith("getSignatures") || method === "getTransaction"
        for (const { body, status } of yield* askAll(asking))
          assert.strictEqual(status, isUnknownMint ? 404 : 200, `${method}: ${JSON.stringify(body)}`)
      }
    }),
  )

  it.effect("are skipped, and their additional fields ignored", () =>
    Effect.gen(function* () {
      const [primary] = yield* Nodes
      const honest = yield* askAll(reads)
      const isLie = (of: Lie) => (primary!.lie = { method: "getMultipleAccounts", of })
      for (const of of [...Object.values(LIES), MORE]) {
        isLie(of)
        const answers = yield* askAll(reads)
        for (const [index, { body, path, status }] of answers.entries()) {
          assert.strictEqual(status, 200, `${path}: ${JSON.stringify(body)}`)
          assert.deepStrictEqual(withoutMoment(body), withoutMoment(honest[index]!.body), path)
        }
      }
      primary!.lie = undefined
    }),
  )
})

/** Without the slot and other values that change between reads. */
const withoutMoment = (body: unknown): unknown =>
  mapped(body, (value, key) => (key === "slot" || key === "requestId" || key === "timestamp" ? null : value))
