import { answered, type RegistryError } from "@launch-registry/client"
import { useInfiniteQuery } from "@tanstack/react-query"
import board from "../board/Board.module.css"
import { CopyButton } from "../design/CopyButton.tsx"
import { Segments } from "../design/Segments.tsx"
import { Unknown } from "../figures/Figure.tsx"
import { shortAddress } from "../figures/Format.ts"
import { registry } from "../registry/Connection.ts"
import { Unread } from "../registry/Unread.tsx"
import { changeQuery, useRoute } from "../routing/Route.ts"
import { useWallets } from "../wallet/WalletProvider.tsx"
import { Amounts } from "./Amounts.tsx"
import { ClaimFees } from "./ClaimFees.tsx"
import { Holdings } from "./Holdings.tsx"
import styles from "./Portfolio.module.css"
import { WalletLaunches } from "./WalletLaunches.tsx"
import { WalletTrades } from "./WalletTrades.tsx"
import { claimsOf, held, worthOf } from "./Worth.ts"

const EVERY_MILLIS = 30_000
const VIEWS = [
  ["holdings", "Holdings"],
  ["launches", "Launches"],
  ["trades", "Trades"],
] as const

/** Figures of a wallet, then what it holds, has launched or traded. */
export const WalletPage = ({ address }: { readonly address: string }) => {
  const { query } = useRoute()
  const { wallet: own } = useWallets()
  const view = VIEWS.find(([name]) => name === query.get("view"))?.[0] ?? "holdings"
  const { data, error, fetchNextPage, hasNextPage, isFetchingNextPage, refetch } = useInfiniteQuery({
    queryKey: ["wallet", address],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam: cursor, signal }) =>
      answered(await registry.wallets.tokens({ address, cursor }, { signal })),
    getNextPageParam: ({ pagination }) => pagination?.nextCursor ?? undefined,
    retry: false,
    refetchInterval: EVERY_MILLIS,
  })
  if (data === undefined) return <Unread error={error as RegistryError | null} onRetry={refetch} />
  const tokens = data.pages.flatMap((page) => page.data)
  const figures = data.pages[0]?.wallet
  const worth = worthOf(held(tokens))
  const isOwn = own?.address === address
  return (
    <>
      <header className={board.head}>
        <h1>{isOwn ? "Your portfolio" : "Portfolio"}</h1>
        <p className="muted">
          <code title={address}>{shortAddress(address)}</code> <CopyButton text={address} what="address" />
        </p>
      </header>
      {figures?.unread != null && (
        <p className={styles.note} role="status">
          The chain cannot be asked at the moment: what the wallet holds and can claim is not known.
        </p>
      )}
      <section className={styles.tiles} aria-label="Summary">
        <div className={`surface stack ${styles.tile}`}>
          <h2 className="muted">Worth</h2>
          <p className={styles.sum}>
            {!worth.isWhole && worth.sums.length === 0 ? <Unknown /> : <Amounts of={worth.sums} />}
          </p>
          <p className="muted">
            {hasNextPage ? "Of the tokens shown" : worth.isWhole ? "All tokens" : "Without what is not known"}, by the
            last trades
          </p>
        </div>
        <ClaimFees claims={claimsOf(tokens)} wallet={isOwn ? own : undefined} />
      </section>
      <div className={board.tools}>
        <Segments
          label="View"
          options={VIEWS}
          value={view}
          onChange={(chosen) => changeQuery({ view: chosen === "holdings" ? undefined : chosen })}
        />
      </div>
      {view === "launches" && <WalletLaunches address={address} />}
      {view === "trades" && <WalletTrades address={address} />}
      {view === "holdings" && (
        <Holdings
          tokens={tokens}
          areAllTradesKnown={figures?.isWhole === true}
          more={hasNextPage && !isFetchingNextPage ? () => void fetchNextPage() : undefined}
        />
      )}
    </>
  )
}
