import { createRequire } from "node:module"
import type { Base64EncodedWireTransaction } from "@solana/kit"
import { Effect } from "effect"
import { DAMM_V2_CONFIGS } from "../../src/launch/Programs.ts"
import { LocalChain } from "../../src/localnet/LocalChain.ts"
import { Rpc } from "../../src/rpc/Rpc.ts"

/** Migrates the pool as a keeper does, with the SDK's own transaction; returns its signature. */
export const migrate = Effect.fn(function* (payerSecret: Uint8Array, pool: string, option: number) {
  const { url } = yield* LocalChain
  const rpc = yield* Rpc
  const wire = yield* Effect.promise(async () => {
    const sdk = await import("@meteora-ag/dynamic-bonding-curve-sdk")
    const sdkFile = createRequire(import.meta.url).resolve("@meteora-ag/dynamic-bonding-curve-sdk")
    const web3 = createRequire(sdkFile)("@solana/web3.js")
    const connection = new web3.Connection(url, "confirmed")
    const client = new sdk.DynamicBondingCurveClient(connection, "confirmed")
    const payer = web3.Keypair.fromSecretKey(payerSecret)
    const { firstPositionNftKeypair, secondPositionNftKeypair, transaction } = await client.migration.migrateToDammV2({
      pool: new web3.PublicKey(pool),
      dammConfig: new web3.PublicKey(DAMM_V2_CONFIGS[option]),
      payer: payer.publicKey,
    } as never)
    transaction.feePayer = payer.publicKey
    transaction.recentBlockhash = (await connection.getLatestBlockhash()).blockhash
    transaction.sign(payer, firstPositionNftKeypair as never, secondPositionNftKeypair as never)
    return transaction.serialize().toString("base64")
  })
  return yield* rpc.call((kit) => kit.sendTransaction(wire as Base64EncodedWireTransaction, { encoding: "base64" }))
})
