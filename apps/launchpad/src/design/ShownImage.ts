const LOOPBACK: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"])

/** An image that the policy of the page lets load: over TLS, of the registry itself, or what is here already. */
export const shownImage = (uri: string | null | undefined, origin: string): string | undefined => {
  const url = URL.parse(uri ?? "")
  if (url === null) return undefined
  if (["https:", "data:"].includes(url.protocol) || url.origin === origin) return url.href
  // In local mode a registry has one name, and people open another one of the same machine.
  const isSameMachine = LOOPBACK.has(url.hostname) && LOOPBACK.has(new URL(origin).hostname)
  return isSameMachine && url.protocol === "http:" ? new URL(url.pathname, origin).href : undefined
}
