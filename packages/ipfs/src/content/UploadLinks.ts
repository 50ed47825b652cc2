import type { FileDag } from "./Dag.ts"
import { cidsIn } from "./CidNames.ts"

/** What an upload needs besides its root: its other blocks, and what it names if it is a metadata document, which is one block. */
export const linksOf = ({ blocks, root }: FileDag, contentType: string): ReadonlyArray<string> => {
  const others = blocks.map(({ cid }) => cid.toString()).filter((cid) => cid !== root.toString())
  const isDocument = blocks.length === 1 && contentType === "application/json"
  return [...new Set([...others, ...(isDocument ? cidsIn(new TextDecoder().decode(blocks[0]!.bytes)) : [])])]
}
