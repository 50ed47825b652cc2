import { generateKeyPairSync, sign } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { encodeBase58 } from "@launch-registry/domain/solana/Base58"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import {
  isSmallOrder,
  type SignedClaims,
  signedMessage,
  SMALL_ORDER,
  verifySignedRequest,
} from "../../src/access/SignedRequest.ts"

const NOW = Date.parse("2026-11-22T12:00:00.000Z")
const MINUTE = 60_000
const SITE = { domain: "api.example", uri: "https://api.example", chainId: "mainnet" }
const REQUEST = { method: "POST", url: "/api/tokens?x=1" }

const { privateKey, publicKey } = generateKeyPairSync("ed25519")
const address = encodeBase58(Buffer.from(publicKey.export({ format: "jwk" }).x!, "base64url"))

const isoAt = (minutes: number) => new Date(NOW + minutes * MINUTE).toISOString()

const claimsOf = (fields: Partial<SignedClaims> = {}): SignedClaims => ({
  ...{ address, nonce: "0123456789abcdef", issuedAt: isoAt(0), expirationTime: isoAt(5), bodyHash: "0".repeat(64) },
  ...fields,
})

const encoded = (fields: object) => Buffer.from(JSON.stringify(fields)).toString("base64url")

const credentialOf = (claims: SignedClaims) => {
  const signature = sign(null, Buffer.from(signedMessage(SITE, REQUEST, claims)), privateKey).toString("base64url")
  return { ...claims, signature }
}

const verify = (credential: object | string) =>
  verifySignedRequest(SITE, REQUEST, typeof credential === "string" ? credential : encoded(credential))

const reasonOf = (credential: object | string) => Effect.map(Effect.flip(verify(credential)), ({ reason }) => reason)

const atNoon = TestClock.setTime(NOW)

describe("A signed request", () => {
  it.effect("is the text of Sign In With Solana", () =>
    Effect.sync(() => {
      assert.strictEqual(
        signedMessage(SITE, REQUEST, claimsOf({ address: "Address" })),
        [
          ...["api.example wants you to sign in with your Solana account:", "Address", ""],
          ...[`Send POST /api/tokens?x=1 with the body of SHA-256 ${"0".repeat(64)}`, "", "URI: https://api.example"],
          ...["Version: 1", "Chain ID: mainnet", "Nonce: 0123456789abcdef", `Issued At: ${isoAt(0)}`],
          `Expiration Time: ${isoAt(5)}`,
        ].join("\n"),
      )
    }),
  )

  it.effect("is valid from its issue to its expiration, ten minutes at most, with a minute for wrong clocks", () =>
    Effect.gen(function* () {
      yield* atNoon
      const lived = (issued: number, expires: number) =>
        credentialOf(claimsOf({ issuedAt: isoAt(issued), expirationTime: isoAt(expires) }))
      for (const [issued, expires] of [
        [0, 5],
        [0, 10],
        [1, 11],
        [-10, 0],
        [-5, -0.99],
      ] as const)
        assert.strictEqual((yield* verify(lived(issued, expires))).address, address, `${issued} to ${expires}`)
      assert.match(yield* reasonOf(lived(0, 10.01)), /10 minutes at most/)
      assert.match(yield* reasonOf(lived(0, 0)), /10 minutes at most/)
      assert.match(yield* reasonOf(lived(1.01, 5)), /in the future/)
      assert.match(yield* reasonOf(lived(-6, -1)), /has expired/)
    }),
  )

  it.effect("is refused with any other claim than those that were signed", () =>
    Effect.gen(function* () {
      yield* atNoon
      const credential = credentialOf(claimsOf())
      const changes: ReadonlyArray<Partial<SignedClaims>> = [
        { nonce: "0123456789abcdee" },
        { issuedAt: isoAt(-1) },
        { expirationTime: isoAt(6) },
        { bodyHash: "1".repeat(64) },
        { address: encodeBase58(new Uint8Array(32).fill(9)) },
      ]
      for (const change of changes) {
        const error = yield* Effect.flip(verify({ ...credential, ...change }))
        assert.match(error.reason, /did not sign/, JSON.stringify(change))
        assert.strictEqual(error.expectedMessage, signedMessage(SITE, REQUEST, claimsOf(change)))
      }
    }),
  )

  it.effect("is refused when it is malformed, without a fault of ours", () =>
    Effect.gen(function* () {
      yield* atNoon
      const credential = credentialOf(claimsOf())
      const malformed: ReadonlyArray<object | string> = [
        ...["", "nonsense", "%%%", encoded([]), encoded({})],
        { ...credential, nonce: "short" },
        { ...credential, nonce: "0123456789abcdef\nNonce: 1" },
        { ...credential, issuedAt: "2026-13-45T99:00:00Z" },
        { ...credential, issuedAt: "today" },
        { ...credential, bodyHash: "x" },
        { ...credential, signature: credential.signature.slice(1) },
        { ...credential, address: "0" },
        { ...credential, address: 7 },
      ]
      for (const one of malformed) assert.isString(yield* reasonOf(one), JSON.stringify(one))
    }),
  )

  it("is of no key of a small order, with either sign: anyone could sign for it", () => {
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
