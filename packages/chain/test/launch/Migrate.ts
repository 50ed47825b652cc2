import type { Base64EncodedWireTransaction } from "@solana/kit"
import { Effect } from "effect"
import { migrationOf } from "../../../../demo/MigratePool.ts"
import { LocalChain } from "../../src/localnet/LocalChain.ts"
import { Rpc } from "../../src/rpc/Rpc.ts"

/** Migrates the pool as a keeper does, with the SDK's own transaction; returns its signature. */
export const migrate = Effect.fn(function* (secretKey: Uint8Array, pool: string, option: number) {
  const { url } = yield* LocalChain
  const rpc = yield* Rpc
  const wire = yield* Effect.promise(() => migrationOf(url, { secretKey, pool, option }))
  return yield* rpc.call((kit) => kit.sendTransaction(wire as Base64EncodedWireTransaction, { encoding: "base64" }))
})
