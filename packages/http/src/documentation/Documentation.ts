import { createHash } from "node:crypto"
import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import { faviconRoute } from "./Favicon.ts"
import { pagePolicy } from "../answers/PagePolicy.ts"
import { staticDocument } from "../answers/StaticDocument.ts"
import { REFERENCE_STYLE, referencePage } from "./ReferencePage.ts"

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

/** The highest of brotli: it takes 0.7 s of a core once, off the event loop, and saves every reader 10 kB. */
const QUALITY = 11

/** A document that is made when it is first asked for: both are large, and few processes are ever asked. */
const onceAsked = <E, R>(make: Effect.Effect<ReturnType<typeof staticDocument>, E, R>) => {
  let document: ReturnType<typeof staticDocument> | undefined
  return Effect.suspend(() => document ?? Effect.flatMap(make, (made) => (document ??= made)))
}

const openApi = HttpRouter.add(
  "GET",
  "/openapi.json",
  onceAsked(
    Effect.sync(() =>
      staticDocument(JSON.stringify(JSON.parse(openApiText())), { contentType: "application/json", quality: QUALITY }),
    ),
  ),
)

/** Made of the contract. It has no script, and loads nothing but the icon. */
const page = Effect.sync(() =>
  staticDocument(referencePage(JSON.parse(openApiText())), {
    contentType: "text/html; charset=utf-8",
    quality: QUALITY,
    headers: pagePolicy([
      `style-src 'sha256-${createHash("sha256").update(REFERENCE_STYLE).digest("base64")}'`,
      "img-src 'self'",
    ]),
  }),
)

/** OpenAPI at /openapi.json and its reference for people at /docs. */
export const DocumentationRoutes = Layer.mergeAll(
  openApi,
  faviconRoute,
  HttpRouter.add("GET", "/docs", onceAsked(page)),
)
