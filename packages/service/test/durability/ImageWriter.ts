import { buildDag } from "@launch-registry/ipfs/Dag"
import { Effect } from "effect"
import { noisePng } from "../NoisePng.ts"
import { keyOf } from "./RegisterToken.ts"
import { type Desk, Kept, requireSent, type Writer } from "./Writer.ts"

const SIDE_MIN = 12
const SIDE_MAX = 64
/** A file of a little over 1 MiB: two leaves and the node that links them. */
const SIDE_LARGE = 1_050
const LARGE_SHARE = 0.1

/** Uploads images. */
export const imageWriter = (desk: Desk): Writer => {
  const { client, random } = desk
  const kept = new Kept(desk)

  const write = async () => {
    const side = random.chance(LARGE_SHARE) ? SIDE_LARGE : random.between(SIDE_MIN, SIDE_MAX)
    const bytes = noisePng(random.next(), side)
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
