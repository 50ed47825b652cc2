import { Context, type Effect } from "effect"
import type { Unavailable } from "../http/Unavailable.ts"
import type { MetadataDraft } from "./IpfsApi.ts"
import type { UploadRefused } from "./IpfsErrors.ts"

/** Where the builders of a launch upload its metadata. Implemented by ipfs, used by the server. */
export class MetadataUploads extends Context.Service<
  MetadataUploads,
  {
    /** The document is durable once this succeeds, and is read at `uri`. */
    readonly uploadMetadata: (
      draft: MetadataDraft,
    ) => Effect.Effect<{ readonly uri: string }, Unavailable | UploadRefused>
  }
>()("@launch-registry/domain/ipfs/MetadataUploads") {}
