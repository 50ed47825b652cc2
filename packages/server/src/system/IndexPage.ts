import { markupText } from "@launch-registry/domain/text/MarkupText"
import { createHash } from "node:crypto"
import { Api } from "@launch-registry/domain/Api"
import type { Health, PartHealth } from "@launch-registry/domain/system/SystemApi"
import { Context } from "effect"
import { HttpServerResponse } from "effect/http"
import { OpenApi } from "effect/http-api"
import { FAVICON_LINK } from "@launch-registry/http/documentation/Favicon"
import { pagePolicy } from "@launch-registry/http/answers/PagePolicy"

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 44rem; margin: 3rem auto; padding: 0 1rem }
th { text-align: left; padding-right: 1.5rem; font-weight: 600 }
`

/** Relative links work behind a path prefix. */
const LINKS = [
  ["console", "Console", "launches, trades, wallets: what the API has, to look at and try"],
  ["docs", "Documentation", "reference of every operation, with recorded examples"],
  ["openapi.json", "openapi.json", "OpenAPI document, to generate clients from"],
  ["readyz", "Health", "readiness of this replica"],
  ["api/system/rpc", "RPC endpoints", "state of each endpoint"],
  ["api/system/indexer", "Indexer", "how far the chain is indexed"],
  ["metrics", "Metrics", "metrics for Prometheus"],
] as const

const CLIENT =
  "<li>Client: a package for browsers and Node.js; in a checkout <code>npx --yes pnpm@12.21.0 build-client</code> packs it</li>"

const HEADERS = {
  ...pagePolicy([`style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'`, "img-src 'self'"]),
  "cache-control": "no-cache",
}

const title = markupText(Context.getUnsafe(Api.annotations, OpenApi.Title))

/** The front page for browsers: links, and the state of the service. */
export const indexPage = ({
  network,
  status,
  uptimeSeconds,
  version,
  ...parts
}: Health): HttpServerResponse.HttpServerResponse => {
  const links = LINKS.map(([path, name, words]) => `<li><a href="${path}">${name}</a>: ${words}</li>`)
  const rows = Object.entries(parts).map(
    ([name, part]: readonly [string, PartHealth]) =>
      `<tr><th scope="row">${markupText(name)}</th><td>${markupText(part.status)}</td><td>${markupText(part.detail)}</td></tr>`,
  )
  return HttpServerResponse.text(
    `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title>${FAVICON_LINK}<style>${STYLE}</style></head>
<body>
<h1>${title}</h1>
<p>The backend for token launch dApps on Solana, on Meteora's Dynamic Bonding Curve.</p>
<p>Version ${markupText(version)} on ${markupText(network)}, up for ${uptimeSeconds} s: <strong>${markupText(status)}</strong></p>
<ul>
${links.join("\n")}
${CLIENT}
</ul>
<table>
${rows.join("\n")}
</table>
</body>
</html>
`,
    { contentType: "text/html; charset=utf-8", headers: HEADERS },
  )
}
