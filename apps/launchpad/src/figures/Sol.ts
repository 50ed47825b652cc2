/** Mint of wrapped SOL, which stands for SOL. */
export const WRAPPED_SOL = "So11111111111111111111111111111111111111112"
export const SOL_DECIMALS = 9
