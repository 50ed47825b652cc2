import type { Instruction } from "@solana/kit"
import type { ClaimableFee } from "./ClaimableFees.ts"
import type { Curve } from "../dbc/CurveSnapshot.ts"
import type { ClaimAccounts } from "../venues/Position.ts"
import { borshU64, instructionData, readonly, signer, writable } from "../venues/ProgramInstruction.ts"
import { DBC_EVENT_AUTHORITY, DBC_POOL_AUTHORITY, DBC_PROGRAM } from "../accounts/Programs.ts"

/** Instructions of the DBC program (IDL 0.2.1). */
const CLAIM_TRADING_FEE = "08ec5931987db151"
const CLAIM_CREATOR_TRADING_FEE = "52dcfabd03556b2d"
const PARTNER_WITHDRAW_SURPLUS = "a8ad4864c962265c"
const CREATOR_WITHDRAW_SURPLUS = "a50389071c864c50"
const WITHDRAW_MIGRATION_FEE = "ed8e2d178106dea2"

/** Most of both tokens that may be claimed: all that there is. */
const ALL = borshU64(2n ** 64n - 1n)
/** `flag` of `withdraw_migration_fee`. */
const MIGRATION_FEE_OF = { partner: 0, creator: 1 } as const

/** Which of its token accounts a claim needs: those of fees in one token alone need no other. */
export const needsBaseAccount = ({ kind }: Pick<ClaimableFee, "kind">): boolean =>
  kind === "trading_fee" || kind === "position_fee"

/** The instruction that claims a fee into accounts of its owner, which signs. */
export const claimInstruction = (
  curve: Curve,
  { held, kind, party, position }: ClaimableFee,
  to: ClaimAccounts,
): Instruction => {
  if (position !== undefined) return position.claim(held!.nftAccount, to)
  const isPartner = party === "partner"
  const { address, base, pool, quote } = curve
  const config = readonly(pool.config)
  const isTradingFee = kind === "trading_fee"
  const ofBase = <A>(...accounts: ReadonlyArray<A>) => (isTradingFee ? accounts : [])
  return {
    programAddress: DBC_PROGRAM,
    accounts: [
      readonly(DBC_POOL_AUTHORITY),
      // The creator's claim of trading fees is not given it.
      ...(isTradingFee && !isPartner ? [] : [config]),
      writable(address),
      ...ofBase(writable(to.baseAccount)),
      writable(to.quoteAccount),
      ...ofBase(writable(pool.baseVault)),
      writable(pool.quoteVault),
      ...ofBase(readonly(base.mint)),
      readonly(quote.mint),
      signer(to.wallet),
      ...ofBase(readonly(base.program)),
      readonly(quote.program),
      readonly(DBC_EVENT_AUTHORITY),
      readonly(DBC_PROGRAM),
    ],
    data: isTradingFee
      ? instructionData(isPartner ? CLAIM_TRADING_FEE : CLAIM_CREATOR_TRADING_FEE, ALL, ALL)
      : kind === "migration_fee"
        ? instructionData(WITHDRAW_MIGRATION_FEE, [MIGRATION_FEE_OF[isPartner ? "partner" : "creator"]])
        : instructionData(isPartner ? PARTNER_WITHDRAW_SURPLUS : CREATOR_WITHDRAW_SURPLUS),
  }
}
