import { type Busy, RequestTimeout } from "@launch-registry/domain/http/LimitErrors"
import { BodyTooLarge, InvalidRequest } from "@launch-registry/domain/http/RequestErrors"
import { FORM_BYTES_MAX, IMAGE_BYTES_MAX, ImageUpload } from "@launch-registry/domain/ipfs/IpfsApi"
import { unknownName } from "@launch-registry/http/requests/UnknownNames"
import { Effect, Stream } from "effect"
import { Multipart } from "effect/http"
import type { ClaimBytes } from "./UploadMemory.ts"

/** Time limit of a body: enough for the largest image at 1 Mbit/s. */
const BODY_MILLIS_MAX = 130_000

/** The form of an image upload. */
export interface ImageForm {
  readonly image: Uint8Array
  readonly fileName?: string
}

/** The declared parts of the form. */
const PARTS = Object.keys(ImageUpload.fields)

const invalid = (field: string, message: string) => InvalidRequest.at(`body.${field}`, message)

const readFile = Effect.fnUntraced(function* (file: Multipart.File, claim: ClaimBytes) {
  // Grows in place: a body of one-byte pieces takes no more memory than another.
  const content = new ArrayBuffer(0, { maxByteLength: FORM_BYTES_MAX })
  yield* Stream.runForEach(file.content, (piece) =>
    Effect.map(claim(piece.length), () => {
      const { byteLength } = content
      content.resize(byteLength + piece.length)
      new Uint8Array(content).set(piece, byteLength)
    }),
  )
  return new Uint8Array(content.transferToFixedLength())
})

/**
 * Reads exactly one file `image` and an optional field `fileName`, enforcing limits as the body arrives. It reads to the end of
 * the form, because only that proves that the body was not cut off.
 */
export const readImageForm = (
  parts: Stream.Stream<Multipart.Part, Multipart.MultipartError>,
  claim: ClaimBytes,
): Effect.Effect<ImageForm, InvalidRequest | BodyTooLarge | Busy | RequestTimeout> =>
  Effect.gen(function* () {
    const form: { image?: Uint8Array; fileName?: string } = {}
    const read = Effect.fnUntraced(function* (part: Multipart.Part) {
      const { key } = part
      if (key !== "image" && key !== "fileName")
        return yield* new InvalidRequest({ issues: [unknownName("body", key, { known: PARTS, of: "form" })] })
      if (key in form) return yield* invalid(key, "expected it once")
      if (Multipart.isFile(part) && key === "image") form.image = yield* readFile(part, claim)
      else if (Multipart.isField(part) && key === "fileName") form.fileName = part.value
      else return yield* invalid(key, key === "image" ? "expected a file, not a field" : "expected a field, not a file")
    })
    yield* Stream.runForEach(parts, read)
    const { image } = form
    if (image === undefined) return yield* invalid("image", "is required: the file to upload")
    if (image.length === 0) return yield* invalid("image", "expected a file that is not empty")
    // The limits of the form include the headers of its parts.
    if (image.length > IMAGE_BYTES_MAX) return yield* new BodyTooLarge({ limitBytes: IMAGE_BYTES_MAX })
    return { ...form, image }
  }).pipe(
    Effect.catchTag("MultipartError", (error) => Effect.fail(formFault(error))),
    Effect.timeoutOrElse({ duration: BODY_MILLIS_MAX, orElse: () => Effect.fail(new RequestTimeout()) }),
  )

const formFault = ({ reason }: Multipart.MultipartError): BodyTooLarge | InvalidRequest => {
  if (reason._tag === "FileTooLarge" || reason._tag === "BodyTooLarge")
    return new BodyTooLarge({ limitBytes: IMAGE_BYTES_MAX })
  if (reason._tag === "TooManyParts") return invalid("image", "expected one file and at most one field")
  if (reason._tag === "FieldTooLarge") return invalid("fileName", "expected at most 1024 bytes")
  return invalid("image", "expected a well-formed multipart/form-data body")
}
