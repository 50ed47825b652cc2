import { Api } from "@launch-registry/domain/Api"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { respondData } from "../http/Respond.ts"
import { incomingImageForm } from "./ImageForm.ts"
import { IpfsPlacement } from "./IpfsPlacement.ts"
import { IpfsUploads } from "./IpfsUploads.ts"
import { withRetryAfter } from "./RetryAfterHeader.ts"

/** Handlers of `/api/ipfs`. */
export const IpfsHttp = HttpApiBuilder.group(
  Api,
  "ipfs",
  Effect.fn(function* (handlers) {
    const uploads = yield* IpfsUploads
    const placement = yield* IpfsPlacement
    return handlers.handleAll({
      uploadImage: Effect.fnUntraced(function* ({ payload, request }) {
        const upload = yield* uploads.uploadImage(incomingImageForm(request, payload))
        const { backend, cid, contentType, fileName = null, sizeBytes, uri } = upload
        return respondData(
          { imageUri: uri, cid, size: sizeBytes, contentType, fileName, backend },
          "Image uploaded to IPFS",
        )
      }, withRetryAfter),
      uploadMetadata: ({ payload }) =>
        Effect.map(uploads.uploadMetadata(payload), ({ backend, cid, sizeBytes, uri }) =>
          respondData({ imageUri: uri, metadataUri: uri, cid, size: sizeBytes, backend }, "Metadata uploaded to IPFS"),
        ).pipe(withRetryAfter),
      health: () => Effect.map(placement.report, (report) => respondData(report, "IPFS service is running")),
    })
  }),
)
