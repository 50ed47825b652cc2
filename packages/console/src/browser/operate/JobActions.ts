import type { SlotRange } from "@launch-registry/client"
import { read, registry } from "../Registry.ts"
import { type Action, REASON } from "./Confirm.ts"

const said = ({ id, state }: { readonly id: string; readonly state: string }): string => `Job ${id} is ${state}`

const slotFields = ({ fromSlot, toSlot }: SlotRange): NonNullable<Action["fields"]> => [
  { label: "First slot", maxLength: 10, initial: fromSlot, pattern: "[0-9]+" },
  { label: "Last slot", maxLength: 10, initial: toSlot, pattern: "[0-9]+" },
  REASON,
]

/** `known`: what the fields begin with; empty where the operator is to say it. */
export const backfillAction = (known: SlotRange): Action => ({
  title: "Prove slots",
  consequence:
    "The leading indexer compares these slots with the chain and fetches what is missing. New trades are indexed meanwhile. An endpoint that has their history is needed.",
  fields: slotFields(known),
  run: async (fromSlot = "", toSlot = "", reason = "") => {
    const { data } = await read(registry.system.startJob({ body: { kind: "backfill", fromSlot, toSlot, reason } }))
    return said(data)
  },
})

/** `known`: what the fields begin with; empty where the operator is to say it. */
export const repairAction = (known: SlotRange): Action => ({
  title: "Read slots again",
  consequence:
    "The leading indexer reads the transactions of these slots again from the chain, also where they are proven, and replaces what differs. That takes a request for each transaction, or each thousand with HELIUS_API_KEY. New trades are indexed meanwhile.",
  fields: slotFields(known),
  run: async (fromSlot = "", toSlot = "", reason = "") => {
    const { data } = await read(registry.system.startJob({ body: { kind: "repair", fromSlot, toSlot, reason } }))
    return said(data)
  },
})

export const replayAction: Action = {
  title: "Replay",
  consequence:
    "The leading indexer derives all tables again from its log, compares, and switches to them. Reads go on; new trades are indexed meanwhile. Trades and events of slots that were deleted from the log are copied as they are.",
  fields: [REASON],
  run: async (reason = "") => {
    const { data } = await read(registry.system.startJob({ body: { kind: "replay", reason } }))
    return said(data)
  },
}

export const cancelAction = (id: string, name: string): Action => ({
  title: "Cancel the job",
  consequence: `Job ${id}, ${name}, stops after its current page or batch. What is proven stays proven, what is repaired stays so.`,
  run: async () => said((await read(registry.system.cancelJob({ id }))).data),
})
