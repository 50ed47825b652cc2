import { assert } from "@effect/vitest"
import { CID } from "multiformats/cid"
import { base16 } from "multiformats/bases/base16"
import { base36 } from "multiformats/bases/base36"
import { base58btc } from "multiformats/bases/base58"
import { base64url } from "multiformats/bases/base64"
import { type Case, conformance } from "./Conformance.ts"
import { type Fixtures, UNKNOWN_CID } from "./Fixtures.ts"

const file = ({ ascii }: Fixtures) => `/ipfs/${ascii.cid}`

const codeOf = (code: string): NonNullable<Case["check"]> => {
  return ({ body }) => {
    if (body.length > 0) assert.strictEqual(JSON.parse(body.toString()).code, code)
  }
}

/** The same file under spellings of its CID. */
const spelled = (name: string, spell: (cid: CID) => string): Case => ({
  name: `a CID ${name} names the same file, under the same tag`,
  path: ({ multiblock }) => `/ipfs/${spell(CID.parse(multiblock.cid))}`,
  status: 200,
  headers: ({ multiblock }) => ({
    etag: `"${multiblock.cid}"`,
    "x-ipfs-roots": multiblock.cid,
    "x-ipfs-path": `/ipfs/${spell(CID.parse(multiblock.cid))}`,
  }),
  body: ({ multiblock }) => multiblock.bytes,
})

const notAgain = (name: string, tag: (cid: string) => string): Case => ({
  name: `${name} in If-None-Match: not modified`,
  path: file,
  asking: ({ ascii }) => ({ headers: { "if-none-match": tag(ascii.cid) } }),
  status: 304,
  headers: ({ ascii }) => ({ etag: `"${ascii.cid}"`, "cache-control": /immutable/, vary: "Accept" }),
  body: () => new Uint8Array(),
})

const onlyIfCached = (method: string, path: Case["path"], status: number, where: string): Case => ({
  name: `${method} with only-if-cached for content that is ${where}`,
  path,
  asking: () => ({ method, headers: { "cache-control": "only-if-cached" } }),
  status,
  ...(status === 412 && { check: codeOf("content_not_cached") }),
})

const unknown = () => `/ipfs/${UNKNOWN_CID}`

const CACHE: ReadonlyArray<Case> = [
  {
    name: "a file may be cached for ever and comes with the type it was stored with, sandboxed",
    path: file,
    status: 200,
    headers: ({ ascii }) => ({
      "cache-control": "public, max-age=29030400, immutable",
      "x-ipfs-path": `/ipfs/${ascii.cid}`,
      "x-ipfs-roots": ascii.cid,
      etag: `"${ascii.cid}"`,
      "content-type": "image/gif",
      "content-length": "31",
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
    }),
    body: ({ ascii }) => ascii.bytes,
  },
  {
    name: "a slash behind the CID changes nothing",
    path: (fixtures) => `${file(fixtures)}/`,
    status: 200,
    headers: ({ ascii }) => ({ "x-ipfs-path": `/ipfs/${ascii.cid}/`, etag: `"${ascii.cid}"` }),
    body: ({ ascii }) => ascii.bytes,
  },
  {
    name: "a query is no part of the path",
    path: ({ ascii }) => `/ipfs/${ascii.cid}?a=b?c`,
    status: 200,
    headers: ({ ascii }) => ({ "x-ipfs-path": `/ipfs/${ascii.cid}` }),
  },
  {
    name: "slashes that stand twice make another path",
    path: ({ ascii }) => `//ipfs//${ascii.cid}`,
    // The answer contains the method, so HEAD differs.
    asking: () => ({ method: "GET" }),
    status: 404,
    check: codeOf("route_not_found"),
  },
  {
    name: "parameters of a CAR mean nothing to a file",
    path: (fixtures) => `${file(fixtures)}?car-version=2&dag-scope=tree&entity-bytes=9:4`,
    status: 200,
    body: ({ ascii }) => ascii.bytes,
  },
  {
    name: "below a file there is nothing",
    path: (fixtures) => `${file(fixtures)}/i-do-not-exist`,
    status: 404,
    check: codeOf("not_found"),
  },
  spelled("of version 0", (cid) => cid.toV0().toString()),
  spelled("in base 16", (cid) => cid.toString(base16.encoder)),
  spelled("in base 36", (cid) => cid.toString(base36.encoder)),
  spelled("in base 58", (cid) => cid.toString(base58btc.encoder)),
  spelled("in base 64", (cid) => cid.toString(base64url.encoder)),
  onlyIfCached("HEAD", file, 200, "here"),
  onlyIfCached("GET", file, 200, "here"),
  onlyIfCached("HEAD", unknown, 412, "not here"),
  onlyIfCached("GET", unknown, 412, "not here"),
  onlyIfCached("GET", () => `${unknown()}?format=car`, 412, "not here, as a CAR"),
  { name: "unknown content is not found", path: unknown, status: 404, check: codeOf("not_found") },
  {
    name: "an identity CID is nothing that was stored here",
    path: () => "/ipfs/bafkqabtimvwgy3yk",
    status: 404,
    check: codeOf("not_found"),
  },
  { name: "a CID that is none", path: () => "/ipfs/bafybroken", status: 400, check: codeOf("invalid_request") },
  {
    name: "a script for a service worker is refused",
    path: file,
    asking: () => ({ headers: { "service-worker": "script" } }),
    status: 400,
  },
  notAgain("the tag", (cid) => `"${cid}"`),
  notAgain("the third tag of a list", (cid) => `"fakeEtag1", "fakeEtag2", "${cid}"`),
  notAgain("the weak tag", (cid) => `W/"${cid}"`),
  notAgain("any tag", () => "*"),
  {
    name: "another tag in If-None-Match: sent",
    path: file,
    asking: () => ({ headers: { "if-none-match": '"another"' } }),
    status: 200,
    body: ({ ascii }) => ascii.bytes,
  },
]

const ranged = (
  name: string,
  of: "ascii" | "multiblock" | "large",
  range: string,
  start: number,
  end: number,
): Case => ({
  name,
  path: (fixtures) => `/ipfs/${fixtures[of].cid}`,
  asking: () => ({ headers: { range } }),
  status: 206,
  headers: (fixtures) => ({
    "content-range": `bytes ${start}-${end}/${fixtures[of].bytes.length}`,
    "content-length": String(end - start + 1),
    etag: `"${fixtures[of].cid}"`,
    "accept-ranges": "bytes",
  }),
  body: (fixtures) => fixtures[of].bytes.subarray(start, end + 1),
})

const whole = (name: string, method: string, headers: Readonly<Record<string, string>>): Case => ({
  name,
  path: file,
  asking: () => ({ method, headers }),
  status: 200,
  headers: () => ({ "content-length": "31", "accept-ranges": "bytes" }),
})

const MIB = 1_048_576

const RANGES: ReadonlyArray<Case> = [
  whole("a file says that it can be had in ranges", "GET", {}),
  ranged("a single range", "ascii", "bytes=6-16", 6, 16),
  ranged("a suffix", "ascii", "bytes=-3", 28, 30),
  ranged("a suffix longer than the file", "ascii", "bytes=-99", 0, 30),
  ranged("of several ranges, the first one", "ascii", "bytes=6-16,0-4", 6, 16),
  ranged("of several ranges, the first that can be satisfied", "ascii", "bytes=90-99, 0-4", 0, 4),
  ranged("a range within one block of many", "multiblock", "bytes=997-1000", 997, 1000),
  ranged("a range over blocks", "multiblock", "bytes=250-1025", 250, 1025),
  ranged("a range over the border of blocks of 1 MiB", "large", `bytes=${MIB - 6}-${MIB + 9}`, MIB - 6, MIB + 9),
  ranged("an open range to the last block", "large", `bytes=${2 * MIB - 1}-`, 2 * MIB - 1, 2 * MIB + 6),
  whole("a reversed range is ignored", "GET", { range: "bytes=9-4" }),
  whole("a range in another unit is ignored", "GET", { range: "items=0-4" }),
  whole("a range of another representation is ignored", "GET", { range: "bytes=0-4", "if-range": '"another"' }),
  whole("HEAD knows no ranges", "HEAD", { range: "bytes=0-4" }),
  {
    name: "If-Range with the tag of the file leaves the range",
    path: file,
    asking: ({ ascii }) => ({ headers: { range: "bytes=0-4", "if-range": `"${ascii.cid}"` } }),
    status: 206,
    body: ({ ascii }) => ascii.bytes.subarray(0, 5),
  },
]

const FORMATS: ReadonlyArray<Case> = [
  ...["tar", "dag-json", "dag-cbor", "cbor", "ipns-record", "json"].map((format): Case => ({
    name: `format=${format} is not acceptable for an image`,
    path: (fixtures) => `${file(fixtures)}?format=${format}`,
    status: 406,
    headers: () => ({ vary: "Accept" }),
    check: codeOf("format_not_acceptable"),
  })),
  {
    name: "format=json answers a file that was stored as JSON",
    path: ({ document }) => `/ipfs/${document.cid}?format=json`,
    status: 200,
    headers: ({ document }) => ({ "content-type": "application/json", etag: `"${document.cid}"` }),
    body: ({ document }) => document.bytes,
  },
  {
    name: "Accept: application/x-tar alone is not acceptable",
    path: file,
    asking: () => ({ headers: { accept: "application/x-tar" } }),
    status: 406,
  },
  {
    name: "what a browser accepts gets the file",
    path: file,
    asking: () => ({ headers: { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" } }),
    status: 200,
    body: ({ ascii }) => ascii.bytes,
  },
  { name: "a format that is none", path: (fixtures) => `${file(fixtures)}?format=zip`, status: 400 },
]

conformance("path_gateway_unixfs: cache", CACHE)
conformance("path_gateway_unixfs: ranges", RANGES)
conformance("path_gateway_unixfs: formats", FORMATS)
