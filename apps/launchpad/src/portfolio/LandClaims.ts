import { land } from "@launch-registry/client"
import { wholeAmount } from "../figures/Format.ts"
import { SOL_DECIMALS } from "../figures/Sol.ts"
import { registry } from "../registry/Connection.ts"
import type { Wallet } from "../wallet/Wallet.ts"
import type { Claim } from "./Worth.ts"

/** Why a claim ended; undefined where it landed. */
const landOne = async (
  mintAddress: string,
  { address, sign, transactionVersion }: Wallet,
  say: (step: string) => void,
): Promise<string | undefined> => {
  say("is built")
  const built = await registry.launch.claim({ body: { walletAddress: address, mintAddress, transactionVersion } })
  if (!built.success) return built.message
  const { transactions, wallet } = built.data
  if (!wallet.sufficient)
    return `The wallet lacks ${wholeAmount(wallet.shortfall, SOL_DECIMALS)} SOL for rent and fees. Nothing was signed.`
  say("waits for your signature")
  const landed = await land(
    registry,
    transactions.map((one) => ({ ...built.data, ...one })),
    { sign, onState: ({ state }) => say(`is ${state === "pending" ? "on its way" : state}`) },
  )
  return landed.success ? undefined : landed.message
}

/** Claims one token after the other, and ends at the first that fails: what was claimed before stays. Says each step, and why it ended. */
export const landClaims = async (
  claims: ReadonlyArray<Claim>,
  wallet: Wallet,
  say: (text: string) => void,
): Promise<string | undefined> => {
  for (const [index, { mint, symbol }] of claims.entries()) {
    const which =
      claims.length === 1 ? `The claim of ${symbol}` : `${index + 1} of ${claims.length}: the claim of ${symbol}`
    try {
      const failure = await landOne(mint, wallet, (step) => say(`${which} ${step}`))
      if (failure !== undefined) return `${symbol}: ${failure}`
    } catch (error) {
      return `${symbol}: the wallet did not sign. ${error instanceof Error ? error.message : String(error)}`
    }
  }
  return undefined
}
