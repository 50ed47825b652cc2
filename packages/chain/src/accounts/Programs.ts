import type { Address } from "@solana/kit"

const known = (text: string): Address => text as Address

/** Meteora's Dynamic Bonding Curve program. */
export const DBC_PROGRAM = known("dbcij3LWUppWqq96dh6gJWwBifmcGfLSB5D4DuSMaqN")
/** Authority over every pool and its vaults: PDA `["pool_authority"]` of the DBC program. */
export const DBC_POOL_AUTHORITY = known("FhVo3mqL8PW5pH5U2CN4XE33DokiyZnUwuGpH2hmHLuM")
/** Signs the events that the program emits by calling itself: PDA `["__event_authority"]`. */
export const DBC_EVENT_AUTHORITY = known("8Ks12pbrD6PXxfty1hVQiE9sc289zgU1zHkvXhrSdriF")
/** Meteora's DAMM v2 (cp-amm), to which curves migrate. */
export const DAMM_V2_PROGRAM = known("cpamdpZCGKUy5JxQXB4dcpGPiikHawvSWAd6mEn1sGG")
/** Owner of the vaults of every DAMM v2 pool: PDA `["pool_authority"]` of its program. */
export const DAMM_V2_POOL_AUTHORITY = known("HLnpSz9h2S4hiLQ43rnSD9XkcUThA7B8hQMKmDaiTLcC")
/** PDA `["__event_authority"]` of the DAMM v2 program. */
export const DAMM_V2_EVENT_AUTHORITY = known("3rmHSu74h1ZcmAisVcWerTCiRDQbUrBKmcwptYGjHfet")
/** Meteora's DAMM v1, to which old curves migrated. */
export const DAMM_V1_PROGRAM = known("Eo7WjKq67rjJQSZxS6z3YkapzY3eMj6Xy8X5EQVn5UaB")
/** Meteora's dynamic vaults, which hold the tokens of DAMM v1 pools. */
export const DYNAMIC_VAULT_PROGRAM = known("24Uqj9JCLxUeoC3hGfh5W3s9FM9uCHDS2SG3LYwBpyTi")
/** Jupiter Lock, which holds locked vesting from the completion of a curve on. */
export const LOCKER_PROGRAM = known("LocpQgucEQHbqNABEYvBvwoxCPsSbG91A1QaQhQQqjn")
export const METADATA_PROGRAM = known("metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s")
export const TOKEN_PROGRAM = known("TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA")
export const TOKEN_2022_PROGRAM = known("TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb")
export const ASSOCIATED_TOKEN_PROGRAM = known("ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL")
export const SYSTEM_PROGRAM = known("11111111111111111111111111111111")
export const LOOKUP_TABLE_PROGRAM = known("AddressLookupTab1e1111111111111111111111111")
export const MEMO_PROGRAM = known("MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr")
export const SYSVAR_CLOCK = known("SysvarC1ock11111111111111111111111111111111")
export const SYSVAR_INSTRUCTIONS = known("Sysvar1nstructions1111111111111111111111111")
/** Wrapped SOL. */
export const NATIVE_MINT = known("So11111111111111111111111111111111111111112")

/** DAMM v2 configurations by `migrationFeeOption` 0 to 6 (DBC SDK `DAMM_V2_MIGRATION_FEE_ADDRESS`). */
export const DAMM_V2_CONFIGS = [
  "7F6dnUcRuyM2TwR8myT1dYypFXpPSxqwKNSFNkxyNESd",
  "2nHK1kju6XjphBLbNxpM5XRGFj7p9U8vvNzyZiha1z6k",
  "Hv8Lmzmnju6m7kcokVKvwqz7QPmdX9XfKjJsXz8RXcjp",
  "2c4cYd4reUYVRAB9kUUkrq55VPyy2FNQ3FDL4o12JXmq",
  "AkmQWebAwFvWk55wBoCr5D62C6VVDTzi84NJuD9H7cFD",
  "DbCRBj8McvPYHJG1ukj8RE15h2dCNUdTAESG49XpQ44u",
  "A8gMrEPJkacWkcb3DGwtJwTe16HktSEfvwtuDh2MCtck",
] as const

/** DAMM v1 configurations by `migrationFeeOption` 0 to 5 (DBC SDK `DAMM_V1_MIGRATION_FEE_ADDRESS`). */
export const DAMM_V1_CONFIGS = [
  "8f848CEy8eY6PhJ3VcemtBDzPPSD4Vq7aJczLZ3o8MmX",
  "HBxB8Lf14Yj8pqeJ8C4qDb5ryHL7xwpuykz31BLNYr7S",
  "7v5vBdUQHTNeqk1HnduiXcgbvCyVEZ612HLmYkQoAkik",
  "EkvP7d5yKxovj884d2DwmBQbrHUWRLGK6bympzrkXGja",
  "9EZYAJrcqNWNQzP2trzZesP7XKMHA1jEomHzbRsdX8R2",
  "8cdKo87jZU2R12KY1BUjjRPwyjgdNjLGqSGQyrDshhud",
] as const
