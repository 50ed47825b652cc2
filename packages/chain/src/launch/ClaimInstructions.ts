import { AccountRole, type Address, type Instruction } from "@solana/kit"
import type { ClaimableFee } from "./ClaimableFees.ts"
import type { CurveSnapshot } from "./CurveSnapshot.ts"
import {
  DAMM_V2_EVENT_AUTHORITY,
  DAMM_V2_POOL_AUTHORITY,
  DAMM_V2_PROGRAM,
  DBC_EVENT_AUTHORITY,
  DBC_POOL_AUTHORITY,
  DBC_PROGRAM,
} from "./Programs.ts"
import { sidesOf } from "./Swap.ts"

/** Instructions of the DBC program (IDL 0.2.1). */
const CLAIM_TRADING_FEE = "08ec5931987db151"
const CLAIM_CREATOR_TRADING_FEE = "52dcfabd03556b2d"
const PARTNER_WITHDRAW_SURPLUS = "a8ad4864c962265c"
const CREATOR_WITHDRAW_SURPLUS = "a50389071c864c50"
const WITHDRAW_MIGRATION_FEE = "ed8e2d178106dea2"
/** `claim_position_fee` of the DAMM v2 program (IDL 0.2.0), without arguments. */
const CLAIM_POSITION_FEE = "b4269a118521a2d3"

/** Most of both tokens that may be claimed: all that there is. */
const U64_MAX = 2n ** 64n - 1n
/** `flag` of `withdraw_migration_fee`. */
const MIGRATION_FEE_OF = { partner: 0, creator: 1 } as const

const { READONLY, READONLY_SIGNER, WRITABLE } = AccountRole

const account = (address: string, role: AccountRole) => ({ address: address as Address, role })

/** The wallet that claims, and its accounts for the two tokens. */
export interface ClaimAccounts {
  readonly wallet: string
  readonly baseAccount: string
  readonly quoteAccount: string
}

/** Which of its token accounts a claim needs: those of fees in one token alone need no other. */
export const needsBaseAccount = ({ kind }: Pick<ClaimableFee, "kind">): boolean =>
  kind === "trading_fee" || kind === "position_fee"

/** The instruction that claims a fee into accounts of its owner, which signs. */
export const claimInstruction = (curve: CurveSnapshot, fee: ClaimableFee, to: ClaimAccounts): Instruction =>
  fee.position === undefined ? ofCurve(curve, fee, to) : ofPosition(curve, fee.position, to)

const ofCurve = (curve: CurveSnapshot, { kind, party }: ClaimableFee, to: ClaimAccounts): Instruction => {
  const isPartner = party === "partner"
  const { pool } = curve
  const { base, quote } = sidesOf(curve, { swapBaseForQuote: false })
  const tail = [account(DBC_EVENT_AUTHORITY, READONLY), account(DBC_PROGRAM, READONLY)]
  const config = account(pool.config, READONLY)
  if (kind === "trading_fee") {
    const data = Buffer.alloc(24)
    data.write(isPartner ? CLAIM_TRADING_FEE : CLAIM_CREATOR_TRADING_FEE, "hex")
    data.writeBigUInt64LE(U64_MAX, 8)
    data.writeBigUInt64LE(U64_MAX, 16)
    return {
      programAddress: DBC_PROGRAM,
      accounts: [
        account(DBC_POOL_AUTHORITY, READONLY),
        ...(isPartner ? [config] : []),
        account(curve.address, WRITABLE),
        account(to.baseAccount, WRITABLE),
        account(to.quoteAccount, WRITABLE),
        account(pool.baseVault, WRITABLE),
        account(pool.quoteVault, WRITABLE),
        account(base.mint, READONLY),
        account(quote.mint, READONLY),
        account(to.wallet, READONLY_SIGNER),
        account(base.program, READONLY),
        account(quote.program, READONLY),
        ...tail,
      ],
      data: Uint8Array.from(data),
    }
  }
  const data =
    kind === "migration_fee"
      ? Buffer.concat([
          Buffer.from(WITHDRAW_MIGRATION_FEE, "hex"),
          Buffer.of(MIGRATION_FEE_OF[isPartner ? "partner" : "creator"]),
        ])
      : Buffer.from(isPartner ? PARTNER_WITHDRAW_SURPLUS : CREATOR_WITHDRAW_SURPLUS, "hex")
  return {
    programAddress: DBC_PROGRAM,
    accounts: [
      account(DBC_POOL_AUTHORITY, READONLY),
      config,
      account(curve.address, WRITABLE),
      account(to.quoteAccount, WRITABLE),
      account(pool.quoteVault, WRITABLE),
      account(quote.mint, READONLY),
      account(to.wallet, READONLY_SIGNER),
      account(quote.program, READONLY),
      ...tail,
    ],
    data: Uint8Array.from(data),
  }
}

const ofPosition = (
  curve: CurveSnapshot,
  { address, held }: NonNullable<ClaimableFee["position"]>,
  to: ClaimAccounts,
): Instruction => {
  const { base, quote } = sidesOf(curve, { swapBaseForQuote: false })
  const { address: pool, pool: migrated } = curve.migrated!
  return {
    programAddress: DAMM_V2_PROGRAM,
    accounts: [
      account(DAMM_V2_POOL_AUTHORITY, READONLY),
      account(pool, READONLY),
      account(address, WRITABLE),
      account(to.baseAccount, WRITABLE),
      account(to.quoteAccount, WRITABLE),
      account(migrated.tokenAVault, WRITABLE),
      account(migrated.tokenBVault, WRITABLE),
      account(base.mint, READONLY),
      account(quote.mint, READONLY),
      account(held!.nftAccount, READONLY),
      account(to.wallet, READONLY_SIGNER),
      account(base.program, READONLY),
      account(quote.program, READONLY),
      account(DAMM_V2_EVENT_AUTHORITY, READONLY),
      account(DAMM_V2_PROGRAM, READONLY),
    ],
    data: Uint8Array.from(Buffer.from(CLAIM_POSITION_FEE, "hex")),
  }
}
