import { assert, describe, it } from "@effect/vitest"
import { seal, unseal } from "../src/idempotency/SealedBytes.ts"

const text = new TextEncoder().encode('{"secretKey":"canary"}')
const about = new Uint8Array([1, 2, 3])
const sealed = () => seal(text, "a key that is random", about)

describe("Sealed bytes", () => {
  it("are opened with the same key and context, and with nothing else", () => {
    assert.deepStrictEqual(new Uint8Array(unseal(sealed(), "a key that is random", about)), text)
    assert.throws(() => unseal(sealed(), "another", about))
    assert.throws(() => unseal(sealed(), "a key that is random", new Uint8Array([1, 2])))
  })

  it("are rejected when any byte is changed or cut off", () => {
    const whole = sealed()
    for (let at = 0; at < whole.length; at++) {
      const changed = Uint8Array.from(whole)
      changed[at]! ^= 1
      assert.throws(() => unseal(changed, "a key that is random", about))
      assert.throws(() => unseal(whole.subarray(0, at), "a key that is random", about))
    }
  })

  it("differ each time", () => {
    assert.notDeepEqual(sealed(), sealed())
  })
})
