import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Launch } from "@launch-registry/domain/launch/Launch"
import { LoopbackLinks } from "@launch-registry/domain/text/WebUri"
import { SqlClient } from "effect/sql/SqlClient"
import { byMint, draftOf, follow, launch, launchConfig } from "../../../server/test/tokens/ChainLaunches.ts"
import { sampleAddress, tokenDraft } from "../Samples.ts"
import { TestServer } from "../TestServer.ts"

const METADATA = { name: "Name", symbol: "SYM" }

for (const takesLoopbackLinks of [true, false])
  layer(TestServer.layer({ takesLoopbackLinks }), { excludeTestServices: true })(
    takesLoopbackLinks ? "In local mode" : "Outside local mode",
    (it) => {
      it.effect(`links ${takesLoopbackLinks ? "may" : "must not"} be http URLs of this machine`, () =>
        Effect.gen(function* () {
          const { request } = yield* TestServer
          const link = "http://localhost:3001/ipfs/x"
          const { data } = (yield* request("/api/tokens", { json: tokenDraft() })).body
          for (const [path, json, method] of [
            ["/api/tokens", { ...tokenDraft(), website: link }, "POST"],
            [`/api/tokens/${data.id}`, { bannerUri: link }, "PATCH"],
            ["/api/ipfs/upload-metadata", { ...METADATA, imageUri: link }, "POST"],
          ] as const) {
            const { body, status } = yield* request(path, { json, method })
            assert.strictEqual(status < 300, takesLoopbackLinks, JSON.stringify(body))
            if (!takesLoopbackLinks) assert.match(body.issues[0].path, /^body\.\w+$/)
          }
        }),
      )

      it.effect(`links on chain that are http URLs of this machine are ${takesLoopbackLinks ? "" : "not "}shown`, () =>
        Effect.gen(function* () {
          const { request } = yield* TestServer
          const sql = yield* SqlClient
          const link = "http://127.0.0.1:3001/ipfs/x"
          const shown = takesLoopbackLinks ? link : ""
          const built = yield* launch({ config: yield* launchConfig(), uri: link })
          const foreign = yield* launch({ config: sampleAddress(), uri: link })
          yield* sql`
            insert into launch_deployments (base_mint, signer, uri, config_address, pool, name, symbol, metadata, created_at)
            select base_mint, creator, uri, config, pool, name, symbol, ${JSON.stringify({ imageUri: link })}::text::jsonb, now()
            from dbc_pools where base_mint = ${foreign.baseMint}`
          yield* Effect.provideService(follow, LoopbackLinks, takesLoopbackLinks)
          assert.strictEqual((yield* byMint(built.baseMint)).body.data.metadata.tokenUri, shown)
          const json = draftOf(foreign)
          assert.strictEqual((yield* request("/api/tokens", { json })).body.data.metadata.tokenUri, shown)
          const listed: ReadonlyArray<Pick<Launch, "mintAddress" | "uri" | "market">> = (yield* request(
            "/api/launch/pools?include=market",
          )).body.data
          assert.strictEqual(listed.find(({ mintAddress }) => mintAddress === built.baseMint)?.uri, shown)
          const { market } = listed.find(({ mintAddress }) => mintAddress === foreign.baseMint)!
          assert.strictEqual(market!.imageUri, takesLoopbackLinks ? link : null)
        }),
      )
    },
  )
