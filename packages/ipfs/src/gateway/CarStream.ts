import { Stream } from "effect"
import type { CID } from "multiformats/cid"
import { carBlockHead, carHeader } from "../CarFile.ts"
import type { VisitedNode } from "./DagWalk.ts"

/** The CAR of blocks in the order they come; a repeated block is sent once unless `dups` is set. */
export const carOf = (root: CID, nodes: Stream.Stream<VisitedNode>, dups: boolean): Stream.Stream<Uint8Array> => {
  const once = Stream.suspend(() => {
    const sent = new Set<string>()
    return Stream.filter(nodes, ({ cid }) => {
      const key = cid.toString()
      return sent.size < sent.add(key).size
    })
  })
  const framed = Stream.flatMap(dups ? nodes : once, (node) => Stream.make(carBlockHead(node), node.bytes))
  return Stream.concat(Stream.succeed(carHeader(root)), framed)
}
