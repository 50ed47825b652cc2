import type { IncomingMessage } from "node:http"

/** What a URI with its authority begins with; the authority has no user: nobody is logged in that way. */
const ABSOLUTE = /^https?:\/\/([^/?#@\\]+)(?=[/?]|$)/i

/** The characters of a host and its port (RFC 3986, section 3.2.2); it may be empty. */
const HOST = /^[\w.~%!$&'()*+,;=:[\]-]*$/

/** What of the head of a request breaks RFC 9112 although Node's parser takes it. */
export const headFault = (request: IncomingMessage): string | undefined => {
  const { headers, httpVersionMajor, httpVersionMinor, method, url = "" } = request
  if (httpVersionMajor !== 1) return "Only HTTP/1.1 and HTTP/1.0 are spoken here"
  if (headers.host === undefined)
    return httpVersionMinor === 0 ? targetFault(method, url) : "The request has no Host header"
  if (hostsOf(request) > 1) return "The request has more than one Host header"
  if (!HOST.test(headers.host)) return "The Host header is not the name of a host"
  return targetFault(method, url)
}

/** Node keeps the first of several. */
const hostsOf = ({ rawHeaders }: IncomingMessage): number => {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]!.length === 4 && rawHeaders[at]!.toLowerCase() === "host") hosts++
  return hosts
}

const targetFault = (method: string | undefined, target: string): string | undefined => {
  if (target.includes("#")) return "The request target has a fragment (#), which belongs to the client alone"
  if (target.startsWith("/") || (target === "*" && method === "OPTIONS") || ABSOLUTE.test(target)) return undefined
  return "The request target is neither a path nor an http URI"
}

/**
 * Gives a request that names its whole URI (RFC 9112, section 3.2.2) the target it would have had as a path, letter by letter: a
 * parsed URI would have lost what makes a path another one (`/./`, `\`).
 */
export const takeOriginForm = (request: IncomingMessage): void => {
  const [start, authority] = ABSOLUTE.exec(request.url!) ?? []
  if (start === undefined) return
  const rest = request.url!.slice(start.length)
  request.url = rest.startsWith("/") ? rest : `/${rest}`
  request.headers.host = authority
}
