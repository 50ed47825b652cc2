import { generateKeyPairSync } from "node:crypto"
import { assert, describe, it } from "vitest"
import { isSmallOrder, SMALL_ORDER } from "../../src/access/SignedRequest.ts"

/** The field and the curve of Ed25519 (RFC 8032, section 5.1). */
const P = 2n ** 255n - 19n
const mod = (value: bigint): bigint => ((value % P) + P) % P

const power = (base: bigint, exponent: bigint): bigint => {
  if (exponent === 0n) return 1n
  const half = power(mod(base * base), exponent / 2n)
  return exponent % 2n === 1n ? mod(half * base) : half
}

const inverse = (value: bigint): bigint => power(mod(value), P - 2n)
const D = mod(-121665n * inverse(121666n))
const ROOT_OF_MINUS_ONE = power(2n, (P - 1n) / 4n)

type Point = readonly [x: bigint, y: bigint]
const IDENTITY: Point = [0n, 1n]

const add = ([x1, y1]: Point, [x2, y2]: Point): Point => {
  const product = mod(D * x1 * x2 * y1 * y2)
  return [mod((x1 * y2 + x2 * y1) * inverse(1n + product)), mod((y1 * y2 + x1 * x2) * inverse(1n - product))]
}

/** The points with this encoding of y: one, or two with opposite x. */
const pointsOf = (hex: string): ReadonlyArray<Point> => {
  const y = mod(BigInt(`0x${Buffer.from(Buffer.from(hex, "hex").toReversed()).toString("hex")}`))
  const square = mod((y * y - 1n) * inverse(D * y * y + 1n))
  const root = power(square, (P + 3n) / 8n)
  const x = mod(root * root) === square ? root : mod(root * ROOT_OF_MINUS_ONE)
  assert.strictEqual(mod(x * x), square, `${hex} is on the curve`)
  return x === 0n
    ? [[x, y]]
    : [
        [x, y],
        [mod(-x), y],
      ]
}

describe("Keys of a small order", () => {
  it("are all eight points whose eightfold is the identity", () => {
    const points = SMALL_ORDER.flatMap(pointsOf)
    for (const point of points) {
      const twice = add(point, point)
      const fourfold = add(twice, twice)
      assert.deepStrictEqual(add(fourfold, fourfold), IDENTITY)
    }
    assert.strictEqual(new Set(points.map(String)).size, 8)
  })

  it("are known with either sign, and other keys are none", () => {
    for (const hex of SMALL_ORDER) {
      const key = Buffer.from(hex, "hex")
      assert.isTrue(isSmallOrder(key))
      key[31]! |= 0x80
      assert.isTrue(isSmallOrder(key))
    }
    const { x = "" } = generateKeyPairSync("ed25519").publicKey.export({ format: "jwk" })
    assert.isFalse(isSmallOrder(Buffer.from(x, "base64url")))
  })
})
