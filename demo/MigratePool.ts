import { createRequire } from "node:module"
import { DAMM_V2_CONFIGS } from "@launch-registry/chain/accounts/Programs"
import type { Cluster } from "./Cluster.ts"
import type { Wallet } from "./Wallet.ts"

/** A completed curve, and who pays for its migration. */
export interface Migration {
  /** 64 bytes. */
  readonly secretKey: Uint8Array
  readonly pool: string
  /** The `migrationFeeOption` of the curve's configuration. */
  readonly option: number
}

/** The signed transaction (base64) that migrates a completed curve to DAMM v2, by the SDK. */
export const migrationOf = async (url: string, { option, pool, secretKey }: Migration): Promise<string> => {
  // A dependency of the SDK writes to the console that its optional native part is missing.
  // oxlint-disable-next-line no-console
  console.warn = () => undefined
  const { DynamicBondingCurveClient } = await import("@meteora-ag/dynamic-bonding-curve-sdk")
  const sdkFile = createRequire(import.meta.url).resolve("@meteora-ag/dynamic-bonding-curve-sdk")
  // The SDK's own version: its classes are compared by identity.
  const web3 = createRequire(sdkFile)("@solana/web3.js")
  const connection = new web3.Connection(url, "confirmed")
  const signer = web3.Keypair.fromSecretKey(secretKey)
  const client = new DynamicBondingCurveClient(connection, "confirmed")
  const { firstPositionNftKeypair, secondPositionNftKeypair, transaction } = await client.migration.migrateToDammV2({
    payer: signer.publicKey,
    pool: new web3.PublicKey(pool),
    dammConfig: new web3.PublicKey(DAMM_V2_CONFIGS[option]),
  } as never)
  transaction.feePayer = signer.publicKey
  transaction.recentBlockhash = (await connection.getLatestBlockhash()).blockhash
  transaction.sign(signer, firstPositionNftKeypair as never, secondPositionNftKeypair as never)
  return transaction.serialize().toString("base64")
}

/** Migrates a completed curve to DAMM v2, as a keeper of Meteora does on public clusters; anybody may. */
export const migratePool = async (cluster: Cluster, payer: Wallet, pool: string, option: number): Promise<string> =>
  cluster.send(await migrationOf(cluster.url, { secretKey: payer.secretKey, pool, option }))
