import { StoredImages } from "@launch-registry/domain/ipfs/StoredImages"
import { Effect, Layer, Option } from "effect"
import { CID } from "multiformats/cid"
import { leavesOf } from "../content/Dag.ts"
import { IpfsContent } from "../content/IpfsContent.ts"
import { cidOf } from "../content/MetadataDocument.ts"
import { squareOf } from "./ImageDecoder.ts"

/** Of images at our gateway (`<gatewayUrl>/<cid>`) or as `ipfs://<cid>`. */
export const storedImages = ({ gatewayUrl }: { readonly gatewayUrl: string }) =>
  Layer.effect(
    StoredImages,
    Effect.gen(function* () {
      const content = yield* IpfsContent

      /** The bytes of a file; none if a block is missing. */
      const bytesOf = Effect.fnUntraced(function* (cid: string, rootBytes: Uint8Array) {
        const leaves = leavesOf({ cid: CID.parse(cid), bytes: rootBytes })
        if (leaves.length === 0) return Option.some(rootBytes)
        const blocks = yield* Effect.forEach(leaves, (leaf) => content.readBlock(leaf.cid))
        return Option.map(Option.all(blocks), (all) => Buffer.concat(all.map(({ bytes }) => bytes)))
      })

      const square = Effect.fn("StoredImages.square")(function* (uri: string, sidePixels: number) {
        const cid = cidOf(uri, gatewayUrl)
        const file = cid === undefined ? Option.none() : yield* content.find(cid)
        if (Option.isNone(file) || !file.value.contentType.startsWith("image/")) return Option.none()
        const bytes = yield* bytesOf(file.value.cid, file.value.rootBytes)
        if (Option.isNone(bytes)) return Option.none()
        return yield* Effect.option(Effect.tryPromise(() => squareOf(bytes.value, sidePixels)))
      })

      return StoredImages.of({ square })
    }),
  )
