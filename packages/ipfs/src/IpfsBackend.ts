import { type Effect, Schema } from "effect"
import type { FileDag } from "./Dag.ts"

/** Backends outside of this service, by the names of the setting `IPFS_BACKEND`. */
export type RemoteBackendName = "filebase" | "w3up"

/** A backend did not take content, or does not answer. `reason` is for operators and callers: it holds no secret. */
export class BackendFailed extends Schema.TaggedError<BackendFailed>()("BackendFailed", {
  backend: Schema.String,
  reason: Schema.String,
  /** The same request would fail the same way until somebody changes something. */
  isPermanent: Schema.Boolean,
  /**
   * What failed: this upload alone, because of what is in it or of what became of it there; or the backend, for any upload
   * as far as is known. A probe that fails speaks of the backend, whatever it says here.
   */
  scope: Schema.Literals(["upload", "backend"]),
  /** When the backend asked to be tried again. */
  retryAfterMillis: Schema.optionalKey(Schema.Number),
}) {}

/** A place outside of this service that keeps content and answers for it by CID. */
export interface IpfsBackend {
  readonly name: RemoteBackendName
  /** Names the place that content goes to there, the same for as long as that is the same place. It holds no secret. */
  readonly destination: string
  /**
   * One attempt to hand over the blocks of a file, with a deadline of its own. It succeeds once the backend has
   * confirmed our root CID; the same content again is no fault. Interrupting it ends its requests.
   */
  readonly put: (dag: FileDag, info: { readonly contentType: string }) => Effect.Effect<void, BackendFailed>
  /** A cheap question whether the backend answers us, with a deadline of its own. */
  readonly probe: Effect.Effect<void, BackendFailed>
}

/** Where content was delivered, or is to be. */
export type Destination = Pick<IpfsBackend, "name" | "destination">
