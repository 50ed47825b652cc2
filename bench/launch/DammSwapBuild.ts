import { createRequire } from "node:module"
import * as sdk from "@meteora-ag/cp-amm-sdk"
import BN from "bn.js"
import { contest, SWAP } from "./BuildContest.ts"

/** A swap after the migration: the plain DAMM v2 SDK and our service. */
const sdkRequire = createRequire(createRequire(import.meta.url).resolve("@meteora-ag/cp-amm-sdk"))
const web3 = sdkRequire("@solana/web3.js")
const { getMint, NATIVE_MINT, TOKEN_PROGRAM_ID } = sdkRequire("@solana/spl-token")
const SOL_DECIMALS = 9

/** As in the SDK's documentation. */
const plainly = (url: string) => {
  const connection = new web3.Connection(url, "confirmed")
  const client = new sdk.CpAmm(connection)
  const payer = new web3.PublicKey(SWAP.signer)
  const baseMint = new web3.PublicKey(SWAP.baseMint)
  const amountIn = new BN(SWAP.amountIn.toString())
  return async () => {
    const [found] = await client.fetchPoolStatesByTokenAMint(baseMint)
    const { account: poolState, publicKey: pool } = found!
    const currentPoint = await sdk.getCurrentPoint(connection, poolState.activationType)
    const { decimals } = await getMint(connection, baseMint, "confirmed", TOKEN_PROGRAM_ID)
    const { minimumAmountOut } = client.getQuote2({
      ...{ inputTokenMint: NATIVE_MINT, slippage: SWAP.slippageBps / 100, poolState, currentPoint, hasReferral: false },
      ...{ tokenADecimal: decimals, tokenBDecimal: SOL_DECIMALS, swapMode: sdk.SwapMode.ExactIn, amountIn },
    })
    // Reads the pool once more, for its fee.
    const transaction = await client.swap({
      ...{ payer, pool, inputTokenMint: NATIVE_MINT, outputTokenMint: baseMint, amountIn },
      minimumAmountOut: minimumAmountOut!,
      ...{ tokenAVault: poolState.tokenAVault, tokenBVault: poolState.tokenBVault },
      ...{ tokenAMint: poolState.tokenAMint, tokenBMint: poolState.tokenBMint },
      ...{ tokenAProgram: TOKEN_PROGRAM_ID, tokenBProgram: TOKEN_PROGRAM_ID, referralTokenAccount: null },
    })
    const { blockhash } = await connection.getLatestBlockhash("confirmed")
    transaction.recentBlockhash = blockhash
    transaction.feePayer = payer
    return transaction.serialize({ requireAllSignatures: false }).length
  }
}

await contest("migrated", "the SDK, plainly", plainly)
process.exit()
