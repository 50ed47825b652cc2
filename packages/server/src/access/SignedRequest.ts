import { createPublicKey, verify } from "node:crypto"
import { Unauthenticated } from "@launch-registry/domain/http/AccessErrors"
import { type CredentialFault, noteCredential } from "@launch-registry/domain/http/RefusalNote"
import { Address } from "@launch-registry/domain/solana/Address"
import { decodeBase58 } from "@launch-registry/domain/solana/Base58"
import { Clock, Effect, Option, Schema } from "effect"

/** Maximum time between issue and expiration. */
const LIFETIME_MILLIS = 600_000
/** How far clocks of wallets may be off. */
export const SKEW_MILLIS = 60_000

const text = (pattern: RegExp) => Schema.String.check(Schema.isPattern(pattern))
const Time = text(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,3})?Z$/)

/** The JSON of the credential of a signed request. */
const SignedRequest = Schema.Struct({
  address: Address,
  nonce: text(/^[A-Za-z0-9]{16,64}$/),
  issuedAt: Time,
  expirationTime: Time,
  /** SHA-256 of the body, in hex. */
  bodyHash: text(/^[0-9a-f]{64}$/),
  /** base64url of 64 bytes. */
  signature: text(/^[A-Za-z0-9_-]{86}$/),
})

/** What a wallet says of a request that it signs. */
export type SignedClaims = Omit<typeof SignedRequest.Encoded, "signature">

/** Where a signature is valid: signatures for another site or cluster are refused. */
export interface Site {
  /** Host of the public URL, with its port. */
  readonly domain: string
  /** The public URL. */
  readonly uri: string
  /** `mainnet`, `devnet` or `localnet`. */
  readonly chainId: string
}

/** The text that a wallet signs for a request: a Sign-In With Solana message whose statement names the request. */
export const signedMessage = (
  { chainId, domain, uri }: Site,
  { method, url }: { readonly method: string; readonly url: string },
  { address, bodyHash, expirationTime, issuedAt, nonce }: SignedClaims,
): string =>
  `${domain} wants you to sign in with your Solana account:
${address}

Send ${method} ${url} with the body of SHA-256 ${bodyHash}

URI: ${uri}
Version: 1
Chain ID: ${chainId}
Nonce: ${nonce}
Issued At: ${issuedAt}
Expiration Time: ${expirationTime}`

/** Encoded points of the curve of a small order, without the sign of x; the last two are encoded otherwise than usual. */
export const SMALL_ORDER: ReadonlyArray<string> = [
  "0000000000000000000000000000000000000000000000000000000000000000",
  "0100000000000000000000000000000000000000000000000000000000000000",
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
  "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
]

/**
 * Whether anyone can sign for a public key of Ed25519: OpenSSL 3.0 accepts forged signatures of such keys, 3.5 none. The
 * address of the system program is one of them.
 */
export const isSmallOrder = (key: Uint8Array): boolean => {
  const point = Buffer.from(key)
  point[31]! &= 0x7f
  return SMALL_ORDER.includes(point.toString("hex"))
}

const decodeJson = Schema.decodeUnknownOption(Schema.fromJsonString(SignedRequest))

const refused = (fault: CredentialFault, reason: string, facts: { readonly expectedMessage?: string } = {}) =>
  Effect.andThen(noteCredential(fault), Effect.fail(new Unauthenticated({ reason, ...facts })))

const isSigned = (message: string, signature: string, address: string): boolean => {
  const key = decodeBase58(address)!
  if (isSmallOrder(key)) return false
  const jwk = { kty: "OKP", crv: "Ed25519", x: Buffer.from(key).toString("base64url") }
  const publicKey = createPublicKey({ format: "jwk", key: jwk })
  return verify(null, Buffer.from(message), publicKey, Buffer.from(signature, "base64url"))
}

/** Verifies a credential of the scheme `Solana` for a request, but for its body and the first use of its nonce. */
export const verifySignedRequest = Effect.fnUntraced(function* (
  site: Site,
  request: { readonly method: string; readonly url: string },
  credential: string,
) {
  const decoded = decodeJson(Buffer.from(credential, "base64url").toString("utf8"))
  if (Option.isNone(decoded))
    return yield* refused(
      "malformed_credential",
      "expected base64url of JSON with address, nonce, issuedAt, expirationTime, bodyHash, signature",
    )
  const { signature, ...claims } = decoded.value
  const [issuedAt, expiresAt] = [Date.parse(claims.issuedAt), Date.parse(claims.expirationTime)]
  const now = yield* Clock.currentTimeMillis
  if (!(expiresAt > issuedAt && expiresAt - issuedAt <= LIFETIME_MILLIS))
    return yield* refused("wrong_time", "expirationTime has to be after issuedAt, by 10 minutes at most")
  if (issuedAt > now + SKEW_MILLIS) return yield* refused("wrong_time", "issuedAt is in the future")
  if (expiresAt + SKEW_MILLIS <= now) return yield* refused("wrong_time", "the signature has expired")
  const expectedMessage = signedMessage(site, request, claims)
  if (!isSigned(expectedMessage, signature, claims.address))
    return yield* refused("wrong_signature", "the wallet did not sign this request for this service", {
      expectedMessage,
    })
  return claims
})
