/** What a trust report says, in words: facts, each with what it means for a holder. */
import type { TrustReport } from "@launch-registry/client"
import { formatShare, shortAddress } from "../Format.ts"

export interface Flag {
  /** `good` takes a power from others, `bad` gives one. */
  readonly kind: "good" | "bad" | "note"
  readonly text: string
}

const AUTHORITIES = [
  ["mintAuthority", "Nobody can mint more tokens", "can mint more tokens"],
  ["freezeAuthority", "Nobody can freeze the tokens of others", "can freeze the tokens of others"],
  ["permanentDelegate", undefined, "can transfer or burn the tokens of anybody"],
  ["pauseAuthority", undefined, "can pause all transfers"],
  ["transferFeeAuthority", undefined, "can set a fee that transfers withhold"],
  ["transferHookAuthority", undefined, "can set a program that transfers call"],
] as const

const UNSAFE = {
  bidi_control: "characters that turn the direction of text",
  zero_width: "characters without width",
  control: "control characters",
  invisible: "invisible characters",
  stacked_marks: "stacked marks",
  mixed_scripts: "letters of several scripts that look alike",
} as const

const REASONS = {
  verified: "which operators have verified",
  older: "which is older",
  larger: "which is traded more",
} as const

const mintFlags = (mint: NonNullable<TrustReport["mint"]>): ReadonlyArray<Flag> => {
  const flags: Array<Flag> = []
  for (const [field, none, some] of AUTHORITIES) {
    const who = mint[field]
    if (who !== null) flags.push({ kind: "bad", text: `${shortAddress(who)} ${some}` })
    else if (none !== undefined) flags.push({ kind: "good", text: none })
  }
  if (mint.accountsStartFrozen)
    flags.push({ kind: "bad", text: "New token accounts are frozen until they are released" })
  if (mint.transferExtension === "transfer_fee") flags.push({ kind: "bad", text: "Transfers withhold a fee" })
  if (mint.transferExtension === "transfer_hook")
    flags.push({ kind: "bad", text: "Transfers call a program, which can refuse them" })
  return flags
}

const metadataFlag = ({ isMutable, pointerAuthority, updateAuthority }: NonNullable<TrustReport["metadata"]>): Flag => {
  if (isMutable === false) return { kind: "good", text: "Name, symbol and image cannot be changed" }
  if (isMutable === null) return { kind: "note", text: "Whether name and image can be changed is not known" }
  const who = updateAuthority ?? pointerAuthority
  return { kind: "bad", text: `${who === null ? "Somebody" : shortAddress(who)} can change name, symbol and image` }
}

const firstSlotFlags = ({
  creatorShare,
  finality,
  wallets,
  walletsShare,
}: NonNullable<TrustReport["firstSlot"]>): ReadonlyArray<Flag> => {
  const flags: Array<Flag> = []
  const yet = finality === "confirmed" ? ", as far as is known yet" : ""
  if (creatorShare !== null)
    flags.push({
      kind: "note",
      text: `Its creator bought ${formatShare(creatorShare)} of the supply in the slot of the launch${yet}`,
    })
  if (wallets > 0)
    flags.push({
      kind: "note",
      text: `${wallets} other ${wallets === 1 ? "wallet" : "wallets"} bought ${walletsShare === null ? "" : `${formatShare(walletsShare)} of the supply `}in the slot of the launch${yet}`,
    })
  return flags
}

/** The flags of a report, those that warn first. */
export const trustFlags = (report: TrustReport): ReadonlyArray<Flag> => {
  const { confusableWith, firstSlot, holders, metadata, mint, unsafeText, verified } = report
  const flags: Array<Flag> = [
    verified
      ? { kind: "good", text: "Operators of this registry have verified it" }
      : { kind: "note", text: "Not verified by operators of this registry" },
  ]
  for (const { mintAddress, reasons, symbol } of confusableWith ?? [])
    flags.push({
      kind: "bad",
      text: `Looks like ${symbol} (${shortAddress(mintAddress)}), ${reasons.map((reason) => REASONS[reason]).join(" and ")}`,
    })
  if (confusableWith === null) flags.push({ kind: "note", text: "Its name is not compared with others yet" })
  for (const { field, kinds } of unsafeText)
    flags.push({ kind: "bad", text: `Its ${field} has ${kinds.map((kind) => UNSAFE[kind]).join(", ")}` })
  if (mint === null) flags.push({ kind: "bad", text: "No mint is at its address" })
  else flags.push(...mintFlags(mint))
  if (metadata !== null) flags.push(metadataFlag(metadata))
  if (firstSlot !== null) flags.push(...firstSlotFlags(firstSlot))
  if (holders !== null) {
    if (holders.creatorShare !== null)
      flags.push({ kind: "note", text: `Its creator holds ${formatShare(holders.creatorShare)} of the supply` })
    flags.push({ kind: "note", text: `The ten largest holders have ${formatShare(holders.top10Share)} of the supply` })
  }
  const order = { bad: 0, note: 1, good: 2 }
  return flags.toSorted((a, b) => order[a.kind] - order[b.kind])
}
