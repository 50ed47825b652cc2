import { Redacted } from "effect"

/** Helius' RPC endpoint of a network, with the key in it. */
export const heliusRpcUrl = (network: string, apiKey: Redacted.Redacted): Redacted.Redacted =>
  Redacted.make(`https://${network}.helius-rpc.com/?api-key=${encodeURIComponent(Redacted.value(apiKey))}`)
