import { buildDag } from "@launch-registry/ipfs/Dag"
import { Effect } from "effect"
import { noisePng } from "../NoisePng.ts"
import { keyOf } from "./RegisterToken.ts"
import { type Desk, Kept, requireSent, type Writer } from "./Writer.ts"

const SIDE_MIN = 12
const SIDE_MAX = 64

/** Uploads images. */
export const imageWriter = (desk: Desk): Writer => {
  const { client, random } = desk
  const kept = new Kept(desk)

  const write = async () => {
    const bytes = noisePng(random.next(), random.between(SIDE_MIN, SIDE_MAX))
    const cid = buildDag(bytes).root.toString()
    const form = () => {
      const made = new FormData()
      made.append("image", new Blob([Uint8Array.from(bytes)]), `${cid}.png`)
      return made
    }
    const { body } = await client.write("image", { path: "/api/ipfs/upload-image", form, key: keyOf(random) })
    requireSent({ cid, size: bytes.length }, body.data)
    kept.add(async () => {
      const found = await client.read(`/ipfs/${cid}`)
      return found.status === 200 && found.bytes.equals(bytes) ? undefined : `image ${cid}: ${found.status}`
    })
  }

  return { write, kept, audit: () => Effect.void }
}
