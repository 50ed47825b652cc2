import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
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

/** The contract as OpenAPI 3.1, written by `pnpm generate`: generating it at every start would cost time and memory. */
const openApiText = readFileSync(new URL("../../../../openapi.json", import.meta.url), "utf8")

/** An API without endpoints: Scalar's page only needs the document. */
const DocumentToTry = HttpApi.make("document-to-try").annotate(OpenApi.Transform, () => ({
  ...documentToTry(JSON.parse(openApiText)),
}))

const openApi = HttpRouter.add("GET", "/openapi.json", staticDocument(openApiText, { contentType: "application/json" }))

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

const pageOnce = HttpRouter.middleware(
  Effect.sync(() => {
    let document: ReturnType<typeof staticDocument> | undefined
    return (httpEffect) =>
      Effect.suspend(() => document ?? Effect.flatMap(httpEffect, (page) => (document = documentOf(page))))
  }),
).layer

/** OpenAPI at /openapi.json and an interactive reference at /docs, which contacts no other host. */
export const DocumentationRoutes = Layer.mergeAll(
  openApi,
  faviconRoute,
  HttpApiScalar.layer(DocumentToTry, { path: "/docs", scalar: SCALAR }).pipe(Layer.provide(pageOnce)),
)
