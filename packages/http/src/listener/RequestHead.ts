import type { IncomingMessage } from "node:http"

/** Start of a request target in absolute form; user information is not supported. */
const ABSOLUTE = /^https?:\/\/([^/?#@\\]+)(?=[/?]|$)/i

/** Characters of host and port (RFC 3986, section 3.2.2); may be empty. */
const HOST = /^[\w.~%!$&'()*+,;=:[\]-]*$/

/** Violations of RFC 9112 that Node's parser accepts. */
export const headFault = (request: IncomingMessage): string | undefined => {
  const { headers, httpVersionMajor, httpVersionMinor, method, url = "" } = request
  if (httpVersionMajor !== 1) return "Only HTTP/1.1 and HTTP/1.0 are supported"
  if (headers.host === undefined)
    return httpVersionMinor === 0 ? targetFault(method, url) : "The request has no Host header"
  if (hostsOf(request) > 1) return "The request has more than one Host header"
  if (!HOST.test(headers.host)) return "The Host header is invalid"
  return targetFault(method, url)
}

/** Node keeps only the first Host header. */
const hostsOf = ({ rawHeaders }: IncomingMessage): number => {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]!.length === 4 && rawHeaders[at]!.toLowerCase() === "host") hosts++
  return hosts
}

const targetFault = (method: string | undefined, target: string): string | undefined => {
  if (target.includes("#")) return "The request target has a fragment (#), which must not be sent"
  if (target.startsWith("/") || (target === "*" && method === "OPTIONS") || ABSOLUTE.test(target)) return undefined
  return "The request target is neither a path nor an http URI"
}

/**
 * Converts a target in absolute form (RFC 9112, section 3.2.2) to origin form, textually: a parsed URI would normalize
 * `/./` and `\`.
 */
export const takeOriginForm = (request: IncomingMessage): void => {
  const [start, authority] = ABSOLUTE.exec(request.url!) ?? []
  if (start === undefined) return
  const rest = request.url!.slice(start.length)
  request.url = rest.startsWith("/") ? rest : `/${rest}`
  request.headers.host = authority
}
