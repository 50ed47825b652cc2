import type { Cluster } from "./Cluster.ts"
import { type LaunchedToken, launchToken } from "./Launch.ts"
import { migratePool } from "./MigratePool.ts"
import { Refused, type Registry } from "./Registry.ts"
import { planTrade, remainingOf, trade } from "./Trade.ts"
import { newWallet, type Wallet } from "./Wallet.ts"

export interface DemoOptions {
  readonly launches: number
  /** How many of them graduate, after half of the trades. */
  readonly graduate: number
  readonly wallets: number
  readonly trades: number
  /** Trades a second. */
  readonly rate: number
  readonly say: (line: string) => void
}

const LAMPORTS_PER_SOL = 1_000_000_000n
const CREATOR_SOL = 2_000n
const TRADER_SOL = 100n
const INDEX_PAUSE_MILLIS = 200
/** The index follows within a second; a minute is for busy machines. */
const INDEX_TRIES = 300

const fundedWallet = async (cluster: Cluster, sol: bigint): Promise<Wallet> => {
  const wallet = await newWallet()
  await cluster.airdrop(wallet.address, sol * LAMPORTS_PER_SOL)
  return wallet
}

/** Completes a curve and migrates its pool. */
const graduate = async (registry: Registry, cluster: Cluster, token: LaunchedToken): Promise<string> => {
  const { baseMint, creator } = token
  const amount = await remainingOf(registry, token)
  await trade(registry, cluster, token, { wallet: creator, amount, isSale: false })
  const { migrationFeeOption } = await registry.read<{ readonly migrationFeeOption: number }>(
    `/api/launch/pool/config/${baseMint}`,
  )
  const { pool } = await registry.read<{ readonly pool: string }>(`/api/launch/pool/state/${baseMint}`)
  await migratePool(cluster, creator, pool, migrationFeeOption)
  const { graduatedPool } = await registry.read<{ readonly graduatedPool: string }>(
    `/api/launch/pool/state/${baseMint}`,
  )
  token.hasGraduated = true
  return graduatedPool
}

/** How many trades of a token the index has, once it has those that landed or time is up. */
const indexedTrades = async (registry: Registry, { baseMint, trades }: LaunchedToken): Promise<number> => {
  let found = 0
  for (let tries = 0; tries < INDEX_TRIES && found < trades; tries++) {
    if (tries > 0) await new Promise((resolve) => setTimeout(resolve, INDEX_PAUSE_MILLIS))
    const listed = await registry
      .read<ReadonlyArray<unknown>>(`/api/launch/pool/${baseMint}/trades?limit=1000`)
      .catch(() => [])
    found = listed.length
  }
  return found
}

/** Launches tokens, trades them at a rate, and lets some graduate; returns them, with how many trades were indexed. */
export const playDemo = async (registry: Registry, cluster: Cluster, options: DemoOptions) => {
  const { rate, say } = options
  const wallets: Array<Wallet> = []
  for (let n = 0; n < options.wallets; n++) wallets.push(await fundedWallet(cluster, TRADER_SOL))
  say(`${wallets.length} wallets have ${TRADER_SOL} SOL each`)
  const tokens: Array<LaunchedToken> = []
  for (let n = 0; n < options.launches; n++) {
    const token = await launchToken(registry, cluster, await fundedWallet(cluster, CREATOR_SOL), n)
    tokens.push(token)
    say(`launched ${token.symbol}  ${registry.url}/api/launch/pool/state/${token.baseMint}`)
  }
  const startedAt = Date.now()
  for (let n = 0; n < options.trades; n++) {
    const wait = startedAt + (n * 1_000) / rate - Date.now()
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
    if (n === Math.floor(options.trades / 2))
      for (const token of tokens.slice(0, options.graduate))
        say(`${token.symbol} graduated to ${await graduate(registry, cluster, token)}`)
    const token = tokens[Math.floor(Math.random() * tokens.length)]!
    const planned = planTrade(token, wallets)
    const who = `${planned.wallet.address.slice(0, 4)}… ${planned.isSale ? "sells" : "buys"}`
    try {
      const price = await trade(registry, cluster, token, planned)
      say(`${who} ${token.symbol} at ${price} SOL`)
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      say(`${who} ${token.symbol}: refused, ${error.message}`)
    }
  }
  return Promise.all(tokens.map(async (token) => ({ ...token, indexed: await indexedTrades(registry, token) })))
}
