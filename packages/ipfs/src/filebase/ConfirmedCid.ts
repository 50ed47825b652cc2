import { base16, base16upper } from "multiformats/bases/base16"
import { base32, base32upper } from "multiformats/bases/base32"
import { base36, base36upper } from "multiformats/bases/base36"
import { base58btc } from "multiformats/bases/base58"
import { base64, base64url } from "multiformats/bases/base64"
import { CID } from "multiformats/cid"
import { equals } from "multiformats/hashes/digest"

const anyBase = base58btc.decoder
  .or(base32)
  .or(base32upper)
  .or(base36)
  .or(base36upper)
  .or(base16)
  .or(base16upper)
  .or(base64)
  .or(base64url)

/** A CID of either version in any usual base; `undefined` when the text is none. */
export const parseCid = (text: string): CID | undefined => {
  try {
    return CID.parse(text.trim(), anyBase)
  } catch {
    return undefined
  }
}

/**
 * Whether two CIDs name the same block read the same way: codec and multihash, whatever the version and the base they
 * are written in.
 */
export const isSameContent = (left: CID, right: CID): boolean =>
  left.code === right.code && equals(left.multihash, right.multihash)
