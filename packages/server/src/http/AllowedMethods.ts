/** What is needed of an HttpApi. */
interface DeclaredRoutes {
  readonly groups: {
    readonly [group: string]: {
      readonly endpoints: { readonly [endpoint: string]: { readonly method: string; readonly path: string } }
    }
  }
}

/** Which methods each path has, for the 405 that the router itself does not tell from a 404. */
export const allowedMethods = (
  api: DeclaredRoutes,
  others: ReadonlyArray<readonly [method: string, path: string]>,
): ((path: string) => ReadonlyArray<string>) => {
  const routes = Object.values(api.groups).flatMap((group) =>
    Object.values(group.endpoints).map((endpoint) => [endpoint.method, endpoint.path] as const),
  )
  const patterns = [...routes, ...others].map(([method, path]) => ({ method, matches: patternOf(path) }))
  return (path) => {
    const methods = new Set(patterns.filter(({ matches }) => matches.test(path)).map(({ method }) => method as string))
    if (methods.has("GET")) methods.add("HEAD")
    return [...methods].sort()
  }
}

const patternOf = (path: string): RegExp => {
  const source = path
    .split("/")
    .map((segment) => (segment === "*" ? ".*" : segment.startsWith(":") ? "[^/]+" : segment.replaceAll(".", "\\.")))
    .join("/")
  return new RegExp(`^${source.replace(/(?<=.)\/$/, "")}/?$`)
}
