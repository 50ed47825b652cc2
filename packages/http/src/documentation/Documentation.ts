import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { Effect, Layer } from "effect"
import { HttpRouter, type HttpServerResponse } from "effect/http"
import { HttpApi, HttpApiScalar, OpenApi } from "effect/http-api"
import { FAVICON_LINK, faviconRoute } from "./Favicon.ts"
import { pagePolicy } from "../answers/PagePolicy.ts"
import { staticDocument } from "../answers/StaticDocument.ts"
import { documentToTry } from "./DocumentToTry.ts"

/** Paths of the documentation, for those who list routes. */
export const DOCUMENTATION_ROUTES = [
  ["GET", "/docs"],
  ["GET", "/openapi.json"],
  ["GET", "/favicon.ico"],
] as const

/** The contract as OpenAPI 3.1, as `pnpm generate` wrote it: generating it would cost every process time and memory at its start. */
const openApiText = readFileSync(new URL("../../../../openapi.json", import.meta.url), "utf8")

/** Without endpoints: Scalar's page is made of the document alone. */
const DocumentToTry = HttpApi.make("document-to-try").annotate(OpenApi.Transform, () => ({
  ...documentToTry(JSON.parse(openApiText)),
}))

const openApi = HttpRouter.add("GET", "/openapi.json", staticDocument(openApiText, { contentType: "application/json" }))

/**
 * What of Scalar speaks of other hosts is off: its fonts, its count of uses, its client, and the tools that it shows on localhost, which
 * share the document and make SDKs of it. `proxyUrl` is left out, so that requests go where they say.
 */
const SCALAR = {
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: "never",
} as const

/** Scripts that stand in a page, as a policy names them. */
const scriptsIn = (html: string): ReadonlyArray<string> =>
  Array.from(html.matchAll(/<script>([^]*?)<\/script>/g), ([, script = ""]) => {
    const digest = createHash("sha256").update(script).digest("base64")
    return `'sha256-${digest}'`
  })

/** The page that Scalar makes, which is megabytes, as it is sent. */
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

/** OpenAPI at /openapi.json and a page to read and try it at /docs, which loads nothing from any other host and sends nothing there. */
export const DocumentationRoutes = Layer.mergeAll(
  openApi,
  faviconRoute,
  HttpApiScalar.layer(DocumentToTry, { path: "/docs", scalar: SCALAR }).pipe(Layer.provide(pageOnce)),
)
