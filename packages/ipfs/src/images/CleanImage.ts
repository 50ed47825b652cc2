import { InvalidImage } from "@launch-registry/domain/ipfs/IpfsErrors"
import { Result } from "effect"

/** An image without what cameras and editors wrote beside the picture, and what its headers say of its size. */
export interface CleanImage {
  readonly bytes: Uint8Array
  readonly widthPixels: number
  readonly heightPixels: number
  /** 1 for a picture that does not move. */
  readonly frames: number
  /** Memory that decoding every pixel takes, estimated from the headers: what decoders keep whole, and the pixels read. */
  readonly decodeBytes: number
}

/** What cleaning an image gives: its structure is sound from the first to the last byte kept, or the reason why not. */
export type Cleaning = Result.Result<CleanImage, InvalidImage>

/** `reason` follows "The image cannot be used: ". */
export const unsound = (reason: string): Result.Result<never, InvalidImage> => Result.fail(new InvalidImage({ reason }))

export const TRUNCATED = "it ends before its end"
