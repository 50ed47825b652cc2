import { useState } from "preact/hooks"
import { Ago } from "../Ago.ts"
import { shownImage } from "../board/ShownImage.ts"
import { shortAddress } from "../Format.ts"
import { html, type View } from "../Html.ts"
import { read, registry } from "../Registry.ts"
import { useReading } from "./Reading.ts"
import type { TokenFacts } from "./TokenFacts.ts"

const EVERY_MILLIS = 300_000

/** A link that somebody registered: of the web alone, and without telling where one comes from. */
export const safeLink = (uri: string): string | undefined => {
  const url = URL.parse(uri)
  if (url === null) return undefined
  if (url.protocol === "https:") return url.href
  return url.protocol === "ipfs:" ? `ipfs/${uri.slice("ipfs://".length).replace(/^\/+/, "")}` : undefined
}

const LINKS = [
  ["website", "Website"],
  ["twitter", "X"],
  ["telegram", "Telegram"],
  ["tokenUri", "Metadata document"],
  ["bannerUri", "Banner"],
] as const

const Links = ({ links }: { readonly links: ReadonlyArray<readonly [name: string, uri: string]> }): View => {
  const shown = links.flatMap(([name, uri]) => {
    const href = safeLink(uri)
    return href === undefined ? [] : [{ name, href, uri }]
  })
  if (shown.length === 0) return null
  return html`<p class="links">
    ${shown.map(
      ({ href, name, uri }) =>
        html`<a href=${href} title=${uri} rel="noopener noreferrer nofollow" target="_blank">${name}</a> `,
    )}
  </p>`
}

/** Name, image, addresses, links and metadata. */
export const TokenHead = ({ facts, mint }: { readonly mint: string; readonly facts: TokenFacts }): View => {
  const { pool, token } = facts
  const [isBroken, setBroken] = useState(false)
  // What the chain says, which the registry may not.
  const { data: metadata } = useReading(
    `${mint} ${pool === null}`,
    async (signal) =>
      pool === null ? undefined : (await read(registry.launch.poolMetadata({ mintAddress: mint }, { signal }))).data,
    EVERY_MILLIS,
  )
  const symbol = token?.symbol ?? metadata?.symbol ?? ""
  const name = token?.name ?? metadata?.name ?? ""
  const image = isBroken ? undefined : shownImage(token?.market?.imageUri ?? null, location.origin)
  const creator = pool?.state.creator ?? token?.owner
  const links = [
    ...LINKS.map(([field, label]) => [label, token?.metadata[field] ?? ""] as const),
    ["Metadata on chain", metadata?.uri ?? ""] as const,
    ["Website of the pool", metadata?.pool?.website ?? ""] as const,
  ]
  return html`<div class="head">
    ${
      image === undefined
        ? html`<span class="image" aria-hidden="true">${[...symbol][0] ?? "?"}</span>`
        : html`<img class="image" src=${image} alt="" referrerpolicy="no-referrer" onError=${() => setBroken(true)} />`
    }
    <div>
      <h1 dir="auto">
        ${symbol === "" ? shortAddress(mint) : symbol} <small>${name}</small>
        ${token?.verified === true ? html`<span class="badge well" title="Verified by operators">verified</span>` : null}
        ${token === null ? html`<span class="badge">not registered</span>` : null}
      </h1>
      <p class="detail">
        Mint <code>${mint}</code>${
          creator === undefined ? null : html` · by <code title=${creator}>${shortAddress(creator)}</code>`
        }${token === null ? null : html` · registered <${Ago} time=${token.createdAt} />`}
      </p>
      ${token === null || token.description === "" ? null : html`<p class="description" dir="auto">${token.description}</p>`}
      <${Links} links=${links} />
    </div>
  </div>`
}
