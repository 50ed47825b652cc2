import { SEEDED_MINTS } from "@launch-registry/chain/localnet/SeedAccounts"
import { isAddress } from "@launch-registry/solana/AddressText"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestServer } from "../../../service/test/TestServer.ts"

const POOLS = "/api/launch/pool"
const READS = ["state", "config", "metadata", "curve-progress"]

layer(TestServer.layer())("A read of a pool", (it) => {
  it.effect("is answered by mint, at the path of the specification alone", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      for (const mint of Object.values(SEEDED_MINTS)) {
        for (const read of READS) {
          const { body, status } = yield* request(`${POOLS}/${read}/${mint}`)
          assert.strictEqual(status, 200, JSON.stringify(body))
          assert.strictEqual((yield* request(`${POOLS}/${mint}/${read}`)).body.code, "route_not_found")
        }
      }
      const { headers, status } = yield* request(`${POOLS}/state/${SEEDED_MINTS.spl}`, { method: "DELETE" })
      assert.strictEqual(status, 405)
      assert.strictEqual(headers.get("allow"), "GET, HEAD")
    }),
  )

  it.effect("is distinguished from the reads of other mints, whatever a mint is called", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      for (const start of ["state", "config", "metadata", "candLes", "trades"]) {
        const mint = start.padEnd(43, "2")
        assert.isTrue(isAddress(mint), mint)
        for (const path of [
          ...READS.map((read) => `${read}/${mint}`),
          `${mint}/trades`,
          `${mint}/candles`,
          `${mint}/fees`,
        ]) {
          const { body, status } = yield* request(`${POOLS}/${path}`)
          assert.deepInclude({ status, code: body.code }, { status: 404, code: "not_found" }, path)
        }
      }
      for (const path of ["state/state", "state/candles", "config/trades", "state/curve-progress"]) {
        const { body, status } = yield* request(`${POOLS}/${path}`)
        assert.strictEqual(status, 400, path)
        assert.strictEqual(body.issues[0].path, "path.mintAddress", path)
      }
      for (const path of [
        "state",
        "trades/state",
        SEEDED_MINTS.spl,
        `${SEEDED_MINTS.spl}/holders`,
        `state/${SEEDED_MINTS.spl}/state`,
      ])
        assert.strictEqual((yield* request(`${POOLS}/${path}`)).body.code, "route_not_found", path)
    }),
  )
})
