import type { IpfsBackend } from "@launch-registry/ipfs/backends/IpfsBackend"
import { filebaseBackend } from "@launch-registry/ipfs/filebase/FilebaseBackend"
import { w3upBackend } from "@launch-registry/ipfs/w3up/W3upBackend"
import { Effect } from "effect"
import type { IpfsSettings } from "./IpfsSettings.ts"

/** The configured remote backends. Only the packages of w3up can validate its credentials. */
export const ipfsBackends = Effect.fn("ipfsBackends")(function* ({ filebase, w3up }: IpfsSettings) {
  const backends: Array<IpfsBackend> = []
  if (filebase !== undefined) backends.push(filebaseBackend(filebase))
  if (w3up !== undefined) backends.push(yield* w3upBackend(w3up))
  return backends
})
