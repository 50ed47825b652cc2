import { createHash } from "node:crypto"
import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { Effect, Layer } from "effect"
import { HttpRouter, type HttpServerResponse } from "effect/http"
import { HttpApi, HttpApiScalar, OpenApi } from "effect/http-api"
import { FAVICON_LINK, faviconRoute } from "./Favicon.ts"
import { pagePolicy } from "../answers/PagePolicy.ts"
import { staticDocument } from "../answers/StaticDocument.ts"
import { documentToTry } from "./DocumentToTry.ts"

/** Paths of the documentation, for route lists. */
export const DOCUMENTATION_ROUTES = [
  ["GET", "/docs"],
  ["GET", "/openapi.json"],
  ["GET", "/favicon.ico"],
] as const

/** Beside a bundle, or in the folder of the repository. */
const openApiFile = (folder: string = import.meta.dirname): string => {
  const file = join(folder, "openapi.json")
  if (existsSync(file)) return file
  if (folder === dirname(folder)) throw new Error("There is no openapi.json beside the service")
  return openApiFile(dirname(folder))
}

const OPEN_API_FILE = openApiFile()

/** The contract as OpenAPI 3.1, written by `pnpm generate`: generating it at every start would cost time and memory. */
const openApiText = () => readFileSync(OPEN_API_FILE, "utf8")

/** An API without endpoints: Scalar's page only needs the document. */
const DocumentToTry = HttpApi.make("document-to-try").annotate(OpenApi.Transform, () => ({
  ...documentToTry(JSON.parse(openApiText())),
}))

/** A document that is made when it is first asked for: both have megabytes, and few processes are ever asked. */
const onceAsked = <E, R>(make: Effect.Effect<ReturnType<typeof staticDocument>, E, R>) => {
  let document: ReturnType<typeof staticDocument> | undefined
  return Effect.suspend(() => document ?? Effect.flatMap(make, (made) => (document ??= made)))
}

const openApi = HttpRouter.add(
  "GET",
  "/openapi.json",
  onceAsked(Effect.sync(() => staticDocument(openApiText(), { contentType: "application/json" }))),
)

/**
 * Disables everything of Scalar that contacts other hosts: fonts, telemetry, its client, and developer tools on
 * localhost, which upload the document. Without `proxyUrl` requests go directly to the server.
 */
const SCALAR = {
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: "never",
} as const

/** CSP hashes of inline scripts. */
const scriptsIn = (html: string): ReadonlyArray<string> =>
  Array.from(html.matchAll(/<script>([^]*?)<\/script>/g), ([, script = ""]) => {
    const digest = createHash("sha256").update(script).digest("base64")
    return `'sha256-${digest}'`
  })

/** Scalar's page, which has megabytes, as a static document. */
const documentOf = ({ body }: HttpServerResponse.HttpServerResponse) => {
  if (body._tag !== "Uint8Array") throw new Error("Scalar's page does not have a body of bytes")
  const html = Buffer.from(body.body)
    .toString()
    .replace("</head>", () => `${FAVICON_LINK}</head>`)
  return staticDocument(html, {
    contentType: "text/html; charset=utf-8",
    headers: pagePolicy([
      `script-src ${scriptsIn(html).join(" ")}`,
      "style-src 'unsafe-inline'",
      "img-src 'self' data: blob:",
      "connect-src 'self'",
    ]),
  })
}

/** Its layer loads Scalar, so it is built with the first request, for that alone. */
const page = Effect.gen(function* () {
  const served = yield* HttpRouter.toHttpEffect(HttpApiScalar.layer(DocumentToTry, { path: "/docs", scalar: SCALAR }))
  return documentOf(yield* served)
}).pipe(Effect.scoped)

/** OpenAPI at /openapi.json and an interactive reference at /docs, which contacts no other host. */
export const DocumentationRoutes = Layer.mergeAll(
  openApi,
  faviconRoute,
  HttpRouter.add("GET", "/docs", onceAsked(page)),
)
