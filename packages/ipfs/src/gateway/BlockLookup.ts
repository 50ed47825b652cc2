import * as dagPb from "@ipld/dag-pb"
import { Effect, Option } from "effect"
import { CID } from "multiformats/cid"
import * as raw from "multiformats/codecs/raw"

/** Codes of hashes: the bytes themselves, and the one that everything stored here is named by. */
const IDENTITY = 0x00
const SHA2_256 = 0x12

type FindBlock = (key: string) => Effect.Effect<Option.Option<Uint8Array>>

const none = Effect.succeed(Option.none<Uint8Array>())

export const isIdentity = (cid: CID): boolean => cid.multihash.code === IDENTITY

/**
 * The block that a CID names, whatever codec it names with it: the same bytes have the same hash. A CID that holds its bytes itself
 * names them; clients probe gateways with the empty one.
 */
export const findBlock = (find: FindBlock, cid: CID): Effect.Effect<Option.Option<Uint8Array>> => {
  if (isIdentity(cid)) return Effect.succeedSome(cid.multihash.digest)
  if (cid.multihash.code !== SHA2_256) return none
  const [first, second] = cid.code === dagPb.code ? [dagPb.code, raw.code] : [raw.code, dagPb.code]
  const findAs = (codec: number) => find(CID.createV1(codec, cid.multihash).toString())
  return Effect.flatMap(findAs(first), (found) => (Option.isSome(found) ? Effect.succeed(found) : findAs(second)))
}

/** The root block of a DAG: the codec tells whether it links others, so it has to be the one it was stored with, or raw. */
export const findRoot = (find: FindBlock, cid: CID): Effect.Effect<Option.Option<Uint8Array>> => {
  if (cid.code === raw.code || isIdentity(cid)) return findBlock(find, cid)
  return cid.code === dagPb.code && cid.multihash.code === SHA2_256 ? find(cid.toString()) : none
}
