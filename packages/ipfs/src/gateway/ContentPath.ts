import { base10 } from "multiformats/bases/base10"
import { base16, base16upper } from "multiformats/bases/base16"
import { base32upper } from "multiformats/bases/base32"
import { base36upper } from "multiformats/bases/base36"
import { base64, base64pad, base64url, base64urlpad } from "multiformats/bases/base64"
import { base8 } from "multiformats/bases/base8"
import { CID } from "multiformats/cid"

/** The bases that `CID.parse` does not know by itself, by their prefixes. */
const BASES = Object.fromEntries(
  [base8, base10, base16, base16upper, base32upper, base36upper, base64, base64pad, base64url, base64urlpad].map(
    (base) => [base.prefix as string, base.decoder],
  ),
)

const parseCid = (text: string): CID | undefined => {
  try {
    return CID.parse(text, BASES[text.slice(0, 1)])
  } catch {
    return undefined
  }
}

/** What `/ipfs/<cid>[/path]` names. */
export interface ContentPath {
  /** In version 1, with the codec that was asked for. */
  readonly cid: CID
  /** The CID in version 1 and base32: how it is stored, whichever spelling was asked for. */
  readonly key: string
  /** What follows the CID, as `/name`; empty for the content itself, with or without one slash behind it. */
  readonly below: string
}

/** Reads the parameters of the route; `undefined` when the first is no CID. */
export const contentPathOf = (cidText: string, rest: string): ContentPath | undefined => {
  const cid = parseCid(cidText)?.toV1()
  if (cid === undefined) return undefined
  return { cid, key: cid.toString(), below: rest === "" ? "" : `/${rest}` }
}
