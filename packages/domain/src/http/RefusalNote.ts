import { Effect } from "effect"
import { RetryAdvice } from "./RetryAdvice.ts"

/** What is wrong with a credential, for figures. */
export type CredentialFault =
  | "no_credential"
  | "unknown_key"
  | "malformed_credential"
  | "wrong_time"
  | "wrong_signature"
  | "other_body"
  | "used_nonce"

/** Why a request was refused, for figures: words of fixed sets. */
export interface RefusalNote {
  /** Code of the error response. */
  code?: string
  credential?: CredentialFault
}

/** Notes what is wrong with the credential of the current request. */
export const noteCredential = (fault: CredentialFault): Effect.Effect<void> =>
  Effect.map(RetryAdvice, (note) => {
    if (note !== undefined) note.credential = fault
  })
