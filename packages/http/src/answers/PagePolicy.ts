/**
 * Headers of a page: it may be put into no frame, and of what it may load and where it may send something, to what `directives` say and to
 * nothing else.
 */
export const pagePolicy = (directives: ReadonlyArray<string>): Readonly<Record<string, string>> => ({
  "content-security-policy": [
    "default-src 'none'",
    ...directives,
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; "),
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
})
