import { newKeyPair } from "@launch-registry/chain/build/NewKeyPair"
import { Rpc } from "@launch-registry/chain/rpc/Rpc"
import { LocalChain } from "@launch-registry/chain/localnet/LocalChain"
import { SEEDED_MINTS, SEEDED_POOLS } from "@launch-registry/chain/localnet/SeedAccounts"
import { decodeBase58 } from "@launch-registry/domain/solana/Base58"
import { assert, layer } from "@effect/vitest"
import { type Address, lamports } from "@solana/kit"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { counted, type Counted } from "../../../chain/test/launch/CountedChain.ts"
import { SOL } from "../../../service/test/Samples.ts"
import { TestServer } from "../../../service/test/TestServer.ts"
import { accountsOf, SIGNER } from "./BuildRequests.ts"

const METADATA = { name: "Landed", symbol: "LND", uri: "https://example.com/landed.json" }
/** On chain, with SOL as its quote token and no pool creation fee. */
const LANDED = SEEDED_POOLS[0]!.config
const QUOTED = SEEDED_MINTS.spl

class Chain extends Context.Service<Chain, Counted>()("CountedChain") {}

/** The API over a chain that counts requests. */
const services = Layer.unwrap(
  Effect.gen(function* () {
    const chain = yield* counted((yield* LocalChain).url)
    return Layer.merge(Layer.succeed(Chain, chain), TestServer.layer({ rpcUrl: chain.url }))
  }),
).pipe(Layer.provide(LocalChain.layer({})))

const post = Effect.fnUntraced(function* (path: string, json: object) {
  const { request } = yield* TestServer
  return yield* request(`/api/launch/${path}`, { json: { metadata: METADATA, signer: SIGNER, ...json } })
})

const built = Effect.fnUntraced(function* (fields: object) {
  const { body, status } = yield* post("dbc-config", fields)
  assert.strictEqual(status, 200, JSON.stringify(body))
  return body.data.dbcConfigKeypair.publicKey as string
})

/** What this service remembers of `config` becomes what it remembers of `address`. */
const moved = Effect.fnUntraced(function* (config: string, address: string) {
  const sql = yield* SqlClient
  yield* sql`delete from launch_configs where config_address = ${address}`
  yield* sql`update launch_configs set config_address = ${address} where config_address = ${config}`
  return address
})

const deployed = (config: string) =>
  post("deploy-token", { dbcConfigKeypair: { publicKey: [...decodeBase58(config)!] } })

const feeOf = ({ cost }: { readonly cost: { readonly parts: ReadonlyArray<{ item: string; lamports: string }> } }) =>
  cost.parts.find(({ item }) => item === "pool_creation_fee")?.lamports

const withFee = { dbcConfig: { poolCreationFee: 1.5 } }

layer(services, { excludeTestServices: true })(
  "A token that is deployed with a configuration that was built here",
  (it) => {
    it.effect("costs what was built, while the configuration has not landed", () =>
      Effect.gen(function* () {
        const config = yield* built(withFee)
        const { body } = yield* deployed(config)
        assert.strictEqual(feeOf(body.data), "1500000000", JSON.stringify(body))
        // Lamports that anybody sends to the address are no configuration.
        const rpc = yield* Rpc
        yield* rpc.call((kit) => kit.requestAirdrop(config as Address, lamports(1_000_000n)))
        assert.strictEqual(feeOf((yield* deployed(config)).body.data), "1500000000")
      }),
    )

    it.effect("costs what the account says that its key was used for, in the tokens that it says", () =>
      Effect.gen(function* () {
        const { methods } = yield* Chain
        yield* moved(yield* built(withFee), LANDED)
        const { body } = yield* deployed(LANDED)
        assert.isUndefined(feeOf(body.data), JSON.stringify(body.data.cost))
        yield* moved(
          yield* built({
            quoteMint: QUOTED,
            dbcConfig: { tokenType: 1, buildCurveParam: { initialMarketCap: "5000", migrationMarketCap: "70000" } },
          }),
          LANDED,
        )
        methods.length = 0
        const quoted = (yield* deployed(LANDED)).body.data
        const accounts = accountsOf(quoted.transaction)
        assert.include(accounts, SOL)
        assert.notInclude(accounts, QUOTED)
        // Once more for the quote mint that was not expected.
        assert.lengthOf(
          methods.filter((method) => method === "getMultipleAccounts"),
          2,
        )
      }),
    )

    it.effect("costs one read of accounts, before the configuration has landed and after", () =>
      Effect.gen(function* () {
        const { methods } = yield* Chain
        const waiting = yield* built(withFee)
        const landed = yield* moved(yield* built(withFee), LANDED)
        for (const config of [waiting, landed]) {
          methods.length = 0
          assert.strictEqual((yield* deployed(config)).status, 200)
          assert.deepStrictEqual(
            methods.filter((method) => method !== "getLatestBlockhash"),
            ["getMultipleAccounts"],
          )
        }
      }),
    )

    it.effect("is refused where another account has the address", () =>
      Effect.gen(function* () {
        const config = yield* moved(yield* built(withFee), SEEDED_MINTS.token2022)
        const { body, status } = yield* deployed(config)
        assert.deepStrictEqual([status, body.code], [404, "not_found"])
        const unknown = yield* deployed((yield* Effect.promise(newKeyPair)).address)
        assert.deepStrictEqual([unknown.status, unknown.body.code], [404, "not_found"])
      }),
    )
  },
)
