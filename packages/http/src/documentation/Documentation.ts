import { createHash } from "node:crypto"
import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import { favicon } from "./Favicon.ts"
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

/** A document that is made when it is first asked for: both are large, and few processes are ever asked. */
const onceAsked = (make: (openApi: string) => ReturnType<typeof staticDocument>) => {
  let document: ReturnType<typeof staticDocument> | undefined
  return Effect.suspend(() => (document ??= make(readFileSync(OPEN_API_FILE, "utf8"))))
}

/** Written by `pnpm generate`: generating it at every start would cost time and memory. */
const openApi = onceAsked((text) =>
  staticDocument(JSON.stringify(JSON.parse(text)), { contentType: "application/json" }),
)

/** Made of the contract. It has no script, and loads nothing but the icon. */
const page = onceAsked((text) =>
  staticDocument(referencePage(JSON.parse(text)), {
    contentType: "text/html; charset=utf-8",
    headers: pagePolicy([
      `style-src 'sha256-${createHash("sha256").update(REFERENCE_STYLE).digest("base64")}'`,
      "img-src 'self'",
    ]),
  }),
)

/** OpenAPI at /openapi.json, its reference for people at /docs, and the icon that browsers ask for. */
export const DocumentationRoutes = Layer.mergeAll(
  HttpRouter.add("GET", "/openapi.json", openApi),
  HttpRouter.add("GET", "/docs", page),
  HttpRouter.add("GET", "/favicon.ico", favicon),
)
