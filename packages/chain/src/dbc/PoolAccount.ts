import { AccountReader } from "../accounts/AccountReader.ts"

/** `VirtualPool` and `TransferHookPool` (DBC IDL 0.2.1): two discriminators, one layout. */
const HOOKED_DISCRIMINATOR = "eddbb8172abda923"
const DISCRIMINATORS = ["d5e005d16245775c", HOOKED_DISCRIMINATOR]
const LENGTH_BYTES = 424

/** In `migration_fee_withdraw_status`. */
const [CREATOR_BIT, PARTNER_BIT] = [0b010, 0b100]
/** In `creation_fee_bits`. */
const PARTNER_CREATION_BIT = 0b10

/** Offset of `baseMint`, for memcmp filters. */
export const POOL_BASE_MINT_OFFSET = 136

/** Whether a pool is of a token with a transfer hook: instructions of its own trade and claim there, which are not built here. */
export const hasTransferHook = (data: Uint8Array): boolean =>
  new AccountReader(data).is(LENGTH_BYTES, [HOOKED_DISCRIMINATOR])

/** The pool in `bytes`, or `undefined` when they are no pool account. */
export const decodePool = (bytes: Uint8Array) => {
  const account = new AccountReader(bytes)
  if (!account.is(LENGTH_BYTES, DISCRIMINATORS)) return undefined
  return {
    config: account.address(72),
    creator: account.address(104),
    baseMint: account.address(POOL_BASE_MINT_OFFSET),
    baseVault: account.address(168),
    quoteVault: account.address(200),
    baseReserve: account.u64(232),
    quoteReserve: account.u64(240),
    protocolBaseFee: account.u64(248),
    protocolQuoteFee: account.u64(256),
    partnerBaseFee: account.u64(264),
    partnerQuoteFee: account.u64(272),
    creatorBaseFee: account.u64(352),
    creatorQuoteFee: account.u64(360),
    sqrtPrice: account.u128(280),
    activationPoint: account.u64(296),
    /** 0 SPL Token, 1 Token-2022. */
    poolType: account.u8(304),
    isMigrated: account.u8(305) === 1,
    /** 0 on the curve, 1 complete with vesting to lock, 2 complete and ready, 3 migrated. */
    migrationProgress: account.u8(308),
    /** What is withdrawn once, and was. Surplus is what was raised beyond the threshold. */
    withdrawn: {
      surplus: { partner: account.u8(306) === 1, creator: account.u8(310) === 1 },
      migrationFee: {
        partner: (account.u8(311) & PARTNER_BIT) !== 0,
        creator: (account.u8(311) & CREATOR_BIT) !== 0,
      },
      leftover: account.u8(309) === 1,
      poolCreationFee: (account.u8(369) & PARTNER_CREATION_BIT) !== 0,
    },
    /** Seconds since 1970 at which the curve was completed; 0 before. */
    finishCurveTimestamp: account.u64(344),
    hasSwap: account.u8(370) === 1,
    /** What the migration left for the protocol. */
    protocolMigrationBaseFee: account.u64(384),
  }
}

/** A bonding curve pool as its account holds it. Amounts in smallest units; `sqrtPrice` is Q64.64. */
export type PoolAccount = NonNullable<ReturnType<typeof decodePool>>
