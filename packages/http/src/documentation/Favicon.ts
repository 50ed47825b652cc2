import { HttpRouter } from "effect/http"
import { staticDocument } from "../answers/StaticDocument.ts"

/** A rising curve with a dot at its end. */
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#14213d"/><path d="M6 25C16 25 22 20 24 9" fill="none" stroke="#7ee0b5" stroke-width="3.2" stroke-linecap="round"/><circle cx="24" cy="8.5" r="3.4" fill="#fca311"/></svg>
`

/** Requested by browsers by default. */
export const faviconRoute = HttpRouter.add(
  "GET",
  "/favicon.ico",
  staticDocument(SVG, {
    contentType: "image/svg+xml",
    codings: [],
    headers: { "cache-control": "public, max-age=86400" },
  }),
)

/** For the head of pages in the same folder. */
export const FAVICON_LINK = '<link rel="icon" href="favicon.ico" type="image/svg+xml">'
