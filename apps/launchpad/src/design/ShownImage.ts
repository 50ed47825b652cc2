/** An image that the policy of the page lets load: over TLS, of the registry itself, or what is here already. */
export const shownImage = (uri: string | null | undefined, origin: string): string | undefined => {
  const url = URL.parse(uri ?? "")
  return url !== null && (["https:", "data:"].includes(url.protocol) || url.origin === origin) ? url.href : undefined
}
