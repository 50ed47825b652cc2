import { useItems } from "@launch-registry/client/react"
import board from "../board/Board.module.css"
import { rowOfLaunch } from "../board/Row.ts"
import { live } from "../board/Live.ts"
import { Rows } from "../board/Board.tsx"
import { Button } from "../design/Button.tsx"
import { Unread } from "../registry/Unread.tsx"
import { hrefOf } from "../routing/Route.ts"

/** Launches of a wallet, registered or not, as the board shows them. */
export const WalletLaunches = ({ address }: { readonly address: string }) => {
  const { data, error, fetchNextPage, hasNextPage, refetch } = useItems(({ launch }) => launch.pools, {
    ...{ creator: address, registered: "any", include: "market,trust", limit: 24 },
  })
  if (data === undefined) return <Unread error={error} onRetry={refetch} />
  if (data.length === 0)
    return (
      <p className="empty">
        This wallet has launched nothing. <a href={hrefOf("launch")}>Launch a token</a>
      </p>
    )
  return (
    <>
      <Rows as="cards" caption="Launches" rows={data.map((launch) => live(rowOfLaunch(launch)))} />
      {hasNextPage && (
        <p className={board.more}>
          <Button onClick={() => void fetchNextPage()}>Show more</Button>
        </p>
      )}
    </>
  )
}
