import type { Cluster } from "./Cluster.ts"
import type { LaunchedToken } from "./Launch.ts"
import { Refused, type Registry } from "./Registry.ts"
import type { Wallet } from "./Wallet.ts"

/** A trade to make. `amount` in smallest units: lamports for a buy, of the token for a sale. */
export interface PlannedTrade {
  readonly wallet: Wallet
  readonly amount: bigint
  readonly isSale: boolean
}

interface BuiltSwap {
  readonly transaction: string
  readonly quote: { readonly expectedAmountOut: string; readonly priceAfter: string }
}

const LAMPORTS_PER_SOL = 1_000_000_000
const SLIPPAGE_BPS = 500

/** What somebody might do next: mostly buys of 0.02 to 0.5 SOL, and sales of a part of what was bought. */
export const planTrade = (token: LaunchedToken, wallets: ReadonlyArray<Wallet>): PlannedTrade => {
  const wallet = wallets[Math.floor(Math.random() * wallets.length)]!
  const held = token.holdings.get(wallet) ?? 0n
  const part = BigInt(Math.ceil(Math.random() * 80))
  if (held > 100n && Math.random() < 0.4) return { wallet, amount: (held * part) / 100n, isSale: true }
  return { wallet, amount: BigInt(Math.ceil((0.02 + Math.random() * 0.48) * LAMPORTS_PER_SOL)), isSale: false }
}

/** Builds a swap at the service, signs and sends it; returns the expected price after it, in SOL. */
export const trade = async (
  registry: Registry,
  cluster: Cluster,
  token: LaunchedToken,
  { amount, isSale, wallet }: PlannedTrade,
): Promise<string> => {
  const { baseMint, holdings } = token
  const built = await registry.post<BuiltSwap>("/api/launch/swap", {
    ...{ baseMint, signer: wallet.address, amount: String(amount) },
    ...{ slippageBps: SLIPPAGE_BPS, swapBaseForQuote: isSale },
  })
  await cluster.send(await wallet.sign(built.transaction))
  const held = holdings.get(wallet) ?? 0n
  // At least this much was received; a sale is only ever of what is certainly held.
  const received = (BigInt(built.quote.expectedAmountOut) * BigInt(10_000 - SLIPPAGE_BPS)) / 10_000n
  holdings.set(wallet, isSale ? held - amount : held + received)
  token.trades++
  return built.quote.priceAfter
}

/** How much completes the curve, in lamports: an amount above is refused with it. */
export const remainingOf = async (registry: Registry, { baseMint }: LaunchedToken): Promise<bigint> => {
  const amount = String(10n ** 18n)
  try {
    await registry.post("/api/launch/quote", { mintAddress: baseMint, amount, swapBaseForQuote: false })
  } catch (error) {
    const maximum = error instanceof Refused ? error.issues[0]?.maximum : undefined
    if (maximum !== undefined) return BigInt(maximum)
    throw error
  }
  throw new Error("a quote for more than there is SOL was not refused")
}
