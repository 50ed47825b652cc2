import type { Busy, RequestTimeout } from "@launch-registry/domain/http/LimitErrors"
import {
  BodyTooLarge,
  type InvalidRequest,
  type UnsupportedContentType,
} from "@launch-registry/domain/http/RequestErrors"
import type { Unavailable } from "@launch-registry/domain/http/Unavailable"
import { FORM_BYTES_MAX, IMAGE_BYTES_MAX, type MetadataDraft } from "@launch-registry/domain/ipfs/IpfsApi"
import type { UploadRefused } from "@launch-registry/domain/ipfs/IpfsErrors"
import { MetadataUploads } from "@launch-registry/domain/ipfs/MetadataUploads"
import { Context, Effect, Layer, Option, type Stream } from "effect"
import type { Multipart } from "effect/http"
import { buildDag } from "./content/Dag.ts"
import { cleanFileName } from "./content/FileName.ts"
import { IpfsContent, type UploadInfo } from "./content/IpfsContent.ts"
import { metadataDocument, pictureCids } from "./content/MetadataDocument.ts"
import { makeDecodeTurns } from "./images/DecodeTurns.ts"
import { checkImage } from "./images/ImageCheck.ts"
import { type ImageForm, readImageForm } from "./images/ImageForm.ts"
import { type ClaimBytes, makeUploadMemory } from "./images/UploadMemory.ts"
import { IpfsPlacement, type PlacedContent } from "./placement/IpfsPlacement.ts"

/** An upload and where it can be read. */
export interface Upload extends PlacedContent {
  readonly uri: string
}

/** The request of an image upload, whose body is not read yet. */
export interface ImageRequest<E> {
  /** Whose upload it is: the address. */
  readonly caller: string
  /** Content-Length; `undefined` for a chunked body. */
  readonly announcedBytes: number | undefined
  readonly parts: Stream.Stream<Multipart.Part, Multipart.MultipartError>
  /** May still refuse it, once the body is read. */
  readonly onceRead: (form: ImageForm) => Effect.Effect<void, E>
}

/** Stores images and metadata documents. */
export class IpfsUploads extends Context.Service<
  IpfsUploads,
  {
    /** Reads an image, checks it and stores it without camera and editor metadata. Its memory is claimed until it is stored. */
    readonly uploadImage: <E>(
      request: ImageRequest<E>,
    ) => Effect.Effect<
      Upload & { readonly fileName: string | null },
      E | InvalidRequest | BodyTooLarge | UnsupportedContentType | Busy | RequestTimeout | UploadRefused | Unavailable
    >
    readonly uploadMetadata: (draft: MetadataDraft) => Effect.Effect<Upload, Unavailable | UploadRefused>
  }
>()("@launch-registry/ipfs/IpfsUploads") {
  /** `gatewayUrl`: where content is read, as `<gatewayUrl>/<cid>`. */
  static readonly layer = (options: { readonly gatewayUrl: string }) =>
    Layer.effect(
      IpfsUploads,
      Effect.gen(function* () {
        const content = yield* IpfsContent
        const placement = yield* IpfsPlacement
        const turns = yield* makeDecodeTurns
        const memory = yield* makeUploadMemory
        const gatewayUrl = options.gatewayUrl.replace(/\/+$/, "")

        const store = Effect.fnUntraced(function* (bytes: Uint8Array, info: UploadInfo) {
          const placed = yield* placement.store(buildDag(bytes), info)
          return { ...placed, uri: `${gatewayUrl}/${placed.cid}` }
        })

        /** In a function of its own, so that the uploaded bytes are freed before the image is stored. */
        const receiveImage = Effect.fnUntraced(function* <E>(request: ImageRequest<E>, claim: ClaimBytes) {
          const form = yield* readImageForm(request.parts, claim)
          yield* request.onceRead(form)
          const image = yield* checkImage(form.image, { caller: request.caller, turns })
          return { ...image, fileName: cleanFileName(form.fileName ?? "") ?? null }
        })

        const uploadImage = Effect.fn("IpfsUploads.uploadImage")(function* <E>(request: ImageRequest<E>) {
          if ((request.announcedBytes ?? 0) > FORM_BYTES_MAX)
            return yield* new BodyTooLarge({ limitBytes: IMAGE_BYTES_MAX })
          return yield* memory.hold((claim) =>
            Effect.gen(function* () {
              const { bytes, contentType, fileName } = yield* receiveImage(request, claim)
              return { ...(yield* store(bytes, { contentType })), fileName }
            }),
          )
        })

        const uploadMetadata = Effect.fn("IpfsUploads.uploadMetadata")(function* (draft: MetadataDraft) {
          const pictures = yield* Effect.forEach(pictureCids(draft, gatewayUrl), content.find)
          const known = pictures.flatMap(Option.toArray)
          const storedTypes = new Map(known.map(({ cid, contentType }) => [cid, contentType]))
          return yield* store(metadataDocument(draft, { gatewayUrl, storedTypes }), { contentType: "application/json" })
        })

        return IpfsUploads.of({ uploadImage, uploadMetadata })
      }),
    )

  /** The port that launches use. */
  static readonly metadata = Layer.effect(
    MetadataUploads,
    Effect.map(IpfsUploads, ({ uploadMetadata }) => MetadataUploads.of({ uploadMetadata })),
  )
}
