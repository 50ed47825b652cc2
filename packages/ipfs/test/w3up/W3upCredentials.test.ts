import { inspect } from "node:util"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { buildDag } from "../../src/Dag.ts"
import { w3upBackend, type W3upOptions } from "../../src/w3up/W3upBackend.ts"
import type { InvalidW3upSetting } from "../../src/w3up/W3upCredentials.ts"
import { newAgentKey, UPLOAD_ABILITIES, type W3upService, w3upService } from "./W3upService.ts"

class Network extends Context.Service<Network, W3upService>()("@launch-registry/ipfs/test/w3up/Credentials") {
  static readonly layer = Layer.effect(Network, w3upService)
}

/** The error when the backend is not created, without secrets and without a request. */
const faultOf = (options: Partial<W3upOptions>) =>
  Effect.gen(function* () {
    const network = yield* Network
    network.requests.length = 0
    const fault = yield* Effect.flip(w3upBackend({ ...network, ...options }))
    const said = inspect(fault, { depth: 10 }) + JSON.stringify(fault) + fault.message
    for (const secret of [network.key, network.proof, options.key, options.proof]) {
      const text = secret === undefined ? "" : Redacted.value(secret).trim()
      if (text.length > 1) assert.notInclude(said, text.slice(0, 34))
    }
    assert.isEmpty(network.requests)
    return fault as InvalidW3upSetting
  })

const dag = buildDag(new TextEncoder().encode("hello world"))

layer(Network.layer)("Credentials of w3up", (it) => {
  it.effect("refuses malformed keys, and keys whose halves do not match", () =>
    Effect.gen(function* () {
      const key = Redacted.value((yield* Network).key)
      const other = Redacted.value(yield* newAgentKey)
      const mixed = Buffer.concat([
        Buffer.from(key.slice(1), "base64").subarray(0, 34),
        Buffer.from(other.slice(1), "base64").subarray(34),
      ])
      const wrong = ["", "M", "secret", key.slice(0, -8), key.slice(1), `${key}AAAA`, `M${mixed.toString("base64")}`]
      for (const text of [...wrong, "did:key:z6Mkk89bC3JrVqKie71YEcc5M1SMVxuCgNx6zLZ8SYJsxALi"]) {
        const { _tag, setting } = yield* faultOf({ key: Redacted.make(text) })
        assert.deepStrictEqual([_tag, setting], ["InvalidW3upSetting", "IPFS_W3UP_KEY"], text)
      }
    }),
  )

  it.effect("refuses malformed proofs", () =>
    Effect.gen(function* () {
      const { key, proof } = yield* Network
      const text = Redacted.value(proof)
      const wrong = ["", "m", "secret", text.slice(0, 400), text.slice(0, -40), text.slice(20), Redacted.value(key)]
      for (const text of wrong) {
        const { _tag, message, setting } = yield* faultOf({ proof: Redacted.make(text) })
        assert.deepStrictEqual([_tag, setting], ["InvalidW3upSetting", "IPFS_W3UP_PROOF"], text)
        assert.match(message, /^IPFS_W3UP_PROOF: expected a delegation of a space in base64/)
      }
    }),
  )

  it.effect("refuses proofs for another agent, with too few abilities, and expired ones", () =>
    Effect.gen(function* () {
      const { delegate } = yield* Network
      const another = yield* faultOf({ proof: yield* delegate({ audienceKey: yield* newAgentKey }) })
      assert.match(
        another.message,
        /^IPFS_W3UP_PROOF: expected a delegation to did:key:z6Mk\w+, which is the agent of IPFS_W3UP_KEY$/,
      )
      for (const missing of ["space/blob/add", "space/index/add", "upload/add"]) {
        const abilities = UPLOAD_ABILITIES.filter((ability) => ability !== missing)
        const { message } = yield* faultOf({ proof: yield* delegate({ abilities }) })
        assert.strictEqual(
          message,
          "IPFS_W3UP_PROOF: expected a delegation of space/blob/add, space/index/add, upload/add on one space",
        )
      }
      yield* TestClock.setTime(2_000_000)
      const expired = yield* faultOf({ proof: yield* delegate({ expirationSeconds: 2_000 }) })
      assert.match(expired.message, /a delegation that can be used now; this one expired on 1970-01-01T00:33:20.000Z$/)
    }),
  )

  it.effect("accepts proofs of all abilities below one, and text with line breaks around it", () =>
    Effect.gen(function* () {
      const network = yield* Network
      const proof = yield* network.delegate({ abilities: ["space/*", "upload/*"] })
      const broken = Redacted.make(`${Redacted.value(proof).replaceAll(/.{76}/g, "$&\n")}\n`)
      const key = Redacted.make(` ${Redacted.value(network.key)}\n`)
      const backend = yield* w3upBackend({ ...network, key, proof: broken })
      yield* backend.put(dag, { contentType: "text/plain" })
      assert.strictEqual((yield* network.blocksOf(dag.root)).size, 1)
    }),
  )

  it.effect("makes no more requests once the proof has expired", () =>
    Effect.gen(function* () {
      const network = yield* Network
      yield* TestClock.setTime(1_000_000)
      const proof = yield* network.delegate({ expirationSeconds: 5_000 })
      const backend = yield* w3upBackend({ ...network, proof })
      yield* TestClock.setTime(5_000_000)
      network.requests.length = 0
      for (const attempt of [backend.put(dag, { contentType: "text/plain" }), backend.probe]) {
        const { isPermanent, reason } = yield* Effect.flip(attempt)
        assert.strictEqual(reason, "the proof of IPFS_W3UP_PROOF expired on 1970-01-01T01:23:20.000Z")
        assert.isTrue(isPermanent)
      }
      assert.isEmpty(network.requests)
    }),
  )
})
