import { regularly } from "@launch-registry/postgres/Regularly"
import type { MarketChanged } from "@launch-registry/domain/stream/StreamApi"
import { Effect } from "effect"
import { Markets } from "../markets/Markets.ts"
import { Followed, following } from "./Followed.ts"

/** Figures that are read at once: they cost more than a row. With more, each is read in its turn. */
const READ_AT_ONCE = 500

const encoder = new TextEncoder()

class FollowedMarket extends Followed {
  /** Its figures as last read. */
  text = ""
  isRead = false
}

/** Each kind has a line of its own: anybody can follow any number of mints that have no pool. */
const LINES: ReadonlyArray<(market: FollowedMarket) => boolean> = [
  ({ isRead }) => !isRead,
  ({ text }) => text !== "",
  ({ isRead, text }) => isRead && text === "",
]

/** The figures of markets for the streams of this process: one read of those that are followed, of which what changed is sent. */
export const marketFeed = Effect.fnUntraced(function* (pollMillis: number) {
  const markets = yield* Markets
  const { find, follow, inTurn, untilFollowed } = following(() => new FollowedMarket())

  const poll = Effect.gen(function* () {
    const next = LINES.flatMap((isOne) => inTurn(READ_AT_ONCE, isOne))
    const found = yield* markets.find(next.map(([mint]) => mint))
    for (const [, followed] of next) followed.isRead = true
    for (const [mintAddress, market] of found) {
      const text = JSON.stringify({ mintAddress, market } satisfies MarketChanged)
      const followed = find(mintAddress)
      if (followed === undefined || followed.text === text) continue
      followed.text = text
      followed.tell(encoder.encode(`event: market\ndata: ${text}\n\n`))
    }
  })

  yield* Effect.forkScoped(regularly("Following markets", pollMillis, Effect.andThen(untilFollowed, poll)))
  return { follow }
})
