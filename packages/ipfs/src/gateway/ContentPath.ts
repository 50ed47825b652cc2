import type { CID } from "multiformats/cid"
import { parseCid } from "../ParseCid.ts"

/** What `/ipfs/<cid>[/path]` names. */
export interface ContentPath {
  /** Version 1, with the codec of the request. */
  readonly cid: CID
  /** The CID in base32: the key it is stored under, whichever base the request used. */
  readonly key: string
  /** The path after the CID, as `/name`; empty for the content itself, with or without a trailing slash. */
  readonly below: string
}

/** Reads the route's parameters; `undefined` if the first is not a CID. */
export const contentPathOf = (cidText: string, rest: string): ContentPath | undefined => {
  const cid = parseCid(cidText)
  if (cid === undefined) return undefined
  return { cid, key: cid.toString(), below: rest === "" ? "" : `/${rest}` }
}
