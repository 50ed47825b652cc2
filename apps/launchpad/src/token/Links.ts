import { REGISTRY_URL } from "../registry/Connection.ts"
import type { TokenFacts } from "./useToken.ts"

/** A link that somebody registered, where it is one of the web: another scheme could run code. */
export const safeLink = (uri: string): string | undefined => {
  const url = URL.parse(uri)
  if (url?.protocol === "https:") return url.href
  return url?.protocol === "ipfs:"
    ? new URL(`ipfs/${uri.slice("ipfs://".length).replace(/^\/+/, "")}`, REGISTRY_URL).href
    : undefined
}

const NAMES = [
  ["website", "Website"],
  ["twitter", "X"],
  ["telegram", "Telegram"],
] as const

/** Links of a token by their names: as registered, or else as its metadata document has them. */
export const linksOf = ({ document, token }: TokenFacts): ReadonlyArray<readonly [name: string, href: string]> =>
  NAMES.flatMap(([field, name]) => {
    const href = safeLink(token?.metadata[field] || document?.[field] || "")
    return href === undefined ? [] : [[name, href] as const]
  })
