import { createRequire } from "node:module"
import * as sdk from "@meteora-ag/dynamic-bonding-curve-sdk"
import BN from "bn.js"
import { contest, SWAP } from "./BuildContest.ts"

/** A swap on the curve: the plain DBC SDK and our service. */
const web3 = createRequire(createRequire(import.meta.url).resolve("@meteora-ag/dynamic-bonding-curve-sdk"))(
  "@solana/web3.js",
)

/** As in the SDK's documentation. */
const plainly = (url: string) => {
  const connection = new web3.Connection(url, "confirmed")
  const client = new sdk.DynamicBondingCurveClient(connection, "confirmed")
  const owner = new web3.PublicKey(SWAP.signer)
  const baseMint = new web3.PublicKey(SWAP.baseMint)
  const amountIn = new BN(SWAP.amountIn.toString())
  return async () => {
    const found = (await client.state.getPoolByBaseMint(baseMint)) as never as {
      readonly publicKey: unknown
      readonly account: { readonly config: unknown; readonly poolState?: { readonly config: unknown } }
    }
    const state = found.account.poolState ?? found.account
    const config = (await client.state.getPoolConfig(state.config as never)) as never as {
      readonly activationType: number
    }
    const currentPoint = await sdk.getCurrentPoint(connection, config.activationType)
    const quote = client.pool.swapQuote({
      virtualPool: found.account as never,
      config: config as never,
      swapBaseForQuote: SWAP.swapBaseForQuote,
      amountIn,
      slippageBps: SWAP.slippageBps,
      hasReferral: false,
      currentPoint,
      eligibleForFirstSwapWithMinFee: false,
    })
    const transaction = await client.pool.swap({
      owner,
      pool: found.publicKey as never,
      amountIn,
      minimumAmountOut: quote.minimumAmountOut,
      swapBaseForQuote: SWAP.swapBaseForQuote,
      referralTokenAccount: null,
    })
    const { blockhash } = await connection.getLatestBlockhash("confirmed")
    transaction.recentBlockhash = blockhash
    transaction.feePayer = owner
    return transaction.serialize({ requireAllSignatures: false }).length
  }
}

await contest("mid", "the SDK, plainly", plainly)
process.exit()
