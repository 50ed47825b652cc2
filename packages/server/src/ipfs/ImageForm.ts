import { IMAGE_BYTES_MAX } from "@launch-registry/domain/ipfs/IpfsApi"
import { ImageTooLarge, InvalidUpload } from "@launch-registry/domain/ipfs/IpfsErrors"
import { Effect, Stream } from "effect"
import { Multipart } from "effect/http"

/** The form of an image upload, read. */
export interface ImageForm {
  readonly bytes: Uint8Array
  readonly fileName: string | undefined
}

const invalid = (path: string, message: string) => new InvalidUpload({ issues: [{ path: `body.${path}`, message }] })

/** Reads exactly one file `image` and an optional field `fileName`; limits hold while the body comes in. */
export const readImageForm = (
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
        } else if (part.key === "fileName") fileName = part.value
        else return yield* invalid(part.key, "expected image to be a file, and no field but fileName")
      }),
    )
    if (bytes === undefined) return yield* invalid("image", "is required: the file to upload")
    if (bytes.length === 0) return yield* invalid("image", "expected a file that is not empty")
    return { bytes, fileName }
  }).pipe(Effect.catchTag("MultipartError", (error) => Effect.fail(formFault(error))))

const formFault = ({ reason }: Multipart.MultipartError): ImageTooLarge | InvalidUpload => {
  if (reason._tag === "FileTooLarge" || reason._tag === "BodyTooLarge")
    return new ImageTooLarge({ limitBytes: IMAGE_BYTES_MAX })
  if (reason._tag === "TooManyParts") return invalid("image", "expected one file and at most one field")
  if (reason._tag === "FieldTooLarge") return invalid("fileName", "expected at most 1024 bytes")
  return invalid("image", "expected a well-formed multipart/form-data body")
}
