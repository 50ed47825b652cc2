import { buildDag } from "@launch-registry/ipfs/content/Dag"
import { Effect } from "effect"
import { noisePng } from "../NoisePng.ts"
import type { DurableClient } from "./DurableClient.ts"
import { keyOf, wordOf } from "./RandomValues.ts"
import { type Desk, Kept, requireSent, type Writer } from "./Writer.ts"

const SIDE_MIN = 12
const SIDE_MAX = 64
/** A file of a little over 1 MiB: two leaves and the node that links them. */
const SIDE_LARGE = 1_050
const LARGE_SHARE = 0.1

/** Why a metadata document at the gateway is wrong: its CID is the hash of its bytes, and they contain what was sent. */
export const metadataProblem = async (
  client: DurableClient,
  cid: string,
  sent: Readonly<Record<string, string>>,
): Promise<string | undefined> => {
  const { body, bytes, status } = await client.read(`/ipfs/${cid}`)
  const isWhole = status === 200 && buildDag(bytes).root.toString() === cid
  const isSame = isWhole && Object.entries(sent).every(([field, value]) => body?.[field] === value)
  return isSame ? undefined : `metadata ${cid}: ${status} ${bytes}`
}

/** Uploads images and metadata documents. */
export const uploadWriter = (desk: Desk): Writer => {
  const { client, random } = desk
  const kept = new Kept(desk)

  const image = async () => {
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

  const metadata = async () => {
    const sent = { name: `Token ${wordOf(random)}`, symbol: "META", description: wordOf(random) }
    const path = "/api/ipfs/upload-metadata"
    const { cid, metadataUri } = (await client.write("metadata", { path, json: sent, key: keyOf(random) })).body.data
    requireSent({ isNamed: true }, { isNamed: String(metadataUri).endsWith(cid) })
    kept.add(() => metadataProblem(client, cid, sent))
  }

  return { write: () => (random.chance(0.5) ? image() : metadata()), kept, audit: () => Effect.void }
}
