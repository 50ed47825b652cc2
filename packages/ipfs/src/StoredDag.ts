import { Effect, Option } from "effect"
import { CID } from "multiformats/cid"
import { type Block, childrenOf, type FileDag } from "./Dag.ts"
import type { IpfsContent, StoredContent } from "./IpfsContent.ts"

/** The DAG of content that is kept here, all its blocks in memory; none when one of them is missing. */
export const storedDag = Effect.fn("storedDag")(function* (
  content: Pick<IpfsContent["Service"], "readBlock">,
  { cid, sizeBytes }: Pick<StoredContent, "cid" | "sizeBytes">,
) {
  const blocks = new Map<string, Block>()
  /** Collects what is below a node, then the node. A file has few levels: 1024 children each, a MiB in the last. */
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
