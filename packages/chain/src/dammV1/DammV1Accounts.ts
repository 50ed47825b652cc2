import { AccountReader } from "../accounts/AccountReader.ts"

/** `Pool` (dynamic-amm IDL) and `Vault` (dynamic-vault IDL): sha256("account:...") of each. */
const POOL = "f19a6d0411b16dbc"
const VAULT = "d308e82b02987577"
/** Up to the last field that is read; the programs reserve more. */
const POOL_BYTES_MIN = 875
const VAULT_BYTES_MIN = 1227
const CONSTANT_PRODUCT = 0
/** `locked_profit_degradation` is over this, in a second. */
const DEGRADATION_DENOMINATOR = 1_000_000_000_000n

/** The pool in `bytes`, or `undefined` when they are no DAMM v1 pool account. Its tokens lie in two dynamic vaults, of which it holds shares (LP tokens). */
export const decodeDammV1Pool = (bytes: Uint8Array) => {
  const account = new AccountReader(bytes)
  if (!account.is(Math.max(bytes.length, POOL_BYTES_MIN), [POOL])) return undefined
  return {
    /** Mint of the shares of the pool itself. */
    lpMint: account.address(8),
    tokenAMint: account.address(40),
    tokenBMint: account.address(72),
    aVault: account.address(104),
    bVault: account.address(136),
    /** Token accounts with the pool's shares of the vaults. */
    aVaultLp: account.address(168),
    bVaultLp: account.address(200),
    isEnabled: account.u8(233) !== 0,
    protocolTokenAFee: account.address(234),
    protocolTokenBFee: account.address(266),
    tradeFeeNumerator: account.u64(330),
    tradeFeeDenominator: account.u64(338),
    /** The protocol's part of the trade fee. */
    protocolFeeNumerator: account.u64(346),
    protocolFeeDenominator: account.u64(354),
    /** Shares of the pool that can never be withdrawn. */
    totalLockedLp: account.u64(395),
    activationPoint: account.u64(403),
    /** 0 slots, 1 seconds. */
    activationType: account.u8(475),
    /** Else a stable swap, which DBC never makes. */
    isConstantProduct: account.u8(874) === CONSTANT_PRODUCT,
  }
}

export type DammV1PoolAccount = NonNullable<ReturnType<typeof decodeDammV1Pool>>

/** The vault in `bytes`, or `undefined` when they are no vault account. It holds tokens of many pools, partly lent out. */
export const decodeDynamicVault = (bytes: Uint8Array) => {
  const account = new AccountReader(bytes)
  if (!account.is(Math.max(bytes.length, VAULT_BYTES_MIN), [VAULT])) return undefined
  return {
    /** Else it takes no deposits, so that nothing can be swapped into it. */
    isEnabled: account.u8(8) !== 0,
    /** In its token account and lent out. */
    totalAmount: account.u64(11),
    tokenVault: account.address(19),
    tokenMint: account.address(83),
    lpMint: account.address(115),
    /** Profit that is released little by little, since `lastReport` (Unix time in seconds). */
    lockedProfit: account.u64(1203),
    lastReport: account.u64(1211),
    lockedProfitDegradation: account.u64(1219),
  }
}

export type DynamicVaultAccount = NonNullable<ReturnType<typeof decodeDynamicVault>>

/** What the shares of a vault are worth together, at a time (Unix, seconds); `undefined` where the program fails. */
export const unlockedAmount = (vault: DynamicVaultAccount, timeSeconds: bigint): bigint | undefined => {
  const passed = timeSeconds - vault.lastReport
  if (passed < 0n) return undefined
  const released = passed * vault.lockedProfitDegradation
  const locked =
    released > DEGRADATION_DENOMINATOR
      ? 0n
      : (vault.lockedProfit * (DEGRADATION_DENOMINATOR - released)) / DEGRADATION_DENOMINATOR
  return locked > vault.totalAmount ? undefined : vault.totalAmount - locked
}
