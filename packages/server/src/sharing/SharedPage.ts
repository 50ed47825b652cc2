import { markupText } from "@launch-registry/domain/text/MarkupText"
import { createHash } from "node:crypto"
import { pagePolicy } from "@launch-registry/http/answers/PagePolicy"
import { PICTURE } from "./DrawPicture.ts"
import type { SharedToken } from "./SharedToken.ts"

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 40rem; margin: 10vh auto; padding: 0 1rem; text-align: center }
img { width: 100%; height: auto; border-radius: 16px }
`

export const PAGE_HEADERS = pagePolicy([
  `style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'`,
  "img-src 'self'",
])

/** Chats cut it themselves, somewhere behind this. */
const DESCRIPTION_LENGTH_MAX = 200

const cut = (text: string): string => {
  const letters = [...text.replaceAll(/\s+/g, " ").trim()]
  return letters.length <= DESCRIPTION_LENGTH_MAX
    ? letters.join("")
    : `${letters.slice(0, DESCRIPTION_LENGTH_MAX - 1).join("")}…`
}

const pageOf = (head: string, body: string): string => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">${head}<style>${STYLE}</style></head>
<body>${body}</body>
</html>
`

/**
 * What chats read of a link to a token; people are sent on to the console, without a script. Previews need absolute URLs, which begin with
 * `site`; links that people follow are relative, and work below a path prefix.
 */
export const sharedPage = (
  { description, marketCap, mint, name, stage, symbol }: SharedToken,
  site: string,
): string => {
  const title = `${symbol}: ${name}`
  const figures = [marketCap && `Market cap ${marketCap}`, stage].filter(Boolean).join(" · ")
  const words = cut([figures, description].filter(Boolean).join(". "))
  const url = `${site}/t/${mint}`
  const image = `${url}/image.png`
  const properties = {
    ...{ "og:type": "website", "og:title": title, "og:description": words, "og:url": url, "og:image": image },
    ...{ "og:image:type": "image/png", "og:image:width": PICTURE.width, "og:image:height": PICTURE.height },
    "og:image:alt": `${title}. ${figures}`,
  }
  const names = {
    ...{ description: words, "twitter:card": "summary_large_image", "twitter:title": title },
    ...{ "twitter:description": words, "twitter:image": image },
  }
  const metas = [
    ...Object.entries(properties).map(
      ([key, value]) => `<meta property="${key}" content="${markupText(String(value))}">`,
    ),
    ...Object.entries(names).map(([key, value]) => `<meta name="${key}" content="${markupText(value)}">`),
  ]
  const app = `../console#/token/${mint}`
  return pageOf(
    `<title>${markupText(title)}</title><link rel="canonical" href="${markupText(url)}"><meta http-equiv="refresh" content="0; url=${app}">\n${metas.join("\n")}\n`,
    `<p><a href="${app}"><img src="${mint}/image.png" width="${PICTURE.width}" height="${PICTURE.height}" alt=""></a></p><p><a href="${app}">Open ${markupText(title)}</a></p>`,
  )
}

/** For a mint without a launch. */
export const UNKNOWN_PAGE = pageOf(
  `<title>No such token</title><meta name="robots" content="noindex">`,
  `<h1>No such token</h1><p>No launch of this mint is known here.</p><p><a href="../console">All launches</a></p>`,
)
