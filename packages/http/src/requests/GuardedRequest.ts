import { createHash } from "node:crypto"
import { Unauthenticated } from "@launch-registry/domain/http/AccessErrors"
import { noteCredential } from "@launch-registry/domain/http/RefusalNote"
import { Context, Effect } from "effect"

/** What the guard of a request and the reader of its body tell each other. */
export interface GuardedRequest {
  /** SHA-256 of the body that the caller signed, in hex. */
  readonly bodyHash: string | undefined
  isBodyChecked: boolean
  /** The JSON body, once it is read. */
  body?: unknown
}

/** Set if the current request needs a credential. */
export const CurrentGuardedRequest = Context.Reference<GuardedRequest | undefined>(
  "@launch-registry/http/requests/GuardedRequest",
  { defaultValue: () => undefined },
)

export const bodyHashOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex")

/** Fails if the caller signed a request with another body. Of a form, the bytes of its file count. */
export const checkSignedBody = (bytes: Uint8Array): Effect.Effect<void, Unauthenticated> =>
  Effect.flatMap(CurrentGuardedRequest, (request) => {
    if (request === undefined) return Effect.void
    request.isBodyChecked = true
    return request.bodyHash === undefined || request.bodyHash === bodyHashOf(bytes)
      ? Effect.void
      : Effect.andThen(
          noteCredential("other_body"),
          Effect.fail(new Unauthenticated({ reason: "the signature is of another body" })),
        )
  })
