import { Api } from "@launch-registry/domain/Api"
import { Effect, Option } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { respondData } from "../http/Respond.ts"
import { readImageForm } from "./ImageForm.ts"
import { IpfsContent } from "./IpfsContent.ts"
import { IpfsUploads } from "./IpfsUploads.ts"

/** Handlers of `/api/ipfs`. */
export const IpfsHttp = HttpApiBuilder.group(
  Api,
  "ipfs",
  Effect.fn(function* (handlers) {
    const uploads = yield* IpfsUploads
    const content = yield* IpfsContent
    return handlers.handleAll({
      uploadImage: Effect.fnUntraced(function* ({ payload }) {
        const { bytes, fileName } = yield* readImageForm(payload)
        const { cid, contentType, sizeBytes, uri } = yield* uploads.uploadImage(bytes, fileName)
        return respondData({ imageUri: uri, cid, size: sizeBytes, contentType }, "Image uploaded to IPFS")
      }),
      uploadMetadata: ({ payload }) =>
        Effect.map(uploads.uploadMetadata(payload), ({ cid, sizeBytes, uri }) =>
          respondData({ imageUri: uri, metadataUri: uri, cid, size: sizeBytes }, "Metadata uploaded to IPFS"),
        ),
      health: () =>
        Effect.map(content.lastUploadAt, (at) =>
          respondData(
            { backend: "embedded", lastUploadAt: Option.getOrNull(Option.map(at, (date) => date.toISOString())) },
            "IPFS service is running",
          ),
        ),
    })
  }),
)
