import board from "../board/Board.module.css"
import { LooksAlike, Verified } from "../board/Marks.tsx"
import { CopyButton } from "../design/CopyButton.tsx"
import { TokenImage } from "../design/TokenImage.tsx"
import { Ago } from "../figures/Ago.tsx"
import { shortAddress } from "../figures/Format.ts"
import { REGISTRY_URL } from "../registry/Connection.ts"
import { explorerOf } from "./Explorer.ts"
import styles from "./Head.module.css"
import { linksOf } from "./Links.ts"
import { Share } from "./Share.tsx"
import type { TokenFacts } from "./useToken.ts"
import { Who } from "./Who.tsx"

/** Who a token is: image, names, marks, addresses and links. */
export const Head = ({ facts, isLive }: { readonly facts: TokenFacts; readonly isLive: boolean }) => {
  const { creator, document, launch, market, mint, name, symbol, token, trust } = facts
  const description = token?.description || document?.description || ""
  const since = launch?.launchedAt ?? token?.createdAt
  const explorer = explorerOf("account", mint)
  const links = [...linksOf(facts, REGISTRY_URL), ...(explorer === undefined ? [] : [["Explorer", explorer] as const])]
  const title = symbol === "" ? shortAddress(mint) : symbol
  return (
    <header className={styles.head}>
      <TokenImage imageUri={market?.imageUri ?? document?.image} mint={mint} symbol={title} size="l" />
      <div className={`stack ${styles.names}`}>
        <h1 dir="auto">
          {title} {token?.verified === true && <Verified />}
        </h1>
        <p className={styles.line}>
          <span dir="auto">{name}</span>
          {(trust?.confusableWith?.length ?? 0) > 0 && <LooksAlike />}
          {token === null && <span className="badge">Not registered</span>}
        </p>
        <p className={`muted ${styles.line}`}>
          <span role="status" className={isLive ? board.live : ""}>
            {isLive ? "Live" : "Connecting"}
          </span>
          {since !== undefined && <Ago time={since} />}
          {creator !== undefined && (
            <span>
              by <Who address={creator} />
            </span>
          )}
          <span>
            <code title={mint}>{shortAddress(mint)}</code>
            <CopyButton text={mint} what="mint" />
          </span>
        </p>
      </div>
      <nav className={styles.links} aria-label="Links of the token">
        {links.map(([text, href]) => (
          <a key={`${text} ${href}`} href={href} title={href} rel="noopener noreferrer nofollow" target="_blank">
            {text}
          </a>
        ))}
        <Share mint={mint} title={`${title} · ${name}`} />
      </nav>
      {description !== "" && (
        <p className={`muted ${styles.description}`} dir="auto">
          {description}
        </p>
      )}
    </header>
  )
}
