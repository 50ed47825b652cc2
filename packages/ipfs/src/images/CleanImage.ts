import { InvalidRequest } from "@launch-registry/domain/http/RequestErrors"
import { Result } from "effect"

/** An image without metadata, and its size by its headers. */
export interface CleanImage {
  readonly bytes: Uint8Array
  readonly widthPixels: number
  readonly heightPixels: number
  /** 1 without an animation. */
  readonly frames: number
  /** Memory for decoding every pixel, estimated from the headers: what decoders hold whole, and the pixels read. */
  readonly decodeBytes: number
}

/** A cleaned image, whose structure is sound, or why it is not. */
export type Cleaning = Result.Result<CleanImage, InvalidRequest>

export const unsound = (reason: string): Result.Result<never, InvalidRequest> =>
  Result.fail(InvalidRequest.at("body.image", reason))

export const TRUNCATED = "it ends before its end"
