import { Context } from "effect"

/** Paths where a GET becomes a WebSocket; anywhere else a request for an upgrade is answered as HTTP. */
export const UpgradedPathsOfServer = Context.Reference<ReadonlySet<string>>(
  "@launch-registry/http/listener/UpgradedPaths",
  { defaultValue: () => new Set() },
)
