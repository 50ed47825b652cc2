import { brand } from "../../brand.ts"
import { NETWORK } from "../registry/Connection.ts"

/** Where an explorer shows a transaction or an account; `undefined` on a chain that none knows. */
export const explorerOf = (kind: "tx" | "account", id: string): string | undefined => {
  if (NETWORK === "localnet") return undefined
  const href = brand.explorer.replace("{kind}", kind).replace("{id}", id)
  return NETWORK === "mainnet" ? href : `${href}?cluster=${NETWORK}`
}
