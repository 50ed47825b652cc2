import { Context, type Effect, type Option } from "effect"

/** Images that were uploaded here, for pictures that the service draws. Implemented by ipfs, used by the server. */
export class StoredImages extends Context.Service<
  StoredImages,
  {
    /**
     * The first frame of the image at a URI, cut to a square: RGBA, four bytes a pixel. None where no image is stored here under it: nothing is
     * fetched.
     */
    readonly square: (uri: string, sidePixels: number) => Effect.Effect<Option.Option<Uint8Array>>
  }
>()("@launch-registry/domain/ipfs/StoredImages") {}
