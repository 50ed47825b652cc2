import { decodeBase58 } from "@launch-registry/domain/solana/Base58"
import { DBC_POOL_AUTHORITY, DAMM_V2_CONFIGS, DAMM_V2_PROGRAM, SYSTEM_PROGRAM } from "../accounts/Programs.ts"
import type { RentOf, SeedAccount } from "./SeedAccounts.ts"

/** `Config` of DAMM v2: sha256("account:Config"), then 320 bytes. */
const DISCRIMINATOR = "9b0caae01efacc82"
const BYTES = 328
/** Fees by `migrationFeeOption`; the last option takes its fee from the curve's configuration. */
const FEE_BPS = [25, 30, 100, 200, 400, 600] as const
/** The fee's numerator is over 10^9. */
const NUMERATOR_PER_BPS = 100_000n
const SQRT_PRICE_MIN = 4_295_048_016n
const SQRT_PRICE_MAX = 79_226_673_521_066_979_257_578_248_091n
const CONFIG_TYPE_DYNAMIC = 1
/** Of the fee to the protocol, and of that to a referrer: the program gives both to every pool. */
const PROTOCOL_FEE_PERCENT = 20
const REFERRAL_FEE_PERCENT = 20
/** The authority pays for accounts of the migration and gets it back. */
const AUTHORITY_LAMPORTS = 10_000_000_000n

const OFFSETS = { authority: 40, cliffFee: 72, activationType: 200, collectFeeMode: 201, configType: 202 } as const
const PROTOCOL_FEE_OFFSET = 152
const REFERRAL_FEE_OFFSET = 154
const INDEX_OFFSET = 208
const SQRT_PRICE_OFFSET = 216

/**
 * The accounts that a migration to DAMM v2 needs: one configuration per fee option, at the same address as Meteora's
 * (only the DBC program may use them), and lamports for the authority, which pays the rent during the migration.
 */
export const dammAccounts = (rentOf: RentOf): ReadonlyArray<SeedAccount> => [
  ...DAMM_V2_CONFIGS.map((address, option) => {
    const data = Buffer.alloc(BYTES)
    data.write(DISCRIMINATOR, "hex")
    data.set(decodeBase58(DBC_POOL_AUTHORITY)!, OFFSETS.authority)
    const feeBps = FEE_BPS[option]
    if (feeBps === undefined) data.writeUInt8(CONFIG_TYPE_DYNAMIC, OFFSETS.configType)
    else {
      data.writeBigUInt64LE(BigInt(feeBps) * NUMERATOR_PER_BPS, OFFSETS.cliffFee)
      writeUInt128(data, SQRT_PRICE_MIN, SQRT_PRICE_OFFSET)
      writeUInt128(data, SQRT_PRICE_MAX, SQRT_PRICE_OFFSET + 16)
    }
    data.writeUInt8(PROTOCOL_FEE_PERCENT, PROTOCOL_FEE_OFFSET)
    data.writeUInt8(REFERRAL_FEE_PERCENT, REFERRAL_FEE_OFFSET)
    data.writeUInt8(1, OFFSETS.activationType)
    data.writeUInt8(1, OFFSETS.collectFeeMode)
    data.writeBigUInt64LE(BigInt(option), INDEX_OFFSET)
    return { address, owner: DAMM_V2_PROGRAM, data: Uint8Array.from(data), lamports: rentOf(BYTES) }
  }),
  { address: DBC_POOL_AUTHORITY, owner: SYSTEM_PROGRAM, data: new Uint8Array(), lamports: AUTHORITY_LAMPORTS },
]

const writeUInt128 = (data: Buffer, value: bigint, at: number): void => {
  data.writeBigUInt64LE(value & 0xffff_ffff_ffff_ffffn, at)
  data.writeBigUInt64LE(value >> 64n, at + 8)
}
