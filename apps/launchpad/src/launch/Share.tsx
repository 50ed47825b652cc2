import { brand } from "../../brand.ts"
import buttons from "../design/Button.module.css"
import { shareLinkOf } from "../registry/ShareLink.ts"
import { Share as ShareLink } from "../token/Share.tsx"

const LINK = { target: "_blank", rel: "noreferrer", className: `${buttons.button} ${buttons.plain}` }

/** Where people say that a token is there. */
export const Share = ({ mint, symbol }: { readonly mint: string; readonly symbol: string }) => {
  const text = `$${symbol} is live on ${brand.name}`
  const query = new URLSearchParams({ url: shareLinkOf(mint), text }).toString()
  return (
    <div className="row" role="group" aria-label="Share">
      <a {...LINK} href={`https://x.com/intent/post?${query}`}>
        Share on X
      </a>
      <a {...LINK} href={`https://t.me/share/url?${query}`}>
        Telegram
      </a>
      <ShareLink mint={mint} title={text} />
    </div>
  )
}
