import { brand } from "../../brand.ts"
import { Button } from "../design/Button.tsx"
import buttons from "../design/Button.module.css"
import { CopyButton } from "../design/CopyButton.tsx"
import { shareLinkOf } from "../registry/ShareLink.ts"

const LINK = { target: "_blank", rel: "noreferrer", className: `${buttons.button} ${buttons.plain}` }

/** Where people say that a token is there. */
export const Share = ({ mint, symbol }: { readonly mint: string; readonly symbol: string }) => {
  const url = shareLinkOf(mint)
  const text = `$${symbol} is live on ${brand.name}`
  const query = new URLSearchParams({ url, text }).toString()
  return (
    <div className="row" role="group" aria-label="Share">
      <a {...LINK} href={`https://x.com/intent/post?${query}`}>
        Share on X
      </a>
      <a {...LINK} href={`https://t.me/share/url?${query}`}>
        Telegram
      </a>
      {"share" in navigator && (
        <Button onClick={() => void navigator.share({ url, text }).catch(() => {})}>Share …</Button>
      )}
      <span>
        Link <CopyButton text={url} what="link" />
      </span>
      <span>
        Mint <CopyButton text={mint} what="mint" />
      </span>
    </div>
  )
}
