import { type Case, conformance } from "./Conformance.ts"

const METHODS = /GET.*HEAD.*OPTIONS/
const HEADERS = /Content-Type.*Range.*User-Agent.*X-Requested-With/
const EXPOSED = /Content-Range.*Content-Length.*X-Ipfs-Path.*X-Ipfs-Roots.*X-Chunked-Output.*X-Stream-Output/

const allowed = () => ({
  "access-control-allow-origin": "*",
  "access-control-allow-methods": METHODS,
  "access-control-allow-headers": HEADERS,
  "access-control-expose-headers": EXPOSED,
})

const CASES: ReadonlyArray<Case> = [
  {
    name: "scripts of any origin may read what GET answers",
    path: ({ ascii }) => `/ipfs/${ascii.cid}/`,
    asking: () => ({ headers: { origin: "https://example.com" } }),
    status: 200,
    headers: allowed,
  },
  {
    name: "OPTIONS allows it to them",
    path: ({ ascii }) => `/ipfs/${ascii.cid}/`,
    asking: () => ({ method: "OPTIONS", headers: { origin: "https://example.com" } }),
    status: 204,
    headers: allowed,
  },
  {
    name: "scripts may read errors as well",
    path: () => "/ipfs/not-a-cid",
    status: 400,
    headers: () => ({ "access-control-allow-origin": "*" }),
  },
]

conformance("path_gateway_cors", CASES)
