import * as dagPb from "@ipld/dag-pb"
import { Effect, Option } from "effect"
import { CID } from "multiformats/cid"
import { childrenOf, type FileDag } from "../Dag.ts"
import { cidsIn } from "./CidNames.ts"

/** The type of metadata documents. */
const NAMING_TYPE = "application/json"

const namedIn = (bytes: Uint8Array, contentType: string): ReadonlyArray<string> =>
  contentType === NAMING_TYPE ? cidsIn(new TextDecoder().decode(bytes)) : []

/** What an upload needs besides its root: its other blocks, and what it names if it is a metadata document, which is one block. */
export const linksOf = ({ blocks, root }: FileDag, contentType: string): ReadonlyArray<string> => {
  const others = blocks.map(({ cid }) => cid.toString()).filter((cid) => cid !== root.toString())
  const isDocument = blocks.length === 1
  return [...new Set([...others, ...(isDocument ? namedIn(blocks[0]!.bytes, contentType) : [])])]
}

/** The same of an upload that is stored; only blocks with links, and documents, are read. */
export const storedLinks = <E>(
  readBlock: (cid: string) => Effect.Effect<Option.Option<Uint8Array>, E>,
  { cid, contentType }: { readonly cid: string; readonly contentType: string },
): Effect.Effect<ReadonlyArray<string>, E> => {
  const links = new Set<string>()
  const addBelow = (node: CID): Effect.Effect<void, E> =>
    Effect.gen(function* () {
      if (node.code !== dagPb.code) return
      const bytes = yield* readBlock(node.toString())
      for (const child of Option.isSome(bytes) ? (childrenOf(node, bytes.value) ?? []) : []) {
        const name = child.cid.toString()
        if (links.has(name)) continue
        links.add(name)
        yield* addBelow(child.cid)
      }
    })
  return Effect.gen(function* () {
    const root = CID.parse(cid)
    yield* addBelow(root)
    if (root.code !== dagPb.code && contentType === NAMING_TYPE) {
      const bytes = yield* readBlock(cid)
      for (const name of Option.isSome(bytes) ? namedIn(bytes.value, contentType) : []) links.add(name)
    }
    return [...links]
  })
}
