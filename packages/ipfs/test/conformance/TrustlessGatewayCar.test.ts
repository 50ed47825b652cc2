import { assert } from "@effect/vitest"
import { CID } from "multiformats/cid"
import { fileFrom, verifyCar } from "./CarClient.ts"
import { type Case, conformance } from "./Conformance.ts"
import { UNKNOWN_CID } from "./Fixtures.ts"

type Name = "ascii" | "large" | "multiblock" | "deep" | "repeating"

/** Each case uses the query and Accept, as in the suite. */
const car = (
  name: string,
  of: Name,
  query: string,
  nodes: (nodes: ReadonlyArray<string>) => ReadonlyArray<string>,
  range?: readonly [start: number, end: number],
): ReadonlyArray<Case> => {
  const check: Case["check"] = async ({ body, headers }, fixtures) => {
    const { bytes, cid, nodes: all } = fixtures[of]
    const read = await verifyCar(body)
    assert.deepStrictEqual(read.cids, nodes(all))
    assert.deepStrictEqual(read.roots, [cid])
    assert.isUndefined(headers["content-length"])
    if (range === undefined) return
    const [start, end] = range
    const part = await fileFrom(read, cid, { offset: start, length: end - start })
    assert.isTrue(part.equals(bytes.subarray(start, end)), "the file differs")
  }
  const asked = (how: string, head: string, headers: Readonly<Record<string, string>>): Case => ({
    name: `${name} (${how})`,
    path: (fixtures) => `/ipfs/${fixtures[of].cid}${`?${head}${query}`.replace(/[?&]$/, "")}`,
    asking: () => ({ headers }),
    status: 200,
    headers: (fixtures) => ({
      "content-type": "application/vnd.ipld.car; version=1; order=dfs; dups=n",
      "content-disposition": `attachment; filename="${fixtures[of].cid}.car"`,
      "x-content-type-options": "nosniff",
      "accept-ranges": "none",
      etag: /^W\/"\S+"$/,
      "cache-control": "public, max-age=29030400, immutable",
      "content-location": /\?.*format=car/,
    }),
    check,
  })
  return [asked("format=car", "format=car&", {}), asked("Accept", "", { accept: "application/vnd.ipld.car" })]
}

const everything = (nodes: ReadonlyArray<string>) => nodes
const rootAlone = (nodes: ReadonlyArray<string>) => nodes.slice(0, 1)
/** The root and these leaves of a file with a single level. */
const leaves = (start: number, end?: number) => (nodes: ReadonlyArray<string>) => [
  nodes[0]!,
  ...nodes.slice(1).slice(start, end),
]

const SCOPES: ReadonlyArray<Case> = [
  ...car("a file whole, by default", "multiblock", "", everything, [0, 1026]),
  ...car("a file of one block", "ascii", "", everything, [0, 31]),
  ...car("a file of blocks of 1 MiB", "large", "", everything, [0, 2 * 1_048_576 + 7]),
  ...car("a deep file, depth first", "deep", "", everything, [0, 1024]),
  ...car("dag-scope=block: the root alone", "multiblock", "dag-scope=block", rootAlone),
  ...car("dag-scope=entity: what reading the file takes", "multiblock", "dag-scope=entity", everything, [0, 1026]),
  ...car("dag-scope=all: every block", "deep", "dag-scope=all", everything, [0, 1024]),
]

const entity = (name: string, bytes: string, nodes: Parameters<typeof car>[3], range?: Parameters<typeof car>[4]) =>
  car(`entity-bytes=${bytes}: ${name}`, "multiblock", `dag-scope=entity&entity-bytes=${bytes}`, nodes, range)

const ENTITY_BYTES: ReadonlyArray<Case> = [
  ...entity("the whole file", "0:*", everything, [0, 1026]),
  ...entity("from the middle to the end", "512:*", leaves(2), [512, 1026]),
  ...entity("the middle", "512:1023", leaves(2, 4), [512, 1024]),
  ...entity("the middle, its end counted from the end", "512:-256", leaves(2, 4), [512, 770]),
  ...entity("the last bytes", "-5:*", leaves(3), [1021, 1026]),
  ...entity("more than the file has before its end", "-9999:*", everything, [0, 1026]),
  ...entity("the same, up to its third byte from the end", "-9999:-3", leaves(0, 4), [0, 1023]),
  ...entity("up to a byte from the end that is the last of its block", "0:-771", leaves(0, 1), [0, 256]),
  ...entity("up to a byte from the end that is the first of its block", "0:-770", leaves(0, 2), [0, 257]),
  ...entity("the first byte", "0:0", leaves(0, 1), [0, 1]),
  ...entity("more than the file has behind its end", "1000:9999", leaves(3), [1000, 1026]),
  ...entity("nothing is left: the root, to see why", "5:-1026", rootAlone),
  ...car("entity-bytes implies dag-scope=entity", "multiblock", "entity-bytes=512:1023", leaves(2, 4), [512, 1024]),
  ...car("only the way down to the wanted leaf of a deep file", "deep", "entity-bytes=16:31", (nodes) => [
    ...nodes.slice(0, 6),
    nodes[7]!,
  ]),
  ...["9:4", "-4:-9", "a:b", "0", "*:4"].map((bytes): Case => ({
    name: `entity-bytes=${bytes} is no range`,
    path: ({ multiblock }) => `/ipfs/${multiblock.cid}?format=car&entity-bytes=${bytes}`,
    status: 400,
    check: isIssueOf("query.entity-bytes"),
  })),
  {
    name: "a range behind the file is refused, as its size is known",
    path: ({ multiblock }) => `/ipfs/${multiblock.cid}?format=car&entity-bytes=1026:*`,
    status: 400,
    check: isIssueOf("query.entity-bytes"),
  },
]

function isIssueOf(path: string): NonNullable<Case["check"]> {
  return ({ body }) => {
    if (body.length > 0) assert.strictEqual(JSON.parse(body.toString()).issues[0].path, path)
  }
}

const ofRepeating = (
  name: string,
  query: string,
  accept: string | undefined,
  dups: boolean,
  located?: string,
): Case => ({
  name,
  path: ({ repeating }) => `/ipfs/${repeating.cid}${query}`,
  asking: () => (accept === undefined ? {} : { headers: { accept } }),
  status: 200,
  headers: ({ repeating }) => ({
    "content-type": `application/vnd.ipld.car; version=1; order=dfs; dups=${dups ? "y" : "n"}`,
    ...(located !== undefined && { "content-location": `/ipfs/${repeating.cid}${located}` }),
  }),
  check: async ({ body }, { repeating }) => {
    const read = await verifyCar(body)
    assert.deepStrictEqual(read.cids, dups ? repeating.nodes : [...new Set(repeating.nodes)])
    assert.strictEqual(repeating.nodes.length - new Set(repeating.nodes).size, 1)
    assert.isTrue((await fileFrom(read, repeating.cid)).equals(repeating.bytes))
  },
})

const CAR = "application/vnd.ipld.car"

const PARAMETERS: ReadonlyArray<Case> = [
  ofRepeating("order=dfs; dups=y", "", `${CAR}; version=1; order=dfs; dups=y`, true),
  ofRepeating("order=dfs; dups=n", "", `${CAR}; version=1; order=dfs; dups=n`, false),
  ofRepeating("order=unk is answered in a declared order", "", `${CAR}; version=1; order=unk`, false),
  ofRepeating(
    "format=car takes parameters from Accept",
    "?format=car",
    `${CAR}; version=1; order=dfs; dups=y`,
    true,
    "?format=car&car-version=1&car-order=dfs&car-dups=y",
  ),
  ofRepeating("car-order goes before Accept", "?format=car&car-order=dfs", `${CAR}; order=foo`, false),
  ofRepeating("car-dups goes before Accept", "?format=car&car-dups=y", `${CAR}; dups=n`, true),
  ofRepeating("the next preference counts when an order is unknown", "", `${CAR};order=foo, ${CAR};dups=y;q=0.5`, true),
  ofRepeating("format=car goes before Accept: raw", "?format=car", "application/vnd.ipld.raw", false),
  ofRepeating("the higher quality wins", "", `application/vnd.ipld.raw;q=0.4, ${CAR};q=0.7, */*;q=0.1`, false),
  {
    name: "format=raw goes before Accept: car",
    path: ({ ascii }) => `/ipfs/${ascii.cid}?format=raw`,
    asking: () => ({ headers: { accept: CAR } }),
    status: 200,
    headers: () => ({ "content-type": "application/vnd.ipld.raw" }),
  },
  {
    name: "an excluded format is not answered",
    path: ({ ascii }) => `/ipfs/${ascii.cid}`,
    asking: () => ({ headers: { accept: `${CAR};q=0, */*;q=0.1` } }),
    status: 200,
    headers: () => ({ "content-type": "image/gif" }),
  },
  {
    name: "of what is wanted equally, the block goes before the file",
    path: ({ ascii }) => `/ipfs/${ascii.cid}`,
    asking: () => ({ headers: { accept: "*/*, application/vnd.ipld.raw" } }),
    status: 200,
    headers: () => ({ "content-type": "application/vnd.ipld.raw" }),
  },
  {
    name: "what is wanted more goes before the block",
    path: ({ ascii }) => `/ipfs/${ascii.cid}`,
    asking: () => ({ headers: { accept: "application/vnd.ipld.raw;q=0.4, text/html" } }),
    status: 200,
    headers: () => ({ "content-type": "image/gif" }),
  },
  ...["order=foo", "version=2", "dups=maybe", "q=0"].map((parameter): Case => ({
    name: `${parameter} alone is not acceptable`,
    path: ({ ascii }) => `/ipfs/${ascii.cid}`,
    asking: () => ({ headers: { accept: `${CAR}; ${parameter}` } }),
    status: 406,
  })),
  ...["car-version=2", "car-order=foo", "car-dups=maybe", "dag-scope=tree"].map((parameter): Case => ({
    name: `${parameter} is a bad request`,
    path: ({ ascii }) => `/ipfs/${ascii.cid}?format=car&${parameter}`,
    status: 400,
    check: isIssueOf(`query.${parameter.split("=")[0]}`),
  })),
  {
    name: "an identity CID has no block, whatever dups says",
    path: () => "/ipfs/bafkqaf3imvwgy3zaneqgc3janfxgy2lomvscay3jmqfa",
    asking: () => ({ headers: { accept: `${CAR}; dups=y` } }),
    status: 200,
    headers: () => ({ "content-type": /dups=y/ }),
    check: async ({ body }) => {
      const { cids, roots } = await verifyCar(body)
      assert.deepStrictEqual([cids, roots], [[], ["bafkqaf3imvwgy3zaneqgc3janfxgy2lomvscay3jmqfa"]])
    },
  },
  { name: "unknown content has no CAR", path: () => `/ipfs/${UNKNOWN_CID}?format=car`, status: 404 },
  {
    name: "below a file there is no CAR",
    path: ({ ascii }) => `/ipfs/${ascii.cid}/subdir/i-do-not-exist?format=car`,
    status: 404,
  },
  {
    name: "a linking block named by the codec of bytes is a CAR of that block",
    path: ({ multiblock }) => `/ipfs/${CID.createV1(0x55, CID.parse(multiblock.cid).multihash)}?format=car`,
    status: 200,
    check: async ({ body }, { multiblock }) => {
      const { cids } = await verifyCar(body)
      assert.deepStrictEqual(cids, [CID.createV1(0x55, CID.parse(multiblock.cid).multihash).toString()])
    },
  },
]

conformance("trustless_gateway_car: scopes", SCOPES)
conformance("trustless_gateway_car: entity-bytes", ENTITY_BYTES)
conformance("trustless_gateway_car: order, duplicates and precedence", PARAMETERS)
