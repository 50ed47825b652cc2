import { assert } from "@effect/vitest"
import { CID } from "multiformats/cid"
import { verifyBlock } from "./CarClient.ts"
import { type Case, conformance } from "./Conformance.ts"
import { UNKNOWN_CID } from "./Fixtures.ts"

const RAW = { accept: "application/vnd.ipld.raw" }
const DAG_PB = 0x70
const RAW_CODEC = 0x55

const ranged = (name: string, range: string, start: number, end: number): Case => ({
  name,
  path: ({ ascii }) => `/ipfs/${ascii.cid}`,
  asking: () => ({ headers: { ...RAW, range } }),
  status: 206,
  headers: () => ({
    "content-type": "application/vnd.ipld.raw",
    "content-range": `bytes ${start}-${end}/31`,
    "accept-ranges": "bytes",
  }),
  body: ({ ascii }) => ascii.bytes.subarray(start, end + 1),
})

const CASES: ReadonlyArray<Case> = [
  {
    name: "the block is what its CID says",
    path: ({ multiblock }) => `/ipfs/${multiblock.cid}?format=raw`,
    status: 200,
    check: ({ body }, { multiblock }) => verifyBlock(CID.parse(multiblock.cid), body),
  },
  {
    name: "an inner block of stored content is answered to who walks the DAG",
    path: ({ deep }) => `/ipfs/${deep.nodes[1]}`,
    asking: () => ({ headers: RAW }),
    status: 200,
    check: ({ body }, { deep }) => verifyBlock(CID.parse(deep.nodes[1]!), body),
  },
  {
    name: "a leaf of stored content is answered to who walks the DAG",
    path: ({ large }) => `/ipfs/${large.nodes.at(-1)}?format=raw`,
    status: 200,
    body: ({ large }) => large.bytes.subarray(-7),
  },
  {
    name: "a leaf is no file of its own",
    path: ({ large }) => `/ipfs/${large.nodes.at(-1)}`,
    status: 404,
  },
  {
    name: "a linking block is answered under the codec of bytes as well",
    path: ({ multiblock }) => `/ipfs/${CID.createV1(RAW_CODEC, CID.parse(multiblock.cid).multihash)}?format=raw`,
    status: 200,
    body: ({ multiblock }) => multiblock.block(multiblock.cid),
  },
  {
    name: "a block of bytes is answered under the codec of links as well",
    path: ({ ascii }) => `/ipfs/${CID.createV1(DAG_PB, CID.parse(ascii.cid).multihash)}?format=raw`,
    status: 200,
    body: ({ ascii }) => ascii.bytes,
  },
  {
    name: "a version 0 CID names the same block",
    path: ({ multiblock }) => `/ipfs/${CID.parse(multiblock.cid).toV0()}?format=raw`,
    status: 200,
    headers: ({ multiblock }) => ({ etag: `"${multiblock.cid}.raw"` }),
    body: ({ multiblock }) => multiblock.block(multiblock.cid),
  },
  {
    name: "the empty identity CID answers clients who probe for a gateway",
    path: () => "/ipfs/bafkqaaa?format=raw",
    status: 200,
    headers: () => ({ "content-length": "0", "content-type": "application/vnd.ipld.raw" }),
    body: () => new Uint8Array(),
  },
  {
    name: "an unknown block is not found",
    path: () => `/ipfs/${UNKNOWN_CID}?format=raw`,
    status: 404,
  },
  {
    name: "a CID that is none is a bad request",
    path: () => "/ipfs/not-a-cid?format=raw",
    status: 400,
  },
  {
    name: "the same block is not sent again",
    path: ({ ascii }) => `/ipfs/${ascii.cid}?format=raw`,
    asking: ({ ascii }) => ({ headers: { "if-none-match": `W/"${ascii.cid}.raw"` } }),
    status: 304,
    body: () => new Uint8Array(),
  },
  {
    name: "who has the file does not have the block by that",
    path: ({ ascii }) => `/ipfs/${ascii.cid}?format=raw`,
    asking: ({ ascii }) => ({ headers: { "if-none-match": `"${ascii.cid}"` } }),
    status: 200,
    body: ({ ascii }) => ascii.bytes,
  },
]

const RANGES: ReadonlyArray<Case> = [
  ranged("a range in the middle", "bytes=6-16", 6, 16),
  ranged("a range of one byte", "bytes=0-0", 0, 0),
  ranged("an open range", "bytes=20-", 20, 30),
  ranged("a suffix", "bytes=-4", 27, 30),
  ranged("a range that ends behind the block", "bytes=29-99", 29, 30),
  ranged("of several ranges, the first one", "bytes=6-16,0-4", 6, 16),
  {
    name: "a range behind the block cannot be satisfied",
    path: ({ ascii }) => `/ipfs/${ascii.cid}?format=raw`,
    asking: () => ({ headers: { range: "bytes=31-" } }),
    status: 416,
    headers: () => ({ "content-range": "bytes */31" }),
    check: ({ body }) => assert.strictEqual(JSON.parse(body.toString()).code, "range_not_satisfiable"),
  },
]

conformance("trustless_gateway_raw", CASES)
conformance("trustless_gateway_raw: ranges", RANGES)
