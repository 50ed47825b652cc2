import { Rpc } from "@launch-registry/chain/rpc/Rpc"
import { Effect } from "effect"
import type { Listed } from "./ChainHistory.ts"
import { appendTransactions } from "../inbox/AppendTransactions.ts"
import { fetchTransactions, SIGNATURES_PAGE, signaturesPage } from "./RpcHistory.ts"

/** A fork is never longer: a signature that has not appeared by then was dropped with its block. */
const FORK_SLOTS_MAX = 150n

export interface FollowerOptions {
  /** Up to 1,000. */
  readonly pageSize?: number
}

/**
 * Appends the program's confirmed transactions as they land, by polling an RPC endpoint: replaces the
 * webhook where there is none. Begins with the newest page; the reconciler fetches and proves what lies before.
 */
export const followerWith = Effect.fnUntraced(function* ({ pageSize = SIGNATURES_PAGE }: FollowerOptions = {}) {
  const rpc = yield* Rpc
  let newest: Listed | undefined

  const newSince = Effect.fnUntraced(function* (last: Listed | undefined) {
    const found: Array<Listed> = []
    let before: string | undefined
    while (true) {
      const page = yield* signaturesPage(rpc, {
        before,
        until: last?.signature,
        commitment: "confirmed",
        limit: pageSize,
      })
      const lowest = page.listed.at(-1)?.slot ?? 0n
      found.push(...page.listed)
      if (last === undefined || page.isLast || lowest + FORK_SLOTS_MAX < last.slot) return found
      before = page.listed.at(-1)!.signature
    }
  })

  /** One poll of the chain; returns how many transactions were appended. */
  return Effect.gen(function* () {
    const found = yield* newSince(newest)
    const landed = found.filter(({ hasFailed }) => !hasFailed).toReversed()
    if (landed.length > 0) yield* appendTransactions("follow", yield* fetchTransactions(rpc, landed, "confirmed"))
    newest = found[0] ?? newest
    return landed.length
  })
})

export const follower = followerWith()
