import * as dagPb from "@ipld/dag-pb"
import { CID } from "multiformats/cid"
import * as raw from "multiformats/codecs/raw"
import { CID_BASES, parseCid } from "./ParseCid.ts"

/** What stands between words in which there may be a CID. */
const SEPARATOR = /(?:%[0-9A-Fa-f]{2}|[^\w-])+/
/** Of CIDs with a hash of 32 bytes: version 0, and base8 with room to spare. Reading base58 takes quadratic time. */
const CID_LENGTH_MIN = 46
const CID_LENGTH_MAX = 128

/** The CIDs of the same bytes, in version 1 and base32: a CID with the other codec means them as well. */
export const sameBytes = (cid: string): ReadonlyArray<string> => {
  const { multihash } = CID.parse(cid)
  return [raw.code, dagPb.code].map((codec) => CID.createV1(codec, multihash).toString())
}

/** Every way to write a CID as one word of a URI. */
export const namesOf = (cid: string): ReadonlyArray<string> => {
  const { multihash } = CID.parse(cid)
  const inBases = sameBytes(cid).flatMap((same) => CID_BASES.map(({ encoder }) => CID.parse(same).toString(encoder)))
  // Padded base64 and that of other characters than base64url is no word.
  return [CID.createV0(multihash as never).toString(), ...inBases.filter((name) => !SEPARATOR.test(name))]
}

/** The CIDs that a text names, in version 1 and base32. */
export const cidsIn = (text: string): ReadonlyArray<string> => {
  const words = text.split(SEPARATOR).filter(({ length }) => length >= CID_LENGTH_MIN && length <= CID_LENGTH_MAX)
  const cids = words.flatMap((word) => parseCid(word) ?? [])
  return [...new Set(cids.map((cid) => cid.toString()))]
}
