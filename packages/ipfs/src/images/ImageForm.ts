import type { Busy } from "@launch-registry/domain/http/LimitErrors"
import { RequestTimeout } from "@launch-registry/domain/http/LimitErrors"
import { InvalidRequest, BodyTooLarge } from "@launch-registry/domain/http/RequestErrors"
import { FORM_BYTES_MAX, IMAGE_BYTES_MAX, ImageUpload } from "@launch-registry/domain/ipfs/IpfsApi"
import { Effect, Stream } from "effect"
import { type HttpServerRequest, Multipart } from "effect/http"
import { type KnownNames, unknownName } from "@launch-registry/http/requests/UnknownNames"
import type { ClaimBytes } from "./UploadMemory.ts"

/** Time limit of a body: enough for the largest image at 1 Mbit/s. */
export const BODY_SECONDS_MAX = 130

export const tooSlow = () => new RequestTimeout()

/** The form of an image upload. */
export interface ImageForm {
  readonly bytes: Uint8Array
  readonly fileName: string | undefined
}

/** The form of an image upload before its body is read. */
export interface IncomingImageForm<E = never> {
  /** Whose upload it is: the address. */
  readonly caller: string
  /** Content-Length; `undefined` for a chunked body. */
  readonly announcedBytes: number | undefined
  /** Reads the body, claiming memory for what arrives. */
  readonly read: (claim: ClaimBytes) => Effect.Effect<ImageForm, FormFault | E>
}

/** Why a form could not be read. */
type FormFault = InvalidRequest | BodyTooLarge | Busy | RequestTimeout

/** `field`: the empty string for a part without a name. */
const invalid = (field: string, message: string) => InvalidRequest.at(field === "" ? "body" : `body.${field}`, message)

/** The declared parts of the form. */
const PARTS = Object.keys(ImageUpload.fields)

const unknownPart = (name: string, names: Pick<KnownNames, "known" | "of">) =>
  new InvalidRequest({ issues: [unknownName("body", name, names)] })

/** The form of a request. */
export const incomingImageForm = (
  request: HttpServerRequest.HttpServerRequest,
  parts: Stream.Stream<Multipart.Part, Multipart.MultipartError>,
  caller: string,
): IncomingImageForm => {
  const length = request.headers["content-length"]
  return {
    caller,
    announcedBytes: length === undefined ? undefined : Number(length),
    read: (claim) => readImageForm(parts, claim),
  }
}

/**
 * Reads exactly one file `image` and an optional field `fileName`, enforcing limits as the body arrives. It reads to the end of
 * the form, because only that proves that the body was not cut off.
 */
const readImageForm = (
  parts: Stream.Stream<Multipart.Part, Multipart.MultipartError>,
  claim: ClaimBytes,
): Effect.Effect<ImageForm, FormFault> =>
  Effect.gen(function* () {
    const readFile = Effect.fnUntraced(function* (file: Multipart.File) {
      // Grows in place: a body of one-byte pieces takes no more memory than another.
      const content = new ArrayBuffer(0, { maxByteLength: FORM_BYTES_MAX })
      yield* Stream.runForEach(file.content, (piece) =>
        Effect.andThen(
          claim(piece.length),
          Effect.sync(() => {
            const { byteLength } = content
            content.resize(byteLength + piece.length)
            new Uint8Array(content).set(piece, byteLength)
          }),
        ),
      )
      return new Uint8Array(content.transferToFixedLength())
    })
    let bytes: Uint8Array | undefined
    let fileName: string | undefined
    yield* Stream.runForEach(parts, (part) =>
      Effect.gen(function* () {
        if (Multipart.isFile(part)) {
          if (part.key === "fileName") return yield* invalid(part.key, "expected a field, not a file")
          if (part.key !== "image") return yield* unknownPart(part.key, { known: ["image"], of: "file" })
          if (bytes !== undefined) return yield* invalid("image", "expected a single file")
          bytes = yield* readFile(part)
        } else if (part.key === "image") return yield* invalid(part.key, "expected a file, not a field")
        else if (part.key !== "fileName") {
          return yield* unknownPart(part.key, { known: PARTS, of: "form" })
        } else if (fileName !== undefined) return yield* invalid("fileName", "expected a single field")
        else fileName = part.value
      }),
    )
    if (bytes === undefined) return yield* invalid("image", "is required: the file to upload")
    if (bytes.length === 0) return yield* invalid("image", "expected a file that is not empty")
    // The limits of the form include the headers of its parts.
    if (bytes.length > IMAGE_BYTES_MAX) return yield* new BodyTooLarge({ limitBytes: IMAGE_BYTES_MAX })
    return { bytes, fileName }
  }).pipe(Effect.catchTag("MultipartError", (error) => Effect.fail(formFault(error))))

const formFault = ({ reason }: Multipart.MultipartError): BodyTooLarge | InvalidRequest => {
  if (reason._tag === "FileTooLarge" || reason._tag === "BodyTooLarge")
    return new BodyTooLarge({ limitBytes: IMAGE_BYTES_MAX })
  if (reason._tag === "TooManyParts") return invalid("image", "expected one file and at most one field")
  if (reason._tag === "FieldTooLarge") return invalid("fileName", "expected at most 1024 bytes")
  return invalid("image", "expected a well-formed multipart/form-data body")
}
