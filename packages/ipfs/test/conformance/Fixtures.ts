import { Effect } from "effect"
import { importer } from "ipfs-unixfs-importer"
import { fixedSize } from "ipfs-unixfs-importer/chunker"
import { balanced } from "ipfs-unixfs-importer/layout"
import { CID } from "multiformats/cid"
import { buildDag, childrenOf, type FileDag } from "../../src/Dag.ts"
import { IpfsContent } from "../../src/IpfsContent.ts"

/** A stored file, as named in the cases. */
export interface Fixture {
  readonly cid: string
  readonly bytes: Uint8Array
  /** CIDs of its DAG, depth first, each as often as it occurs. */
  readonly nodes: ReadonlyArray<string>
  readonly block: (cid: string) => Uint8Array
}

export const noise = (length: number) => Uint8Array.from({ length }, (_, index) => (index * 2_654_435_761) >>> 24)

/** The DAG of a file by another implementation with chunks of this size, so that small files have many blocks. */
const chunkedDag = async (bytes: Uint8Array, chunkSize: number, maxChildrenPerNode: number): Promise<FileDag> => {
  const blocks: Array<FileDag["blocks"][number]> = []
  const store = {
    put: async (cid: CID, block: Uint8Array) => {
      blocks.push({ cid, bytes: block })
      return cid
    },
  }
  let root: CID | undefined
  const options = {
    cidVersion: 1,
    rawLeaves: true,
    reduceSingleLeafToSelf: true,
    chunker: fixedSize({ chunkSize }),
    layout: balanced({ maxChildrenPerNode }),
  } as const
  for await (const entry of importer([{ content: bytes }], store as never, options)) root = entry.cid
  return { root: root!, blocks, sizeBytes: bytes.length }
}

const fixtureOf = (dag: FileDag, bytes: Uint8Array): Fixture => {
  const blocks = new Map(dag.blocks.map((block) => [block.cid.toString(), block.bytes]))
  const block = (cid: string) => blocks.get(cid)!
  const below = (cid: CID): ReadonlyArray<string> => [
    cid.toString(),
    ...(childrenOf(cid, block(cid.toString())) ?? []).flatMap((child) => below(child.cid)),
  ]
  return { cid: dag.root.toString(), bytes, nodes: below(dag.root), block }
}

const stored = (dag: FileDag, bytes: Uint8Array, contentType: string) =>
  Effect.gen(function* () {
    yield* (yield* IpfsContent).store(dag, { contentType })
    return fixtureOf(dag, bytes)
  })

const text = new TextEncoder()

/** Content for every case. */
export const storeFixtures = Effect.gen(function* () {
  const own = (bytes: Uint8Array, contentType: string) => stored(buildDag(bytes), bytes, contentType)
  const chunked = (bytes: Uint8Array, chunkSize: number, links: number) =>
    Effect.flatMap(
      Effect.promise(() => chunkedDag(bytes, chunkSize, links)),
      (dag) => stored(dag, bytes, "image/png"),
    )
  return {
    /** 31 bytes in one block. */
    ascii: yield* own(text.encode("abcdefghijklmnopqrstuvwxyz 0123"), "image/gif"),
    document: yield* own(text.encode('{"name":"A","symbol":"B"}'), "application/json"),
    /** Three blocks of our own profile, the last of 7 bytes. */
    large: yield* own(noise(2 * 1_048_576 + 7), "image/png"),
    /** 1026 bytes: four leaves of 256 bytes and one of 2. */
    multiblock: yield* chunked(noise(1026), 256, 174),
    /** 64 leaves of 16 bytes below nodes of two links. */
    deep: yield* chunked(noise(1024), 16, 2),
    /** Three leaves, the first and the last of them the same. */
    repeating: yield* chunked(Buffer.concat([noise(256), Buffer.alloc(256), noise(256)]), 256, 174),
  }
})

export type Fixtures = Effect.Success<typeof storeFixtures>

/** sha2-256 of content that is not stored. */
export const UNKNOWN_CID = "bafkreifzjut3te2nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e"
