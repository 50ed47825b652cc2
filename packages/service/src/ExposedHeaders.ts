import type { AccessOptions } from "@launch-registry/server/access/AccessOptions"
import { REPLAYED_HEADER } from "@launch-registry/http/idempotency/StoredResponse"
import { POSITION_HEADER } from "@launch-registry/http/replicas/ReadFromReplicas"
import { GATEWAY_CORS } from "@launch-registry/ipfs/gateway/GatewayHeaders"

/** Headers that pages of other origins may read. */
export const exposedHeaders = ({ writeAuth }: AccessOptions): ReadonlyArray<string> => [
  ...["x-request-id", "retry-after", "allow", "location", REPLAYED_HEADER, POSITION_HEADER],
  ...GATEWAY_CORS.exposedHeaders,
  ...(writeAuth.length > 0 ? ["www-authenticate"] : []),
]

/** Prefix of paths that pages of all origins may read. */
export const OPEN_PREFIX = "/ipfs/"

/** Whether a path is for operators and their probes alone: no page of another origin may read it. */
export const isForOperators = (path: string): boolean =>
  path === "/metrics" || path === "/livez" || path === "/readyz" || path.startsWith("/api/system/")
