import { createRequire } from "node:module"
import { DAMM_V2_CONFIGS } from "@launch-registry/chain/launch/Programs"
import type { Cluster } from "./Cluster.ts"
import type { Wallet } from "./Wallet.ts"

/**
 * Migrates a completed curve to DAMM v2, as a keeper of Meteora does on public clusters; anybody may. `option` is the
 * `migrationFeeOption` of the curve's configuration.
 */
export const migratePool = async (cluster: Cluster, payer: Wallet, pool: string, option: number): Promise<string> => {
  // A dependency of the SDK writes to the console that its optional native part is missing.
  // oxlint-disable-next-line no-console
  console.warn = () => undefined
  const { DynamicBondingCurveClient } = await import("@meteora-ag/dynamic-bonding-curve-sdk")
  const sdkFile = createRequire(import.meta.url).resolve("@meteora-ag/dynamic-bonding-curve-sdk")
  // The SDK's own version: its classes are compared by identity.
  const web3 = createRequire(sdkFile)("@solana/web3.js")
  const connection = new web3.Connection(cluster.url, "confirmed")
  const signer = web3.Keypair.fromSecretKey(payer.secretKey)
  const client = new DynamicBondingCurveClient(connection, "confirmed")
  const { firstPositionNftKeypair, secondPositionNftKeypair, transaction } = await client.migration.migrateToDammV2({
    payer: signer.publicKey,
    pool: new web3.PublicKey(pool),
    dammConfig: new web3.PublicKey(DAMM_V2_CONFIGS[option]),
  } as never)
  transaction.feePayer = signer.publicKey
  transaction.recentBlockhash = (await connection.getLatestBlockhash()).blockhash
  transaction.sign(signer, firstPositionNftKeypair as never, secondPositionNftKeypair as never)
  return cluster.send(transaction.serialize().toString("base64"))
}
