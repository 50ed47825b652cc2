import { createHash } from "node:crypto"
import { Api } from "@launch-registry/domain/Api"
import { LimitReached } from "@launch-registry/domain/http/LimitErrors"
import { type Answering, answersOf } from "@launch-registry/http/answers/Answers"
import { answeredBefore, IdempotentRequests } from "@launch-registry/http/idempotency/IdempotentRequests"
import { AddressCapsOfServer } from "@launch-registry/http/listener/AddressCaps"
import { checkSignedBody } from "@launch-registry/http/requests/GuardedRequest"
import { withJsonBodies } from "@launch-registry/http/requests/JsonBody"
import { Effect, Scope } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { IpfsUploads } from "./IpfsUploads.ts"
import { IpfsPlacement } from "./placement/IpfsPlacement.ts"

const { respond } = answersOf("ipfs")

const imageHash = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex")

/** Handlers of `/api/ipfs`. */
export const IpfsHttp = HttpApiBuilder.group(
  Api,
  "ipfs",
  Effect.fn(function* (handlers) {
    const uploads = yield* IpfsUploads
    const placement = yield* IpfsPlacement
    const requests = yield* IdempotentRequests

    return withJsonBodies(handlers).handleAll({
      uploadImage: Effect.fnUntraced(function* ({ payload, request }) {
        const caps = yield* AddressCapsOfServer
        const tooMany = (limit: number) => new LimitReached({ resource: "uploads", limit })
        yield* caps.hold("uploadBodies", request, tooMany)
        // Not while it is received: slow senders take no places of others behind the same proxy.
        const admitted = Scope.provide(caps.hold("uploads", request, tooMany), yield* Effect.scope)
        const length = request.headers["content-length"]
        const { backend, cid, contentType, fileName, sizeBytes, uri } = yield* uploads.uploadImage({
          caller: caps.callerOfRequest(request),
          announcedBytes: length === undefined ? undefined : Number(length),
          parts: payload,
          // The key is claimed once the form is read, because multipart boundaries differ between retries. The answer is stored
          // after the upload, not in its transaction: storing the same bytes twice stores them once.
          onceRead: ({ fileName = null, image }) =>
            checkSignedBody(image).pipe(
              Effect.andThen(requests.claim(() => ({ image: imageHash(image), fileName }))),
              Effect.andThen(admitted),
            ),
        })
        return respond("uploadImage", {
          data: { imageUri: uri, cid, size: sizeBytes, contentType, fileName, backend },
          message: "Image uploaded to IPFS",
        })
      }, answeredBefore),
      uploadMetadata: ({ payload }) =>
        Effect.map(uploads.uploadMetadata(payload), ({ backend, cid, sizeBytes, uri }) =>
          respond("uploadMetadata", {
            data: { imageUri: uri, metadataUri: uri, cid, size: sizeBytes, backend },
            message: "Metadata uploaded to IPFS",
          }),
        ),
      health: () =>
        Effect.map(placement.report, (data) => respond("health", { data, message: "IPFS service is running" })),
    } satisfies Answering<"ipfs">)
  }),
)
