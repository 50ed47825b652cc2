/** An image that the policy of the page lets load: over TLS, or of the registry itself. */
export const shownImage = (uri: string | null | undefined, origin: string): string | undefined => {
  const url = URL.parse(uri ?? "")
  return url !== null && (url.protocol === "https:" || url.origin === origin) ? url.href : undefined
}
