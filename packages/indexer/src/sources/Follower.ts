import { DBC_PROGRAM } from "@launch-registry/chain/accounts/Programs"
import { Rpc } from "@launch-registry/chain/rpc/Rpc"
import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Listed } from "./ChainHistory.ts"
import { appendTransactions } from "../inbox/IngestLog.ts"
import { fetchTransactions } from "./FetchTransactions.ts"
import { SIGNATURES_PAGE, signaturesPage } from "./RpcHistory.ts"

/** Forks are hardly ever longer: a signature that has not appeared so many slots later was dropped with its block. Proofs find what is below. */
const FORK_SLOTS_MAX = 150n

/** Pools that are asked for in one poll; the others have their turn in the next ones. */
const POOLS_AT_ONCE = 8

/** What a pool has traded before its newest page is found by its proof: the program's transactions do not wait for it. */
const POOL_PAGES_MAX = 1

/** A pool to follow, and a transaction from which on; `undefined` for the newest page. */
export interface PoolToFollow {
  readonly pool: string
  readonly newest: Listed | undefined
}

export interface FollowerOptions {
  /** Up to 1,000. */
  readonly pageSize?: number
  /** Migrated pools that are followed beside the program; none by default. */
  readonly pools?: Effect.Effect<ReadonlyArray<PoolToFollow>, SqlError>
}

/**
 * Appends confirmed transactions of the program, and of migrated pools, as they land, by polling an RPC endpoint: replaces the
 * webhook where there is none. Begins with the newest page; the reconcilers fetch and prove what lies before.
 */
export const followerWith = Effect.fnUntraced(function* ({
  pageSize = SIGNATURES_PAGE,
  pools = Effect.succeed([]),
}: FollowerOptions = {}) {
  const rpc = yield* Rpc
  const newest = new Map<string, Listed>()
  let turn = 0

  const newSince = Effect.fnUntraced(function* (address: string, last: Listed | undefined, pagesMax: number) {
    const found: Array<Listed> = []
    let before: string | undefined
    let pages = 0
    while (true) {
      const page = yield* signaturesPage(rpc, address, {
        before,
        until: last?.signature,
        commitment: "confirmed",
        limit: pageSize,
      })
      const lowest = page.listed.at(-1)?.slot ?? 0n
      found.push(...page.listed)
      if (last === undefined || page.isLast || ++pages === pagesMax || lowest + FORK_SLOTS_MAX < last.slot) return found
      before = page.listed.at(-1)!.signature
    }
  })

  /** Appends what is new of an address; returns how many. */
  const pollOf = Effect.fnUntraced(function* (address: string, last: Listed | undefined, pagesMax: number) {
    const found = yield* newSince(address, newest.get(address) ?? last, pagesMax)
    const landed = found.filter(({ hasFailed }) => !hasFailed).toReversed()
    if (landed.length > 0) {
      const { transactions, unfetched } = yield* fetchTransactions(rpc, landed, "confirmed")
      const slots = new Map(landed.map(({ signature, slot }) => [signature, slot]))
      // Those that no endpoint gives now are noted, and fetched once one does: the others do not wait for them.
      yield* appendTransactions(
        "follow",
        transactions,
        unfetched.map(({ reason, signature }) => ({
          reason,
          text: signature,
          signature,
          slot: Number(slots.get(signature)),
        })),
      )
    }
    const [first] = found
    if (first !== undefined) newest.set(address, first)
    return landed.length
  })

  /** The pools whose turn it is. */
  const some = Effect.map(pools, (all) => {
    if (all.length <= POOLS_AT_ONCE) return all
    const from = (turn++ * POOLS_AT_ONCE) % all.length
    return [...all.slice(from), ...all.slice(0, from)].slice(0, POOLS_AT_ONCE)
  })

  /** One poll of the chain; returns how many transactions were appended. */
  return Effect.gen(function* () {
    let appended = yield* pollOf(DBC_PROGRAM, undefined, Number.POSITIVE_INFINITY)
    for (const { newest: last, pool } of yield* some) appended += yield* pollOf(pool, last, POOL_PAGES_MAX)
    return appended
  })
})

export const follower = followerWith()
