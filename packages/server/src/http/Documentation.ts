import { Api } from "@launch-registry/domain/Api"
import { Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { HttpApiScalar, OpenApi } from "effect/http-api"

/** Paths of the documentation, for those who list routes. */
export const DOCUMENTATION_ROUTES = [
  ["GET", "/docs"],
  ["GET", "/openapi.json"],
] as const

/** The contract as OpenAPI 3.1, as it is committed and served. */
export const openApiText = `${JSON.stringify(OpenApi.fromApi(Api), null, 2)}\n`

const openApi = HttpRouter.add(
  "GET",
  "/openapi.json",
  HttpServerResponse.text(openApiText, { contentType: "application/json" }),
)

/** OpenAPI at /openapi.json and a page to read and try it at /docs, which loads nothing from any other host. */
export const DocumentationRoutes = Layer.merge(
  openApi,
  HttpApiScalar.layer(Api, { path: "/docs", scalar: { withDefaultFonts: false, telemetry: false } as never }),
)
