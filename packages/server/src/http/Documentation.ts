import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { HttpApiScalar, OpenApi } from "effect/http-api"
import { DocumentedApi } from "./OpenApiExamples.ts"

/** Paths of the documentation, for those who list routes. */
export const DOCUMENTATION_ROUTES = [
  ["GET", "/docs"],
  ["GET", "/openapi.json"],
] as const

/** The contract as OpenAPI 3.1, as it is committed and served. */
export const openApiText = `${JSON.stringify(OpenApi.fromApi(DocumentedApi), null, 2)}\n`

const openApi = HttpRouter.add(
  "GET",
  "/openapi.json",
  // As bytes, one copy is sent to everybody; a text is a copy for each connection.
  HttpServerResponse.uint8Array(Buffer.from(openApiText), { contentType: "application/json" }),
)

/** The page is one answer for everybody, with megabytes of script: it is sent as bytes as well. */
const asBytes = () => {
  let known: readonly [page: HttpServerResponse.HttpServerResponse, asBytes: HttpServerResponse.HttpServerResponse]
  return (page: HttpServerResponse.HttpServerResponse): HttpServerResponse.HttpServerResponse => {
    if (known?.[0] === page) return known[1]
    const { body, headers, status } = page
    if (body._tag !== "Uint8Array") return page
    const bytes = HttpServerResponse.uint8Array(body.body, { status, headers, contentType: body.contentType })
    known = [page, bytes]
    return bytes
  }
}

const pageAsBytes = HttpRouter.middleware(
  Effect.sync(() => {
    const toBytes = asBytes()
    return (httpEffect) => Effect.map(httpEffect, toBytes)
  }),
).layer

/** OpenAPI at /openapi.json and a page to read and try it at /docs, which loads nothing from any other host. */
export const DocumentationRoutes = Layer.merge(
  openApi,
  HttpApiScalar.layer(DocumentedApi, {
    path: "/docs",
    scalar: { withDefaultFonts: false, telemetry: false } as never,
  }).pipe(Layer.provide(pageAsBytes)),
)
