import * as dagPb from "@ipld/dag-pb"
import { Effect, Option } from "effect"
import { CID } from "multiformats/cid"
import * as raw from "multiformats/codecs/raw"
import { SHA2_256 } from "../Dag.ts"

/** Multihash code of a CID that contains its bytes. */
const IDENTITY = 0x00

type FindBlock = (key: string) => Effect.Effect<Option.Option<Uint8Array>>

const none = Effect.succeed(Option.none<Uint8Array>())

export const isIdentity = (cid: CID): boolean => cid.multihash.code === IDENTITY

/**
 * The block with the hash of a CID, whichever codec the CID has. An identity CID contains its bytes; clients probe gateways with the
 * empty one.
 */
export const findBlock = (find: FindBlock, cid: CID): Effect.Effect<Option.Option<Uint8Array>> => {
  if (isIdentity(cid)) return Effect.succeedSome(cid.multihash.digest)
  if (cid.multihash.code !== SHA2_256) return none
  const [first, second] = cid.code === dagPb.code ? [dagPb.code, raw.code] : [raw.code, dagPb.code]
  const findAs = (codec: number) => find(CID.createV1(codec, cid.multihash).toString())
  return Effect.flatMap(findAs(first), (found) => (Option.isSome(found) ? Effect.succeed(found) : findAs(second)))
}

/** The root block of a DAG. The codec decides whether it has links, so it must be the stored one, or raw. */
export const findRoot = (find: FindBlock, cid: CID): Effect.Effect<Option.Option<Uint8Array>> => {
  if (cid.code === raw.code || isIdentity(cid)) return findBlock(find, cid)
  return cid.code === dagPb.code && cid.multihash.code === SHA2_256 ? find(cid.toString()) : none
}
