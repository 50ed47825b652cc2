import type { MetadataDraft } from "@launch-registry/domain/ipfs/IpfsApi"
import { Context, Effect, Layer, Semaphore } from "effect"
import { buildDag } from "./Dag.ts"
import { checkImage } from "./ImageCheck.ts"
import { IpfsContent, type StoredContent, type UploadInfo } from "./IpfsContent.ts"
import type { InvalidImage, UnsupportedImage } from "@launch-registry/domain/ipfs/IpfsErrors"
import { metadataDocument } from "./MetadataDocument.ts"

/** An upload and where it can be read. */
export interface Upload extends StoredContent {
  readonly uri: string
}

const FILE_NAME_LENGTH_MAX = 128

/** Images decoded at the same time: each may take the memory of 40 million pixels. */
const DECODES_MAX = 2

/** Stores images and metadata documents, and says where they can be read. */
export class IpfsUploads extends Context.Service<
  IpfsUploads,
  {
    readonly uploadImage: (
      bytes: Uint8Array,
      fileName: string | undefined,
    ) => Effect.Effect<Upload, UnsupportedImage | InvalidImage>
    readonly uploadMetadata: (draft: MetadataDraft) => Effect.Effect<Upload>
  }
>()("@launch-registry/server/ipfs/IpfsUploads") {
  /** `gatewayUrl`: where content is read, as `<gatewayUrl>/<cid>`. */
  static readonly layer = (options: { readonly gatewayUrl: string }) =>
    Layer.effect(
      IpfsUploads,
      Effect.gen(function* () {
        const content = yield* IpfsContent
        const decoding = yield* Semaphore.make(DECODES_MAX)
        const gatewayUrl = options.gatewayUrl.replace(/\/+$/, "")

        const store = Effect.fnUntraced(function* (bytes: Uint8Array, info: UploadInfo) {
          const stored = yield* content.store(buildDag(bytes), info)
          return { ...stored, uri: `${gatewayUrl}/${stored.cid}` }
        })

        const uploadImage = Effect.fn("IpfsUploads.uploadImage")(function* (
          bytes: Uint8Array,
          fileName: string | undefined,
        ) {
          const contentType = yield* decoding.withPermits(1)(checkImage(bytes))
          const name = fileName === undefined ? "" : cleanFileName(fileName)
          return yield* store(bytes, name === "" ? { contentType } : { contentType, fileName: name })
        })

        const uploadMetadata = Effect.fn("IpfsUploads.uploadMetadata")(function* (draft: MetadataDraft) {
          return yield* store(metadataDocument(draft), { contentType: "application/json" })
        })

        return IpfsUploads.of({ uploadImage, uploadMetadata })
      }),
    )
}

/** A name to show: what follows the last separator, without control characters. Never used as a path. */
const cleanFileName = (name: string): string =>
  name
    .split(/[\\/]/)
    .at(-1)!
    .replace(/[\u0000-\u001f\u007f<>:"|?*]/g, "")
    .replace(/^\.+/, "")
    .slice(0, FILE_NAME_LENGTH_MAX)
