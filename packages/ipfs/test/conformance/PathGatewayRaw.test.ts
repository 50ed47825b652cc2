import { assert } from "@effect/vitest"
import { type Case, conformance } from "./Conformance.ts"

const RAW = { headers: { accept: "application/vnd.ipld.raw" } }

/** Cases that use a directory there use the file itself here: only single files are stored. */
const CASES: ReadonlyArray<Case> = [
  {
    name: "format=raw answers the root block",
    path: ({ multiblock }) => `/ipfs/${multiblock.cid}?format=raw`,
    status: 200,
    body: ({ multiblock }) => multiblock.block(multiblock.cid),
  },
  {
    name: "Accept: application/vnd.ipld.raw answers the root block",
    path: ({ multiblock }) => `/ipfs/${multiblock.cid}`,
    asking: () => RAW,
    status: 200,
    body: ({ multiblock }) => multiblock.block(multiblock.cid),
  },
  {
    name: "a single range of a block",
    path: ({ multiblock }) => `/ipfs/${multiblock.cid}`,
    asking: () => ({ headers: { ...RAW.headers, range: "bytes=6-16" } }),
    status: 206,
    headers: ({ multiblock }) => ({
      "content-type": "application/vnd.ipld.raw",
      "content-range": `bytes 6-16/${multiblock.block(multiblock.cid).length}`,
      "content-length": "11",
    }),
    body: ({ multiblock }) => multiblock.block(multiblock.cid).subarray(6, 17),
  },
  {
    name: "a block comes with its type, length, as an attachment and unsniffed",
    path: ({ ascii }) => `/ipfs/${ascii.cid}`,
    asking: () => RAW,
    status: 200,
    headers: ({ ascii }) => ({
      "content-type": "application/vnd.ipld.raw",
      "content-length": "31",
      "content-disposition": `attachment; filename="${ascii.cid}.bin"`,
      "x-content-type-options": "nosniff",
      "content-security-policy": /sandbox/,
    }),
    body: ({ ascii }) => ascii.bytes,
  },
  {
    name: "filename names the attachment",
    path: ({ ascii }) => `/ipfs/${ascii.cid}?filename=foobar.bin`,
    asking: () => RAW,
    status: 200,
    headers: () => ({ "content-disposition": 'attachment; filename="foobar.bin"' }),
  },
  {
    name: "a block may be cached for ever, under a tag of its own",
    path: ({ ascii }) => `/ipfs/${ascii.cid}`,
    asking: () => RAW,
    status: 200,
    headers: ({ ascii }) => ({
      etag: `"${ascii.cid}.raw"`,
      "cache-control": "public, max-age=29030400, immutable",
      "x-ipfs-path": `/ipfs/${ascii.cid}`,
      "x-ipfs-roots": ascii.cid,
      vary: "Accept",
      "content-location": `/ipfs/${ascii.cid}?format=raw`,
    }),
  },
  {
    name: "below a file there is no block, and the answer says what is missing",
    path: ({ ascii }) => `/ipfs/${ascii.cid}/dir/ascii.txt?format=raw`,
    status: 404,
    check: ({ body }) => {
      const { code, details } = JSON.parse(body.toString())
      assert.strictEqual(code, "not_found")
      assert.match(details.id, /^baf\w+\/dir\/ascii\.txt$/)
    },
  },
]

conformance("path_gateway_raw", CASES)
