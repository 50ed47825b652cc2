import { presetsWith } from "@launch-registry/chain/launches/ConfigPreset"
import { Address } from "@launch-registry/domain/solana/Address"
import { decodeBase58 } from "@launch-registry/domain/solana/Base58"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { sampleAddress } from "../../../service/test/Samples.ts"
import { TestServer } from "../../../service/test/TestServer.ts"
import { accountsOf, post, SIGNER } from "./BuildRequests.ts"

const METADATA = { name: "Key Token", symbol: "KEY", uri: "https://example.com/key.json" }
const CLAIMER = Address.make(sampleAddress())
const RECEIVER = Address.make(sampleAddress())

const config = (fields: object = {}) =>
  Effect.map(post("dbc-config", { metadata: METADATA, signer: SIGNER, ...fields }), ({ body }) => body.data)

const launchpads = presetsWith({ launchpad_b: { dbcConfig: { feeClaimer: CLAIMER, leftoverReceiver: RECEIVER } } })

layer(TestServer.layer({ launchpads }))("A configuration", (it) => {
  it.effect("deploys with the public half of its key alone, in any form", () =>
    Effect.gen(function* () {
      const { publicKey } = (yield* config()).dbcConfigKeypair
      const bytes = [...decodeBase58(publicKey)!]
      for (const dbcConfigKeypair of [
        { publicKey },
        { publicKey: bytes },
        { publicKey: Object.fromEntries(bytes.entries()) },
        { publicKey, secretKey: null },
      ]) {
        const { body } = yield* post("deploy-token", { metadata: METADATA, signer: SIGNER, dbcConfigKeypair })
        assert.include(accountsOf(body.data.transaction), publicKey)
      }
    }),
  )

  it.effect("has fees that the signer claims when no claimer is named, and the answer says so", () =>
    Effect.gen(function* () {
      const data = yield* config({ launchpad: "launchpad_a" })
      assert.deepInclude(data, { feeClaimer: SIGNER, leftoverReceiver: SIGNER })
      assert.match(data.message, /The signer claims .* LAUNCHPADS names a feeClaimer for launchpad_a$/)
    }),
  )

  it.effect("has fees that are claimed by the address in the launchpad's settings or in the request", () =>
    Effect.gen(function* () {
      const named = yield* config({ launchpad: "launchpad_b" })
      assert.deepInclude(named, { feeClaimer: CLAIMER, leftoverReceiver: RECEIVER })
      assert.includeMembers([...accountsOf(named.transaction)], [CLAIMER, RECEIVER])
      const own = sampleAddress()
      const asked = yield* config({ launchpad: "launchpad_b", dbcConfig: { feeClaimer: own } })
      assert.deepInclude(asked, { feeClaimer: own, leftoverReceiver: RECEIVER })
      for (const { message } of [named, asked]) assert.notInclude(message, "LAUNCHPADS")
    }),
  )
})
