import { LimitReached } from "@launch-registry/domain/http/LimitErrors"
import { createHash } from "node:crypto"
import { Api } from "@launch-registry/domain/Api"
import type { Unauthenticated } from "@launch-registry/domain/access/AccessErrors"
import { Effect, Scope } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { AddressCapsOfServer } from "@launch-registry/http/listener/AddressCaps"
import { type Answering, answersOf } from "@launch-registry/http/answers/Answers"
import {
  type AnsweredBefore,
  answeredBefore,
  IdempotentRequests,
} from "@launch-registry/http/idempotency/IdempotentRequests"
import { checkSignedBody } from "@launch-registry/http/requests/GuardedRequest"
import { withJsonBodies } from "@launch-registry/http/requests/JsonBody"
import { type IncomingImageForm, incomingImageForm } from "./images/ImageForm.ts"
import { IpfsPlacement } from "./placement/IpfsPlacement.ts"
import { IpfsUploads } from "./IpfsUploads.ts"

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

    /**
     * The idempotency key is claimed once the form is read, because multipart boundaries differ between retries. The answer is
     * stored after the upload, not in its transaction: storing the same bytes twice stores them once.
     */
    const claimedOnceRead = <E>(
      form: IncomingImageForm,
      admitted: Effect.Effect<void, E>,
    ): IncomingImageForm<AnsweredBefore | Unauthenticated | E> => ({
      ...form,
      read: (claim) =>
        Effect.tap(form.read(claim), ({ bytes, fileName = null }) =>
          checkSignedBody(bytes).pipe(
            Effect.andThen(requests.claim(() => ({ image: imageHash(bytes), fileName }))),
            Effect.andThen(admitted),
          ),
        ),
    })

    return withJsonBodies(handlers).handleAll({
      uploadImage: Effect.fnUntraced(function* ({ payload, request }) {
        const caps = yield* AddressCapsOfServer
        const tooMany = (limit: number) => new LimitReached({ resource: "uploads", limit })
        yield* caps.hold("uploadBodies", request, tooMany)
        // Not while it is received: slow senders take no places of others behind the same proxy.
        const admitted = Scope.provide(caps.hold("uploads", request, tooMany), yield* Effect.scope)
        const form = incomingImageForm(request, payload, caps.callerOfRequest(request))
        const upload = yield* uploads.uploadImage(claimedOnceRead(form, admitted))
        const { backend, cid, contentType, fileName = null, sizeBytes, uri } = upload
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
