import { Layer, Option, type Redacted } from "effect"
import { HeliusHistory } from "../helius/HeliusHistory.ts"
import { heliusChainHistory } from "./HeliusChainHistory.ts"
import { rpcHistory } from "./RpcHistory.ts"

/** Time for nodes to index the signatures of blocks that they have finalized, which may be as soon as they have them. */
const MARGIN_SLOTS = 64

/**
 * The history of a network: Helius' bulk call when there is a key, any RPC endpoint otherwise. A localnet is one node, which lists
 * all it has.
 */
export const finalizedHistory = (network: string, heliusUrl: Option.Option<Redacted.Redacted>) => {
  const rpc = rpcHistory({ marginSlots: network === "localnet" ? 0 : MARGIN_SLOTS })
  return Option.match(heliusUrl, {
    onNone: () => rpc,
    onSome: (rpcUrl) => heliusChainHistory.pipe(Layer.provide(HeliusHistory.layer({ rpcUrl })), Layer.provide(rpc)),
  })
}
