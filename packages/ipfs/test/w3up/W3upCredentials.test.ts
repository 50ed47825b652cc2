import { inspect } from "node:util"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer, Redacted } from "effect"
import { buildDag } from "../../src/content/Dag.ts"
import { w3upBackend } from "../../src/w3up/W3upBackend.ts"
import type { InvalidW3upSetting, W3upOptions } from "../../src/w3up/W3upClient.ts"
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
  it.effect("refuses malformed keys", () =>
    Effect.gen(function* () {
      const key = Redacted.value((yield* Network).key)
      for (const text of [
        "",
        "M",
        "secret",
        key.slice(0, -8),
        key.slice(1),
        `${key}AAAA`,
        "did:key:z6Mkk89bC3JrVqKie71",
      ]) {
        const { _tag, setting } = yield* faultOf({ key: Redacted.make(text) })
        assert.deepStrictEqual([_tag, setting], ["InvalidW3upSetting", "IPFS_KEY"], text)
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
        assert.deepStrictEqual([_tag, setting], ["InvalidW3upSetting", "IPFS_SECRET"], text)
        assert.match(message, /^IPFS_SECRET: expected a delegation in base64, valid now, of space\/blob\/add, /)
      }
    }),
  )

  it.effect("refuses proofs for another agent, with too few abilities, and expired ones", () =>
    Effect.gen(function* () {
      const { delegate } = yield* Network
      const another = yield* delegate({ audienceKey: yield* newAgentKey })
      const expired = yield* delegate({ expirationSeconds: 2_000 })
      const lacking = yield* Effect.forEach(["space/blob/add", "space/index/add", "upload/add"], (missing) =>
        delegate({ abilities: UPLOAD_ABILITIES.filter((ability) => ability !== missing) }),
      )
      for (const proof of [another, expired, ...lacking]) {
        const { message } = yield* faultOf({ proof })
        assert.match(
          message,
          /^IPFS_SECRET: expected a delegation in base64, valid now, of space\/blob\/add, space\/index\/add, upload\/add on one space to did:key:z6Mk\w+$/,
        )
      }
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
})
