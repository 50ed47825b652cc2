import type { Cluster } from "./Cluster.ts"
import type { Registry } from "./Registry.ts"
import { tokenPicture } from "./TokenPicture.ts"
import type { Wallet } from "./Wallet.ts"

/** A launched token, and what the demo's wallets hold of it, in its smallest unit. */
export interface LaunchedToken {
  readonly symbol: string
  readonly baseMint: string
  readonly creator: Wallet
  readonly holdings: Map<Wallet, bigint>
  /** Trades that landed. */
  trades: number
  hasGraduated: boolean
}

const NAMES = ["Harbour", "Lantern", "Marble", "Orchid", "Pepper", "Quartz", "Ripple", "Saffron", "Thimble", "Walnut"]

const metadataOf = (n: number) => {
  const name = NAMES[n % NAMES.length]!
  const symbol = `${name.slice(0, 4).toUpperCase()}${Math.floor(n / NAMES.length) || ""}`
  return { name, symbol, description: `${name} is a token of the demo`, website: "https://example.com" }
}

/** Uploads an image, builds a configuration and a pool at the service, signs and sends both. */
export const launchToken = async (
  registry: Registry,
  cluster: Cluster,
  creator: Wallet,
  n: number,
): Promise<LaunchedToken> => {
  const metadata = { ...metadataOf(n), imageUri: await registry.upload(tokenPicture(n)) }
  const signer = creator.address
  const config = await registry.post<{ readonly dbcConfigKeypair: object; readonly transaction: string }>(
    "/api/launch/dbc-config",
    { signer, metadata },
  )
  await cluster.send(await creator.sign(config.transaction))
  const { dbcConfigKeypair } = config
  const { baseMint, transaction } = await registry.post<{ readonly baseMint: string; readonly transaction: string }>(
    "/api/launch/deploy-token",
    { signer, metadata, dbcConfigKeypair },
  )
  await cluster.send(await creator.sign(transaction))
  return { symbol: metadata.symbol, baseMint, creator, holdings: new Map(), trades: 0, hasGraduated: false }
}
