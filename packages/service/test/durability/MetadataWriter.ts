import { buildDag } from "@launch-registry/ipfs/Dag"
import { Effect } from "effect"
import type { DurableClient } from "./DurableClient.ts"
import { keyOf, wordOf } from "./RegisterToken.ts"
import { type Desk, Kept, requireSent, type Writer } from "./Writer.ts"

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

/** Uploads metadata documents. */
export const metadataWriter = (desk: Desk): Writer => {
  const { client, random } = desk
  const kept = new Kept(desk)

  const write = async () => {
    const sent = { name: `Token ${wordOf(random)}`, symbol: "META", description: wordOf(random) }
    const path = "/api/ipfs/upload-metadata"
    const { cid, metadataUri } = (await client.write("metadata", { path, json: sent, key: keyOf(random) })).body.data
    requireSent({ isNamed: true }, { isNamed: String(metadataUri).endsWith(cid) })
    kept.add(() => metadataProblem(client, cid, sent))
  }

  return { write, kept, audit: () => Effect.void }
}
