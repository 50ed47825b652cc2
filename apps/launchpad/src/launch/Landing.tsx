import { brand } from "../../brand.ts"
import { Button } from "../design/Button.tsx"
import buttons from "../design/Button.module.css"
import { CopyButton } from "../design/CopyButton.tsx"
import { TokenImage } from "../design/TokenImage.tsx"
import { hrefOf } from "../routing/Route.ts"
import { useWallets } from "../wallet/WalletProvider.tsx"
import { isLaunched } from "./Draft.ts"
import styles from "./Landing.module.css"
import { goOn } from "./Launching.ts"
import { LandingSteps } from "./LandingSteps.tsx"
import { discardDraft, useLaunch } from "./LaunchStore.ts"

const LINK = { target: "_blank", rel: "noreferrer", className: `${buttons.button} ${buttons.plain}` }

/** Where people say that a token is there. */
const Share = ({ mint, symbol }: { readonly mint: string; readonly symbol: string }) => {
  const url = new URL(hrefOf(`token/${mint}`), location.href.replace(/#.*/, "")).href
  const text = `$${symbol} is live on ${brand.name}`
  const query = new URLSearchParams({ url, text })
  return (
    <div className={styles.share} role="group" aria-label="Share">
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

/** A launch that the wallet has signed, in part or whole: how far it is, how it goes on, and the token once it is there. */
export const Landing = () => {
  const { activity, draft } = useLaunch()
  const { wallet } = useWallets()
  const { build, details, isRegistered, picture } = draft
  if (build === null) return null
  const { mintAddress: mint, signer } = build
  const isThere = isLaunched(draft)
  return (
    <section className={styles.landing} aria-labelledby="launch-landing">
      <TokenImage imageUri={picture?.preview} mint={mint} symbol={details.symbol} size="l" />
      <h1 id="launch-landing" dir="auto">
        {isThere ? `${details.name} is live` : `Launching ${details.name}`}
      </h1>
      <LandingSteps />
      {isThere && (
        <a className={`${buttons.button} ${buttons.main} ${buttons.wide}`} href={hrefOf(`token/${mint}`)}>
          Open {details.symbol}
        </a>
      )}
      {isThere && <Share mint={mint} symbol={details.symbol} />}
      {isThere && isRegistered ? (
        <Button look="quiet" onClick={discardDraft}>
          Launch another token
        </Button>
      ) : (
        <Button
          look="main"
          isWide
          disabled={activity !== undefined}
          onClick={() => void goOn(isThere ? undefined : wallet)}
        >
          {activity === "landing" ? "Sign in your wallet when it asks" : "Go on"}
        </Button>
      )}
      {!isThere && wallet?.address !== signer && (
        <p className="muted">
          What is not signed yet takes wallet <code>{signer}</code>.
        </p>
      )}
    </section>
  )
}
