/** Wallets and assets of generated bridge swaps, known to the stand-in for the swap service. */
export const SOL_USER = "7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU"
export const EVM_USER = "0x742d35Cc6634C0532925a3b844Bc454e4438f44e"
export const STELLAR_USER = "GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN"
export const USDC_ON_SOL = "nep141:sol-5ce3bf3a31af18be40ba30f721101b4341690186.omft.near"
export const USDC_ON_ARB = "nep141:arb-0xaf88d065e77c8cc2239327c5edb3a432268e5831.omft.near"
export const XLM = "nep245:v2_1.omni.hot.tg:1100_111bzQBB5v7AhLyPMDwS8uJgQV24KaAPXtwyVWu2KXbbfQU6NXRCz"
