import { SEEDED_MINTS } from "@launch-registry/chain/localnet/SeedAccounts"
import { SharedReads } from "@launch-registry/http/answers/SharedReads"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { vi } from "vitest"
import { TestBridge } from "../../../bridge/test/TestBridge.ts"
import { sampleAddress, tokenDraft } from "../Samples.ts"
import { TestServer } from "../TestServer.ts"

const POOLS = "/api/launch/pool"
const POOL = `${POOLS}/${SEEDED_MINTS.spl}`

layer(TestBridge.layer(), { timeout: "60 seconds" })("Answers that are the same for everybody", (it) => {
  it.effect("are read once for all who ask at once, where they are read", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const { swap } = yield* TestBridge
      const read = vi.spyOn(SharedReads.prototype, "read")
      const { id } = yield* swap()
      const token = (yield* request("/api/tokens", { json: tokenDraft() })).body.data
      for (const path of [
        ...["/api/tokens?limit=20", "/api/tokens/popular", "/api/launch/pools", "/api/launch/trades"],
        ...[
          `${POOL}/trades`,
          `${POOL}/candles`,
          `${POOLS}/config/${SEEDED_MINTS.spl}`,
          `${POOLS}/metadata/${SEEDED_MINTS.spl}`,
        ],
        ...["/api/launch/claims", `/api/launch/creators/${sampleAddress()}`],
        ...["/api/launch/whitelist", `/api/launch/whitelist/${token.mintAddress}`],
        ...["/api/bridge/swaps", `/api/bridge/swaps/${id}`],
      ]) {
        assert.strictEqual((yield* request(path)).status, 200, path)
        const keys = read.mock.calls.map(([key]) => key)
        assert.include(keys, path)
      }
    }),
  )
})
