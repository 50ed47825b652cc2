/** An image that the page's policy lets load: over TLS, or of the service itself. */
export const shownImage = (uri: string | null, origin: string | undefined): string | undefined => {
  const url = uri === null ? null : URL.parse(uri)
  return url !== null && (url.protocol === "https:" || url.origin === origin) ? url.href : undefined
}
