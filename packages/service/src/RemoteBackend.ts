import { filebaseBackend } from "@launch-registry/ipfs/filebase/FilebaseBackend"
import { w3upBackend } from "@launch-registry/ipfs/w3up/W3upBackend"
import { Effect } from "effect"
import type { IpfsSettings } from "./IpfsSettings.ts"

/** The configured remote backend. Only the packages of w3up can validate its credentials. */
export const remoteBackend = Effect.fn("remoteBackend")(function* ({ filebase, w3up }: IpfsSettings) {
  if (w3up !== undefined) return yield* w3upBackend(w3up)
  return filebase && filebaseBackend(filebase)
})
