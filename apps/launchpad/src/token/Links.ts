import type { TokenFacts } from "./useToken.ts"

/** A link that somebody registered, where it is one of the web, or of content at the registry: another scheme could run code. */
export const safeLink = (uri: string, registry: string): string | undefined => {
  const url = URL.parse(uri)
  if (url?.protocol === "https:") return url.href
  if (url?.protocol !== "ipfs:") return undefined
  const gateway = new URL("ipfs/", registry).href
  const { href } = new URL(`ipfs/${uri.slice("ipfs://".length).replace(/^[/\\]+/, "")}`, registry)
  return href.startsWith(gateway) ? href : undefined
}

/** With the hosts that a link of this name leads to. */
const NAMES = [
  ["website", "Website", undefined],
  ["twitter", "X", /^((www|mobile)\.)?(x|twitter)\.com$/],
  ["telegram", "Telegram", /^(www\.)?(t|telegram)\.me$/],
] as const

/** Links of a token by their names: as registered, or else as its metadata document has them. One that leads elsewhere has the name of its host. */
export const linksOf = (
  { document, token }: Pick<TokenFacts, "document" | "token">,
  registry: string,
): ReadonlyArray<readonly [name: string, href: string]> =>
  NAMES.flatMap(([field, name, hosts]) => {
    const href = safeLink(token?.metadata[field] || document?.[field] || "", registry)
    if (href === undefined) return []
    const { hostname } = new URL(href)
    return [[hosts === undefined || hosts.test(hostname) ? name : hostname, href] as const]
  })
