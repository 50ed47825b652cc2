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
const CLAIM_PARTNER_POOL_CREATION_FEE = "faee1a048b0a65f8"
const WITHDRAW_LEFTOVER = "14c6caedebf3b742"

/** Most of both tokens that may be claimed: all that there is. */
const ALL = borshU64(2n ** 64n - 1n)
/** `flag` of `withdraw_migration_fee`. */
const MIGRATION_FEE_OF = { partner: 0, creator: 1 } as const

/** Accounts that claims go to. */
export interface ClaimTargets extends ClaimAccounts {
  /** Of `leftoverReceiver` for the base token; the wallet's own where it is that. */
  readonly leftoverAccount: string
}

const EVENT_ACCOUNTS = [readonly(DBC_EVENT_AUTHORITY), readonly(DBC_PROGRAM)]

/** The instruction that claims a fee into accounts of its owner, which signs. */
export const claimInstruction = (
  curve: Curve,
  { held, kind, party, position }: ClaimableFee,
  to: ClaimTargets,
): Instruction => {
  if (position !== undefined) return position.claim(held!.nftAccount, to)
  if (kind === "pool_creation_fee")
    return {
      programAddress: DBC_PROGRAM,
      accounts: [
        ...[readonly(curve.pool.config), writable(curve.address), signer(to.wallet), writable(to.wallet)],
        ...EVENT_ACCOUNTS,
      ],
      data: instructionData(CLAIM_PARTNER_POOL_CREATION_FEE),
    }
  if (kind === "leftover")
    return {
      programAddress: DBC_PROGRAM,
      accounts: [
        ...[readonly(DBC_POOL_AUTHORITY), readonly(curve.pool.config), writable(curve.address)],
        ...[writable(to.leftoverAccount), writable(curve.pool.baseVault), readonly(curve.base.mint)],
        ...[readonly(curve.config.leftoverReceiver), readonly(curve.base.program)],
        ...EVENT_ACCOUNTS,
      ],
      data: instructionData(WITHDRAW_LEFTOVER),
    }
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
      ...EVENT_ACCOUNTS,
    ],
    data: isTradingFee
      ? instructionData(isPartner ? CLAIM_TRADING_FEE : CLAIM_CREATOR_TRADING_FEE, ALL, ALL)
      : kind === "migration_fee"
        ? instructionData(WITHDRAW_MIGRATION_FEE, [MIGRATION_FEE_OF[isPartner ? "partner" : "creator"]])
        : instructionData(isPartner ? PARTNER_WITHDRAW_SURPLUS : CREATOR_WITHDRAW_SURPLUS),
  }
}
