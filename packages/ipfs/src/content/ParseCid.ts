import { base10 } from "multiformats/bases/base10"
import { base16, base16upper } from "multiformats/bases/base16"
import { base32, base32upper } from "multiformats/bases/base32"
import { base36, base36upper } from "multiformats/bases/base36"
import { base58btc } from "multiformats/bases/base58"
import { base64, base64pad, base64url, base64urlpad } from "multiformats/bases/base64"
import { base8 } from "multiformats/bases/base8"
import { CID } from "multiformats/cid"

/** The bases that a CID is read in. */
export const CID_BASES = [
  ...[base8, base10, base16, base16upper, base32, base32upper, base36, base36upper, base58btc],
  ...[base64, base64pad, base64url, base64urlpad],
] as const

const DECODERS = Object.fromEntries(CID_BASES.map((base) => [base.prefix as string, base.decoder]))

/** A CID in any base; `undefined` if the text is not a CID. Version 0 becomes version 1, so that equal content has equal CIDs. */
export const parseCid = (text: string): CID | undefined => {
  try {
    return CID.parse(text, DECODERS[text.slice(0, 1)]).toV1()
  } catch {
    return undefined
  }
}
