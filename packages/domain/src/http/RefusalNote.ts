import { Context, Effect } from "effect"

/** Why a request was refused, for figures: words of a fixed set. */
export interface RefusalNote {
  /** Code of the error response. */
  code?: string
  /** What is wrong with the credential. */
  credential?: CredentialFault
}

export type CredentialFault =
  | "no_credential"
  | "unknown_key"
  | "malformed_credential"
  | "wrong_time"
  | "wrong_signature"
  | "other_body"
  | "used_nonce"

/** Where an error response leaves its code. Set once per request by the server; undefined outside of a request. */
export const Refusal = Context.Reference<RefusalNote | undefined>("@launch-registry/domain/http/Refusal", {
  defaultValue: () => undefined,
})

/** Notes what is wrong with the credential of the current request. */
export const noteCredential = (fault: CredentialFault): Effect.Effect<void> =>
  Effect.map(Refusal, (note) => {
    if (note !== undefined) note.credential = fault
  })
