import { type Effect, Schema } from "effect"
import type { FileDag } from "../content/Dag.ts"

/** Remote backends, by their names in the setting `IPFS_BACKEND`. */
export type RemoteBackendName = "filebase" | "w3up"

/** A backend rejected content or did not answer. `reason` is for operators and callers: it holds no secret. */
export class BackendFailed extends Schema.TaggedError<BackendFailed>()("BackendFailed", {
  backend: Schema.String,
  reason: Schema.String,
  /** Retrying does not help unless the upload, the settings or the backend change. */
  isPermanent: Schema.Boolean,
  /** Whether only this upload failed, or the backend would fail any upload. A failed probe is always about the backend. */
  scope: Schema.Literals(["upload", "backend"]),
  /** From `Retry-After` of the backend. */
  retryAfterMillis: Schema.optionalKey(Schema.Number),
}) {}

/** A remote store of content by CID. */
export interface IpfsBackend {
  readonly name: RemoteBackendName
  /** Identifies the account or bucket behind the backend, the same as long as that is the same one. It holds no secret. */
  readonly destination: string
  /**
   * Uploads the blocks of a file in one attempt with its own deadline, and succeeds once the backend has confirmed our root
   * CID. Idempotent; interrupting it aborts its requests.
   */
  readonly put: (dag: FileDag, info: { readonly contentType: string }) => Effect.Effect<void, BackendFailed>
  /** Checks cheaply whether the backend answers, with its own deadline. */
  readonly probe: Effect.Effect<void, BackendFailed>
}

/** Where content is delivered. */
export type Destination = Pick<IpfsBackend, "name" | "destination">
