import { Effect, Option } from "effect"
import { CID } from "multiformats/cid"
import { type Block, childrenOf, type FileDag } from "./Dag.ts"
import type { IpfsContent, StoredContent } from "./IpfsContent.ts"

/** The DAG of stored content with all its blocks in memory; none if a block is missing. */
export const storedDag = Effect.fn("storedDag")(function* (
  content: Pick<IpfsContent["Service"], "readBlock">,
  { cid, sizeBytes }: Pick<StoredContent, "cid" | "sizeBytes">,
) {
  const blocks = new Map<string, Block>()
  /** Collects the descendants of a node, then the node. Recursion is shallow: a node has up to 1024 children. */
  const collect = (node: CID): Effect.Effect<boolean> =>
    Effect.gen(function* () {
      const name = node.toString()
      if (blocks.has(name)) return true
      const bytes = yield* content.readBlock(name)
      if (Option.isNone(bytes)) return false
      for (const child of childrenOf(node, bytes.value) ?? []) if (!(yield* collect(child.cid))) return false
      blocks.set(name, { cid: node, bytes: bytes.value })
      return true
    })
  const root = CID.parse(cid)
  const isWhole = yield* collect(root)
  return isWhole ? Option.some<FileDag>({ root, blocks: [...blocks.values()], sizeBytes }) : Option.none<FileDag>()
})
