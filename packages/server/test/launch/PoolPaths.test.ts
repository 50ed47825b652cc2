import { SEEDED_MINTS } from "@launch-registry/chain/localnet/SeedAccounts"
import { Api } from "@launch-registry/domain/Api"
import { isAddress } from "@launch-registry/solana/AddressText"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { OpenApi } from "effect/http-api"
import { TestServer } from "../../../service/test/TestServer.ts"

const POOLS = "/api/launch/pool"
const READS = ["state", "config", "metadata", "curve-progress"]

/** The chain advances between two reads. */
const withoutSlot = (body: { readonly data: object }) => ({ ...body, data: { ...body.data, slot: undefined } })

layer(TestServer.layer())("A read of a pool", (it) => {
  it.effect("is answered by mint, and the same at its older path", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      for (const mint of Object.values(SEEDED_MINTS)) {
        for (const read of READS) {
          const { body, status } = yield* request(`${POOLS}/${mint}/${read}`)
          assert.strictEqual(status, 200, JSON.stringify(body))
          const first = yield* request(`${POOLS}/${read}/${mint}`)
          assert.deepStrictEqual(withoutSlot(body), withoutSlot(first.body))
        }
      }
      for (const path of [`${SEEDED_MINTS.spl}/state`, `state/${SEEDED_MINTS.spl}`]) {
        const { headers, status } = yield* request(`${POOLS}/${path}`, { method: "DELETE" })
        assert.strictEqual(status, 405)
        assert.strictEqual(headers.get("allow"), "GET, HEAD")
      }
    }),
  )

  it.effect("is distinguished from the reads of other mints, whatever a mint is called", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      for (const start of ["state", "config", "metadata", "candLes", "trades"]) {
        const mint = start.padEnd(43, "2")
        assert.isTrue(isAddress(mint), mint)
        for (const path of [...READS.flatMap((read) => [`${mint}/${read}`, `${read}/${mint}`]), `${mint}/trades`]) {
          const { body, status } = yield* request(`${POOLS}/${path}`)
          assert.deepInclude({ status, code: body.code }, { status: 404, code: "pool_not_found" }, path)
        }
      }
      for (const path of ["state/state", "state/candles", "trades/state", "config/trades", "state/curve-progress"]) {
        const { body, status } = yield* request(`${POOLS}/${path}`)
        assert.strictEqual(status, 400, path)
        assert.strictEqual(body.issues[0].path, "path.mintAddress", path)
      }
      for (const path of ["state", SEEDED_MINTS.spl, `${SEEDED_MINTS.spl}/holders`, `state/${SEEDED_MINTS.spl}/state`])
        assert.strictEqual((yield* request(`${POOLS}/${path}`)).body.code, "route_not_found", path)
    }),
  )

  it.effect("is declared at both paths, and the older one is deprecated", () =>
    Effect.sync(() => {
      const { paths } = OpenApi.fromApi(Api)
      for (const read of READS) {
        const now = paths[`${POOLS}/{mintAddress}/${read}`]!.get!
        const first = paths[`${POOLS}/${read}/{mintAddress}`]!.get!
        assert.deepStrictEqual([now.deprecated, first.deprecated], [undefined, true])
        assert.deepStrictEqual(first.responses, now.responses)
        assert.deepStrictEqual(first.parameters, now.parameters)
      }
    }),
  )
})
