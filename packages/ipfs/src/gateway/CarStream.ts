import { CarBufferWriter } from "@ipld/car"
import { Stream } from "effect"
import { varint } from "multiformats"
import type { CID } from "multiformats/cid"
import type { VisitedNode } from "./DagWalk.ts"

/** The header of a CAR, version 1, with one root. */
const headerOf = (root: CID): Uint8Array => {
  const roots = [root]
  const bytes = new ArrayBuffer(CarBufferWriter.headerLength({ roots }))
  return CarBufferWriter.createWriter(bytes, { roots }).close()
}

/** What stands before the bytes of a block: the length of both, and the CID. */
const blockHeadOf = ({ bytes, cid }: VisitedNode): Uint8Array => {
  const length = cid.bytes.length + bytes.length
  const head = new Uint8Array(varint.encodingLength(length) + cid.bytes.length)
  varint.encodeTo(length, head)
  head.set(cid.bytes, head.length - cid.bytes.length)
  return head
}

/** The CAR of blocks in the order they come; a block that occurs again is left out unless `dups` asks for it. */
export const carOf = (root: CID, nodes: Stream.Stream<VisitedNode>, dups: boolean): Stream.Stream<Uint8Array> => {
  const once = Stream.suspend(() => {
    const sent = new Set<string>()
    return Stream.filter(nodes, ({ cid }) => {
      const key = cid.toString()
      return sent.size < sent.add(key).size
    })
  })
  const framed = Stream.flatMap(dups ? nodes : once, (node) => Stream.make(blockHeadOf(node), node.bytes))
  return Stream.concat(Stream.succeed(headerOf(root)), framed)
}
