import type { Ledger } from "./Ledger.ts"

/** The version of Agave whose JSON-RPC answers these are like. */
export const NODE_VERSION = "4.2.0"

/** Puts the slot that a value is of beside it, as JSON-RPC does. */
export const inContext = (ledger: Ledger) => (value: unknown) => ({
  context: { apiVersion: NODE_VERSION, slot: Number(ledger.slot) },
  value,
})
