import { Context, type Effect } from "effect"

/** Images of tokens by their metadata documents, of which those that were uploaded here are known. Implemented by ipfs, used by the server. */
export class DocumentImages extends Context.Service<
  DocumentImages,
  {
    /** What the documents at these URIs have as image, by URI; in one statement at most, and nothing is fetched. */
    readonly find: (uris: ReadonlyArray<string>) => Effect.Effect<ReadonlyMap<string, string>>
  }
>()("@launch-registry/domain/ipfs/DocumentImages") {}
