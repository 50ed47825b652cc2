import { SEEDED_MINTS } from "@launch-registry/chain/localnet/SeedAccounts"
import { Address } from "@launch-registry/domain/solana/Address"
import { TokenDraft } from "@launch-registry/domain/tokens/TokenDraft"
import { makeClient } from "@launch-registry/client/effect"
import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { FetchHttpClient } from "effect/http"
import { sampleAddress, seededDraft } from "../Samples.ts"
import { TestServer } from "../TestServer.ts"

layer(TestServer.layer(), { excludeTestServices: true })("The client derived from the Api", (it) => {
  it.effect("registers, reads, and fails with the errors of the contract", () =>
    Effect.gen(function* () {
      const { url } = yield* TestServer
      const client = yield* makeClient(url)
      const payload = Schema.decodeUnknownSync(TokenDraft)(seededDraft(SEEDED_MINTS.spl))
      const created = yield* client.tokens.create({ payload, headers: {} })
      const read = yield* client.tokens.getByMint({ params: { address: payload.mintAddress }, query: {} })
      assert.deepStrictEqual(read.data, created.data)
      const missing = yield* Effect.flip(
        client.tokens.getByMint({ params: { address: Schema.decodeUnknownSync(Address)(sampleAddress()) }, query: {} }),
      )
      assert.strictEqual(missing._tag, "NotFound")
    }).pipe(Effect.provide(FetchHttpClient.layer)),
  )
})
