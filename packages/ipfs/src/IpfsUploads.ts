import type { Busy } from "@launch-registry/domain/http/LimitErrors"
import type { RequestTimeout } from "@launch-registry/domain/http/LimitErrors"
import type { InvalidRequest } from "@launch-registry/domain/http/RequestErrors"
import { BodyTooLarge, type UnsupportedContentType } from "@launch-registry/domain/http/RequestErrors"
import type { Unavailable } from "@launch-registry/domain/http/Unavailable"
import { FORM_BYTES_MAX, IMAGE_BYTES_MAX, type MetadataDraft } from "@launch-registry/domain/ipfs/IpfsApi"
import { type UploadRefused } from "@launch-registry/domain/ipfs/IpfsErrors"
import { MetadataUploads } from "@launch-registry/domain/ipfs/MetadataUploads"
import { Context, Effect, Layer, Option } from "effect"
import { buildDag } from "./content/Dag.ts"
import { cleanFileName } from "./content/FileName.ts"
import { checkImage } from "./images/ImageCheck.ts"
import { BODY_SECONDS_MAX, type IncomingImageForm, tooSlow } from "./images/ImageForm.ts"
import { makeDecodeTurns } from "./images/DecodeTurns.ts"
import { type ClaimBytes, makeUploadMemory } from "./images/UploadMemory.ts"
import { IpfsContent, type UploadInfo } from "./content/IpfsContent.ts"
import { IpfsPlacement, type PlacedContent } from "./placement/IpfsPlacement.ts"
import { metadataDocument, pictureCids } from "./content/MetadataDocument.ts"

/** An upload and where it can be read. */
export interface Upload extends PlacedContent {
  readonly uri: string
}

/** An uploaded image and its cleaned file name. */
export interface ImageUpload extends Upload {
  readonly fileName: string | undefined
}

/** Stores images and metadata documents. */
export class IpfsUploads extends Context.Service<
  IpfsUploads,
  {
    /** Reads an image, checks it and stores it without camera and editor metadata. Its memory is claimed until it is stored. */
    readonly uploadImage: <E = never>(
      form: IncomingImageForm<E>,
    ) => Effect.Effect<
      ImageUpload,
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

        /** The checked image of a form. In a function of its own, so that the uploaded bytes are freed before the image is stored. */
        const receiveImage = Effect.fnUntraced(function* <E>(
          { caller, read }: IncomingImageForm<E>,
          claim: ClaimBytes,
        ) {
          const form = yield* Effect.timeoutOrElse(read(claim), {
            duration: BODY_SECONDS_MAX * 1000,
            orElse: () => Effect.fail(tooSlow()),
          })
          const image = yield* checkImage(form.bytes, { caller, turns })
          return { ...image, fileName: form.fileName === undefined ? undefined : cleanFileName(form.fileName) }
        })

        const storeImage = Effect.fnUntraced(function* <E>(form: IncomingImageForm<E>, claim: ClaimBytes) {
          const { bytes, contentType, fileName } = yield* receiveImage(form, claim)
          const upload = yield* store(bytes, { contentType })
          return { ...upload, fileName }
        })

        const uploadImage = Effect.fn("IpfsUploads.uploadImage")(function* <E>(form: IncomingImageForm<E>) {
          const { announcedBytes } = form
          if (announcedBytes !== undefined && announcedBytes > FORM_BYTES_MAX)
            return yield* new BodyTooLarge({ limitBytes: IMAGE_BYTES_MAX })
          return yield* memory.hold((claim) => storeImage(form, claim))
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
