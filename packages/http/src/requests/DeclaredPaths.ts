/** What is needed of an HttpApi. */
interface DeclaredRoutes {
  readonly groups: {
    readonly [group: string]: {
      readonly endpoints: { readonly [endpoint: string]: { readonly method: string; readonly path: string } }
    }
  }
}

/** The paths that are answered, for what the router itself does not tell. */
export interface DeclaredPaths {
  /** Which methods a path has, for the 405. */
  readonly methodsOf: (path: string) => ReadonlyArray<string>
  /**
   * Whether a path is written as it is declared, if it is declared. The router decodes a path before it looks for it, so that
   * `/api/%74okens` would be `/api/tokens`, and takes an empty parameter: the rules of a proxy in front would be those of another path.
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
  const patterns = [...routes, ...others].map(([method, path]) => ({ method, matches: patternOf(path) }))
  const isExact = (path: string): boolean => {
    // Of any other path the router takes what is declared and nothing else.
    if (!path.includes("%") && !path.includes("//") && !path.endsWith("/")) return true
    const decoded = path.replaceAll(ENCODED, (byte) => decodedByte(byte))
    const isWritten = ({ matches }: { readonly matches: RegExp }) => matches.test(path)
    return patterns.some(isWritten) && patterns.every((one) => isWritten(one) || !one.matches.test(decoded))
  }
  return {
    isExact,
    methodsOf: (path) => {
      if (!isExact(path)) return []
      const methods = new Set(patterns.filter(({ matches }) => matches.test(path)).map(({ method }) => method))
      if (methods.has("GET")) methods.add("HEAD")
      return [...methods].sort()
    },
  }
}

const ENCODED = /%[0-9A-Fa-f]{2}/g

/** A slash in a parameter ends no segment. */
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
