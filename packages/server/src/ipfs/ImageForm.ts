import { IMAGE_BYTES_MAX } from "@launch-registry/domain/ipfs/IpfsApi"
import { ImageTooLarge, InvalidUpload } from "@launch-registry/domain/ipfs/IpfsErrors"
import { Effect, Stream } from "effect"
import { type HttpServerRequest, Multipart } from "effect/http"

/** The form of an image upload, read. */
export interface ImageForm {
  readonly bytes: Uint8Array
  readonly fileName: string | undefined
}

/** The form of an image upload that is still to come. */
export interface IncomingImageForm {
  /** Length of the body by its header; unknown when it comes in chunks. */
  readonly announcedBytes: number | undefined
  /** Reads the body. Nothing of it is in memory before. */
  readonly read: Effect.Effect<ImageForm, InvalidUpload | ImageTooLarge>
}

/** `field`: the empty string for a part without a name. */
const invalid = (field: string, message: string) =>
  new InvalidUpload({ issues: [{ path: field === "" ? "body" : `body.${field}`, message }] })

/** The form that a request brings. */
export const incomingImageForm = (
  request: HttpServerRequest.HttpServerRequest,
  parts: Stream.Stream<Multipart.Part, Multipart.MultipartError>,
): IncomingImageForm => {
  const length = request.headers["content-length"]
  return { announcedBytes: length === undefined ? undefined : Number(length), read: readImageForm(parts) }
}

/**
 * Reads exactly one file `image` and an optional field `fileName`; limits hold while the body comes in. It reads to the
 * end of the form even when it has the file: a part ends the same way whether its body was whole or cut off, and only the
 * end of the form tells which.
 */
const readImageForm = (
  parts: Stream.Stream<Multipart.Part, Multipart.MultipartError>,
): Effect.Effect<ImageForm, InvalidUpload | ImageTooLarge> =>
  Effect.gen(function* () {
    let bytes: Uint8Array | undefined
    let fileName: string | undefined
    yield* Stream.runForEach(parts, (part) =>
      Effect.gen(function* () {
        if (Multipart.isFile(part)) {
          if (part.key !== "image") return yield* invalid(part.key, "expected the file under the name image")
          if (bytes !== undefined) return yield* invalid("image", "expected a single file")
          bytes = yield* part.contentEffect
        } else if (part.key !== "fileName") {
          return yield* invalid(part.key, "expected image to be a file, and no field but fileName")
        } else if (fileName !== undefined) return yield* invalid("fileName", "expected a single field")
        else fileName = part.value
      }),
    )
    if (bytes === undefined) return yield* invalid("image", "is required: the file to upload")
    if (bytes.length === 0) return yield* invalid("image", "expected a file that is not empty")
    // The limits of the form leave room for the headers of its parts.
    if (bytes.length > IMAGE_BYTES_MAX) return yield* new ImageTooLarge({ limitBytes: IMAGE_BYTES_MAX })
    return { bytes, fileName }
  }).pipe(Effect.catchTag("MultipartError", (error) => Effect.fail(formFault(error))))

const formFault = ({ reason }: Multipart.MultipartError): ImageTooLarge | InvalidUpload => {
  if (reason._tag === "FileTooLarge" || reason._tag === "BodyTooLarge")
    return new ImageTooLarge({ limitBytes: IMAGE_BYTES_MAX })
  if (reason._tag === "TooManyParts") return invalid("image", "expected one file and at most one field")
  if (reason._tag === "FieldTooLarge") return invalid("fileName", "expected at most 1024 bytes")
  return invalid("image", "expected a well-formed multipart/form-data body")
}
