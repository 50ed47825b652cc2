/** What a trust report says, in words: facts, each with what it means for a holder. */
import type { TrustReport } from "@launch-registry/client"
import { formatShare, shortAddress } from "../figures/Format.ts"

export interface Flag {
  /** `good` takes a power from others, `bad` gives one. */
  readonly kind: "good" | "bad" | "note"
  readonly text: string
}

/** From these shares of the supply on, what somebody holds is a warning: they can sell the price down. */
const TOP_TEN_MUCH = 0.3
const ONE_MUCH = 0.05

const AUTHORITIES = [
  ["mintAuthority", "Nobody can mint more tokens", "can mint more tokens"],
  ["freezeAuthority", "Nobody can freeze the tokens of others", "can freeze the tokens of others"],
  ["permanentDelegate", undefined, "can transfer or burn the tokens of anybody"],
  ["pauseAuthority", undefined, "can pause all transfers"],
  ["transferFeeAuthority", undefined, "can set a fee that transfers withhold"],
  ["transferHookAuthority", undefined, "can set a program that transfers call"],
] as const

const REASONS = {
  verified: "which operators have verified",
  older: "which is older",
  larger: "which is traded more",
} as const

/** A name within a sentence, whose letters change the direction of nothing else (Unicode: FSI and PDI). */
const isolated = (name: string): string => `\u2068${name.replaceAll("\u2069", "")}\u2069`

const flag = (kind: Flag["kind"], text: string): Flag => ({ kind, text })
const held = (share: number, much: number, text: string): Flag => flag(share >= much ? "bad" : "note", text)

const concentration = ({ firstSlot, holders }: TrustReport): ReadonlyArray<Flag> => {
  const flags: Array<Flag> = []
  if (holders !== null) {
    const { creatorShare, top10Share } = holders
    flags.push(held(top10Share, TOP_TEN_MUCH, `The ten largest holders have ${formatShare(top10Share)} of the supply`))
    if (creatorShare !== null)
      flags.push(held(creatorShare, ONE_MUCH, `Its creator holds ${formatShare(creatorShare)} of the supply`))
  }
  if (firstSlot === null) return flags
  const { creatorShare, finality, wallets, walletsShare } = firstSlot
  const when = `in the slot of the launch${finality === "confirmed" ? ", as far as is known yet" : ""}`
  if (creatorShare !== null && creatorShare > 0)
    flags.push(held(creatorShare, ONE_MUCH, `Its creator bought ${formatShare(creatorShare)} of the supply ${when}`))
  if (wallets > 0) {
    const part = walletsShare === null ? "" : `${formatShare(walletsShare)} of the supply `
    const who = `${wallets} other ${wallets === 1 ? "wallet" : "wallets"}`
    flags.push(held(walletsShare ?? 0, ONE_MUCH, `${who} bought ${part}${when}`))
  }
  return flags
}

const liquidityFlags = ({ liquidity }: TrustReport): ReadonlyArray<Flag> => {
  if (liquidity === null) return []
  const { basis, permanentLockedShare, unknownShare, unlockedShare, vestingShare } = liquidity
  const where = basis === "configuration" ? "of the liquidity after graduation" : "of the liquidity"
  const said = (kind: Flag["kind"], share: number | null, what: string): ReadonlyArray<Flag> =>
    share === null || share === 0 ? [] : [flag(kind, `${formatShare(share)} ${where} ${what}`)]
  return [
    ...said("bad", unlockedShare, "can be withdrawn at any time"),
    ...said("note", unknownShare, "is in positions that were not read"),
    ...said("note", vestingShare, "is released over time"),
    ...said("good", permanentLockedShare, "is locked for good"),
  ]
}

const mintFlags = (mint: NonNullable<TrustReport["mint"]>): ReadonlyArray<Flag> => {
  const flags: Array<Flag> = []
  for (const [field, none, some] of AUTHORITIES) {
    const who = mint[field]
    if (who !== null) flags.push(flag("bad", `${shortAddress(who)} ${some}`))
    else if (none !== undefined) flags.push(flag("good", none))
  }
  if (mint.accountsStartFrozen) flags.push(flag("bad", "New token accounts are frozen until they are released"))
  if (mint.transferExtension === "transfer_fee") flags.push(flag("bad", "Transfers withhold a fee"))
  if (mint.transferExtension === "transfer_hook")
    flags.push(flag("bad", "Transfers call a program, which can refuse them"))
  return flags
}

const metadataFlag = ({ isMutable, pointerAuthority, updateAuthority }: NonNullable<TrustReport["metadata"]>): Flag => {
  if (isMutable === false) return flag("good", "Name, symbol and image cannot be changed")
  if (isMutable === null) return flag("note", "Whether name and image can be changed is not known")
  const who = updateAuthority ?? pointerAuthority
  return flag("bad", `${who === null ? "Somebody" : shortAddress(who)} can change name, symbol and image`)
}

/** The flags of a report by their weight: warnings first, and of these who holds much. */
export const trustFlags = (report: TrustReport): ReadonlyArray<Flag> => {
  const { confusableWith, metadata, mint, unsafeText, verified } = report
  const flags = [...concentration(report)]
  for (const { mintAddress, reasons, symbol } of confusableWith ?? [])
    flags.push(
      flag(
        "bad",
        `Looks like ${isolated(symbol)} (${shortAddress(mintAddress)}), ${reasons.map((reason) => REASONS[reason]).join(" and ")}`,
      ),
    )
  if (confusableWith === null) flags.push(flag("note", "Its name is not compared with others yet"))
  for (const { field } of unsafeText) flags.push(flag("bad", `Its ${field} has characters that hide or disguise text`))
  flags.push(...(mint === null ? [flag("bad", "No mint is at its address")] : mintFlags(mint)))
  flags.push(...liquidityFlags(report))
  if (metadata !== null) flags.push(metadataFlag(metadata))
  flags.push(verified ? flag("good", "Verified by operators of this registry") : flag("note", "Not verified"))
  const order = { bad: 0, note: 1, good: 2 }
  return flags.toSorted((a, b) => order[a.kind] - order[b.kind])
}
