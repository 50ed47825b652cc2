import { presetsWith } from "@launch-registry/chain/launches/ConfigPreset"
import { Address } from "@launch-registry/domain/solana/Address"
import { decodeBase58 } from "@launch-registry/domain/solana/Base58"
import { assert, layer } from "@effect/vitest"
import { getBase64Encoder, getCompiledTransactionMessageDecoder, getTransactionDecoder } from "@solana/kit"
import { Effect } from "effect"
import { sampleAddress } from "../../../service/test/Samples.ts"
import { TestServer } from "../../../service/test/TestServer.ts"

const SIGNER = "2gPJHzn5khcuAjvLQxyVVyLDTAyvj1Xx8chWb4PPg1CR"
const METADATA = { name: "Key Token", symbol: "KEY", uri: "https://example.com/key.json" }
const CLAIMER = Address.make(sampleAddress())
const RECEIVER = Address.make(sampleAddress())

const post = Effect.fn(function* (path: string, json: unknown) {
  const { request } = yield* TestServer
  return yield* request(`/api/launch/${path}`, { json })
})

const config = (fields: object = {}) =>
  Effect.map(post("dbc-config", { metadata: METADATA, signer: SIGNER, ...fields }), ({ body, status }) => {
    assert.strictEqual(status, 200, JSON.stringify(body))
    return body.data
  })

const accountsOf = (transaction: string): ReadonlyArray<string> => {
  const { messageBytes } = getTransactionDecoder().decode(getBase64Encoder().encode(transaction))
  return getCompiledTransactionMessageDecoder().decode(messageBytes).staticAccounts
}

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
        const { body, status } = yield* post("deploy-token", { metadata: METADATA, signer: SIGNER, dbcConfigKeypair })
        assert.strictEqual(status, 200, JSON.stringify(body))
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
