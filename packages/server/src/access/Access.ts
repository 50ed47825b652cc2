import { Forbidden, Unauthenticated } from "@launch-registry/domain/http/AccessErrors"
import { ADMIN_KEY_ID, type Caller, type Scope } from "@launch-registry/domain/access/Caller"
import type { AccessLevel } from "@launch-registry/domain/access/RequiredAccess"
import { type CredentialFault, noteCredential } from "@launch-registry/domain/http/RefusalNote"
import { respondError } from "@launch-registry/http/answers/Respond"
import { useNonce } from "@launch-registry/http/idempotency/SignedNonces"
import { crossSiteWrite } from "@launch-registry/http/requests/CrossSite"
import { isOneOf } from "@launch-registry/http/requests/SharedSecrets"
import { onPrimary } from "@launch-registry/postgres/ReadSource"
import { Context, Effect, Layer } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { SqlClient } from "effect/sql/SqlClient"
import type { AccessOptions } from "./AccessOptions.ts"
import { knownKeys } from "./KnownKeys.ts"
import { verifySignedRequest } from "./SignedRequest.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

/** A caller with a valid credential. */
export interface Identified {
  readonly caller: Exclude<Caller, { readonly _tag: "Anyone" }>
  /** SHA-256 of the body that the caller signed, in hex. */
  readonly bodyHash?: string
}

const unauthenticated = (fault: CredentialFault, reason: string) =>
  Effect.andThen(noteCredential(fault), Effect.fail(new Unauthenticated({ reason })))

const forbidden = (reason: string) => Effect.fail(new Forbidden({ reason }))

/** What follows the name of a scheme in `Authorization`. */
const credentialOf = ({ headers }: Request, scheme: string): string | undefined => {
  const [, name, credential] = /^(\S+) +(\S+)$/.exec(headers.authorization ?? "") ?? []
  return name?.toLowerCase() === scheme ? credential : undefined
}

const keyTextOf = (request: Request) => request.headers["x-api-key"] ?? credentialOf(request, "bearer")

/** How long a request waits to be counted for its key. */
const KEY_COUNT_MILLIS = 1_000

const make = Effect.fnUntraced(function* ({
  adminKeys,
  adminWallets,
  keysFreshMillis,
  site,
  writeAuth,
  writingOrigins,
}: AccessOptions) {
  const sql = yield* SqlClient
  const verifyKey = yield* knownKeys(keysFreshMillis)
  const isAdminKey = isOneOf(adminKeys)
  const [takesKeys, takesWallets] = [writeAuth.includes("api-key"), writeAuth.includes("wallet")]
  const schemes = [...(takesKeys || adminKeys.length > 0 ? ["Bearer"] : []), ...(takesWallets ? ["Solana"] : [])]

  const ofKey = Effect.fnUntraced(function* (text: string) {
    if (isAdminKey(text)) {
      const own = { id: ADMIN_KEY_ID, name: ADMIN_KEY_ID, family: ADMIN_KEY_ID }
      return { caller: { _tag: "Key", ...own, scopes: ["admin"] } as const }
    }
    const key = takesKeys ? yield* verifyKey(text) : undefined
    if (key === undefined) return yield* unauthenticated("unknown_key", "the key is unknown, expired or revoked")
    const { family, id, name, scopes } = key
    return { caller: { _tag: "Key", id, name, family, scopes } as const }
  })

  const ofWallet = Effect.fnUntraced(function* (
    request: Request,
    credential: string,
    idempotencyKey: string | undefined,
  ) {
    const verified = yield* verifySignedRequest(site, request, credential)
    if (!(yield* Effect.orDie(onPrimary(useNonce(sql, verified, request, idempotencyKey)))))
      return yield* unauthenticated(
        "used_nonce",
        "the nonce was used before: sign again, or retry with the same Idempotency-Key",
      )
    const { address, bodyHash } = verified
    return { caller: { _tag: "Wallet", address, isAdmin: adminWallets.includes(address) } as const, bodyHash }
  })

  /**
   * The caller of a request, by its credential. A signature is used up, but for retries with `idempotencyKey`; whether it is of this body is
   * not known yet.
   */
  const identify = (
    request: Request,
    idempotencyKey: string | undefined,
  ): Effect.Effect<Identified, Unauthenticated> => {
    // First: a gateway may add an X-API-Key of its own.
    const signature = takesWallets ? credentialOf(request, "solana") : undefined
    if (signature !== undefined) return ofWallet(request, signature, idempotencyKey)
    const key = keyTextOf(request)
    if (key !== undefined) return ofKey(key)
    return unauthenticated("no_credential", `expected a credential (${schemes.join(" or ")})`)
  }

  /** The family of the key of a request, if it has a valid one: for who counts requests by key. */
  const keyOf = (request: Request): Effect.Effect<string | undefined> => {
    const key = keyTextOf(request)
    return key === undefined
      ? Effect.undefined
      : ofKey(key).pipe(
          Effect.map(({ caller }) => caller.family),
          Effect.catch(() => Effect.undefined),
          // Without the database it counts for its address: counting may neither fail nor wait.
          Effect.catchDefect(() => Effect.undefined),
          Effect.timeoutOrElse({ duration: KEY_COUNT_MILLIS, orElse: () => Effect.undefined }),
        )
  }

  const authorize = (
    caller: Identified["caller"],
    level: AccessLevel,
    method: string,
  ): Effect.Effect<void, Forbidden> => {
    const isForAll = level === "write" || level === "own"
    if (caller._tag === "Wallet")
      return caller.isAdmin || isForAll ? Effect.void : forbidden("the wallet has to be an admin")
    const enough: Scope = isForAll ? "write" : level === "system" && method === "GET" ? "read" : "admin"
    return caller.scopes.includes("admin") || caller.scopes.includes(enough)
      ? Effect.void
      : forbidden(`the key needs the scope ${enough}`)
  }

  /** Whether operations of this level need a credential. */
  const guards = (level: AccessLevel): boolean =>
    level !== "open" && (writeAuth.length > 0 || ((level === "system" || level === "own") && adminKeys.length > 0))

  /** The answer to a request without a valid credential. */
  const challenge = (error: Unauthenticated) =>
    Effect.map(respondError(Unauthenticated.response, error), (response) =>
      HttpServerResponse.setHeader(response, "www-authenticate", schemes.join(", ")),
    )

  /** A read of a route that is no endpoint, for callers of this level. */
  const admitted = <E, R>(level: AccessLevel, read: Effect.Effect<Response, E, R>) =>
    guards(level)
      ? Effect.gen(function* () {
          const request = yield* HttpServerRequest.HttpServerRequest
          const { caller } = yield* identify(request, undefined)
          // A HEAD is a read as well.
          yield* authorize(caller, level, "GET")
        }).pipe(
          Effect.matchEffect({
            onSuccess: () => read,
            onFailure: (error) =>
              error._tag === "Forbidden" ? respondError(Forbidden.response, error) : challenge(error),
          }),
        )
      : read

  /**
   * Fails if a browser sent the request for a page of another site, or to a host that is not known. Where no credential is required, the
   * network is what keeps strangers out, and a browser within it sends what any page asks for.
   */
  const ofOwnSite = Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
    const refusal = crossSiteWrite(request, writingOrigins)
    return refusal === undefined ? Effect.void : Effect.fail(refusal)
  })

  return { guards, identify, authorize, keyOf, ofOwnSite, admitted, challenge }
})

/** Which callers are admitted, by the settings. */
export class Access extends Context.Service<Access, Effect.Success<ReturnType<typeof make>>>()("./Access.ts") {
  static readonly layer = (options: AccessOptions) => Layer.effect(Access, make(options))
}
