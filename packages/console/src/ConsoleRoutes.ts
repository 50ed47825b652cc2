import { markupText } from "@launch-registry/domain/text/MarkupText"
import { RouteNotFound } from "@launch-registry/domain/http/RequestErrors"
import { IMMUTABLE, REVALIDATED } from "@launch-registry/http/answers/CacheControl"
import { pagePolicy } from "@launch-registry/http/answers/PagePolicy"
import { respondError } from "@launch-registry/http/answers/Respond"
import { staticDocument } from "@launch-registry/http/answers/StaticDocument"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { consoleFiles, PAGE } from "./ConsoleFiles.ts"

/** Paths of the console, for route lists. */
export const CONSOLE_ROUTES = [
  ["GET", "/console"],
  ["GET", "/console/"],
  ["GET", "/console/files/*"],
] as const

/** Modules and styles from here alone; images of tokens from anywhere, over TLS, or as they are chosen. */
const POLICY = pagePolicy([
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' https: data: blob:",
  "connect-src 'self'",
])

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  md: "text/plain; charset=utf-8",
  svg: "image/svg+xml",
}

/** Files with a hash of their content in their name. */
const HASHED = "assets/"
const BROTLI_QUALITY = 11

/** What the page is told of its service. */
export interface PageFacts {
  readonly network: string
  /** What wallets sign writes for, where they have to. */
  readonly signInUrl?: string | undefined
  /** Path that gives SOL of a local chain. */
  readonly faucet?: string | undefined
}

const metas = ({ faucet, network, signInUrl }: PageFacts): string =>
  Object.entries({ network, faucet, "sign-in": signInUrl })
    .flatMap(([name, value]) => (value === undefined ? [] : [`<meta name="${name}" content="${markupText(value)}" />`]))
    .join("\n    ")

const assemble = (facts: PageFacts, files: ReadonlyMap<string, string>) => {
  const html = files
    .get(PAGE)!
    .replaceAll(/(src|href)="\.\//g, '$1="console/files/')
    .replace("</head>", () => `  ${metas(facts)}\n  </head>`)
  const documents = new Map(
    [...files].flatMap(([path, text]) => {
      const contentType = CONTENT_TYPES[path.split(".").at(-1)!]
      if (contentType === undefined) return []
      const headers = { "cache-control": path.startsWith(HASHED) ? IMMUTABLE : REVALIDATED }
      return [[path, staticDocument(text, { contentType, headers, quality: BROTLI_QUALITY })] as const]
    }),
  )
  const page = staticDocument(html, { contentType: "text/html; charset=utf-8", headers: POLICY })
  return { page, at: (path: string) => documents.get(path) }
}

/** The console at `/console`: files alone. Whatever it shows it reads from the API, as any other page could. */
export const consoleRoutes = (facts: PageFacts) => {
  // Made when it is first asked for: few processes ever are.
  let assembled: { readonly of: ReadonlyMap<string, string>; readonly made: ReturnType<typeof assemble> } | undefined
  const console = Effect.map(Effect.promise(consoleFiles), (files) => {
    if (assembled?.of !== files) assembled = { of: files, made: assemble(facts, files) }
    return assembled.made
  })
  const page = Effect.flatMap(console, (made) => made.page)
  const file = Effect.gen(function* () {
    const { method, url } = yield* HttpServerRequest.HttpServerRequest
    const [path = ""] = url.split("?", 1)
    // A look-up among known paths: no path leads out of the console.
    const found = (yield* console).at(path.slice("/console/files/".length))
    if (found !== undefined) return yield* found
    return yield* respondError(RouteNotFound.response, new RouteNotFound({ method, path: path.slice(0, 200) }))
  })
  return Layer.mergeAll(
    HttpRouter.add("GET", "/console", page),
    // Below whatever prefix a proxy has; browsers keep the fragment.
    HttpRouter.add("GET", "/console/", HttpServerResponse.empty({ status: 308, headers: { location: "../console" } })),
    HttpRouter.add("GET", "/console/files/*", file),
  )
}
