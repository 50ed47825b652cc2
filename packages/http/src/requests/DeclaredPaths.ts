/** The part of HttpApi used here. */
interface DeclaredRoutes {
  readonly groups: {
    readonly [group: string]: {
      readonly endpoints: { readonly [endpoint: string]: { readonly method: string; readonly path: string } }
    }
  }
}

/** The served paths, for what the router does not expose. */
export interface DeclaredPaths {
  /** The declared path that serves a request, as the router would find it. */
  readonly routeOf: (method: string, path: string) => string | undefined
  /** Methods of a path, for 405. */
  readonly methodsOf: (path: string) => ReadonlyArray<string>
  /**
   * Whether a path matches a declared one literally. The router decodes paths first, so `/api/%74okens` would match
   * `/api/tokens`, and accepts empty parameters: both would bypass rules of a reverse proxy.
   */
  readonly isExact: (path: string) => boolean
}

export const declaredPaths = (
  api: DeclaredRoutes,
  others: ReadonlyArray<readonly [method: string, path: string]>,
): DeclaredPaths => {
  const routes = Object.values(api.groups).flatMap((group) =>
    Object.values(group.endpoints).map((endpoint) => [endpoint.method, endpoint.path] as const),
  )
  const patterns = [...routes, ...others].map(([method, path]) => ({ method, path, matches: patternOf(path) }))
  const isExact = (path: string): boolean => {
    // The router matches any other path literally.
    if (!path.includes("%") && !path.includes("//") && !path.endsWith("/")) return true
    const decoded = path.replaceAll(ENCODED, (byte) => decodedByte(byte))
    const isWritten = ({ matches }: { readonly matches: RegExp }) => matches.test(path)
    return patterns.some(isWritten) && patterns.every((one) => isWritten(one) || !one.matches.test(decoded))
  }
  return {
    isExact,
    routeOf: (method, path) => {
      const served = method === "HEAD" ? "GET" : method
      const found = patterns.filter((one) => one.method === served && one.matches.test(path))
      return (found.find((one) => one.path === path) ?? found[0])?.path
    },
    methodsOf: (path) => {
      if (!isExact(path)) return []
      const methods = new Set(patterns.filter(({ matches }) => matches.test(path)).map(({ method }) => method))
      if (methods.has("GET")) methods.add("HEAD")
      return [...methods].sort()
    },
  }
}

const ENCODED = /%[0-9A-Fa-f]{2}/g

/** An encoded slash does not end a segment. */
const decodedByte = (byte: string): string => {
  const code = Number.parseInt(byte.slice(1), 16)
  return byte === "%2F" || byte === "%2f" || code > 127 ? byte : String.fromCharCode(code)
}

const patternOf = (path: string): RegExp => {
  const source = path
    .split("/")
    .map((segment) => (segment === "*" ? ".*" : segment.startsWith(":") ? "[^/]+" : segment.replaceAll(".", "\\.")))
    .join("/")
  return new RegExp(`^${source}$`)
}
