import { Busy } from "@launch-registry/domain/http/LimitErrors"
import { NotFound } from "@launch-registry/domain/http/NotFound"
import { Unavailable } from "@launch-registry/domain/http/Unavailable"
import type { Holder } from "@launch-registry/domain/pools/Pool"
import { Cache, Clock, Context, Deferred, Effect, Exit, Layer, Option, type Redacted, Result, Semaphore } from "effect"
import { Rpc } from "../rpc/Rpc.ts"
import { dynamicVaultAddress } from "../dammV1/DammV1Addresses.ts"
import { DasIndex } from "./DasIndex.ts"
import { rankHolders } from "./HolderRanking.ts"
import { Pools } from "../pools/Pools.ts"
import { DAMM_V2_POOL_AUTHORITY, DBC_POOL_AUTHORITY } from "../accounts/Programs.ts"
import { largestHoldings, scanHoldings, type TokenHoldings } from "./TokenHoldings.ts"
import { type MintAccount, mintOf } from "../accounts/TokenLayouts.ts"

/** Answered again for this long, so that the pages of one list fit together. */
const FRESH_MILLIS = 10_000
/** The same where not all accounts could be read: they are not asked for again before. */
const CUT_FRESH_MILLIS = 30_000
/** The same where nothing could be read. */
const FAILED_MILLIS = 5_000
/** A list that took many answers is kept for this long for each. */
const FRESH_MILLIS_PER_PAGE = 1_000
const MINTS_MAX = 256
/** Holders in all lists that are kept, each some 150 bytes. The oldest lists go first. */
const KEPT_MAX = 500_000
/** Mints that are read at once, of those that are followed and of others, and how long more of them wait for their turn. */
const [AT_ONCE, WAIT_MILLIS] = [4, 2_000]

const TOP = 10
const SHARE_SCALE = 1_000_000n

/** The holders of a token, when they were read, and until when the same are answered. */
export interface HolderList {
  readonly holders: ReadonlyArray<Holder>
  /** Whether no token account is missing. */
  readonly isWhole: boolean
  /** Whether the first ones are those that hold most: so it is where the list is whole, or the largest accounts are known. */
  readonly beginsWithLargest: boolean
  /** What the ten that hold most hold together, as a fraction of the supply, rounded down to millionths; null where they are not known. */
  readonly top10Share: number | null
  readonly readAtMillis: number
  readonly freshUntilMillis: number
}

export interface HolderOptions {
  readonly dasUrl?: Redacted.Redacted
  /** Whether all accounts of a mint are looked for; of others the largest alone are read. By default of every mint. */
  readonly isFollowed?: (mint: string) => Effect.Effect<boolean>
  /** Told of what was read from the chain, once for each read. */
  readonly onRead?: (mint: string, list: HolderList) => void
}

/** Own the vaults of every pool of their program. */
const POOL_AUTHORITIES: ReadonlySet<string> = new Set<string>([DBC_POOL_AUTHORITY, DAMM_V2_POOL_AUTHORITY])

const NOTHING: Effect.Effect<TokenHoldings> = Effect.sync(() => ({ amounts: new Map(), isWhole: false, pages: 0 }))

/**
 * Who holds a token, largest first; the vaults of curves and of the pools they migrate to are left out. However many accounts a mint
 * has, a bounded number is read, a bounded number of mints at once, and what is long is ranked in pieces.
 */
export class Holders extends Context.Service<
  Holders,
  { readonly list: (mint: string) => Effect.Effect<HolderList, NotFound | Unavailable | Busy> }
>()("@launch-registry/chain/holders/Holders") {
  /**
   * Asks the DAS index where there is one, else for the token accounts themselves in one answer. Where that does not give all of them,
   * the largest accounts are read as well.
   */
  static readonly layer = (options: HolderOptions = {}) =>
    Layer.effect(
      Holders,
      Effect.gen(function* () {
        const rpc = yield* Rpc
        const pools = yield* Pools
        const das = options.dasUrl === undefined ? undefined : new DasIndex(options.dasUrl)
        yield* Effect.addFinalizer(() => Effect.promise(async () => das?.close()))

        const holdingsOf = Effect.fnUntraced(function* (mint: string, program: string, isFollowed: boolean) {
          const all = das === undefined ? scanHoldings(rpc, mint, program) : das.holdings(mint)
          const read = yield* isFollowed ? all : NOTHING
          if (read.isWhole) return { ...read, beginsWithLargest: true }
          const largest = yield* Effect.option(largestHoldings(rpc, mint))
          if (Option.isNone(largest)) {
            return read.amounts.size === 0
              ? yield* new Unavailable({ service: "chain", retryAfterSeconds: FAILED_MILLIS / 1_000 })
              : { ...read, beginsWithLargest: false }
          }
          const { amounts, isWhole } = largest.value
          for (const [owner, amount] of amounts)
            if (amount > (read.amounts.get(owner) ?? 0n)) read.amounts.set(owner, amount)
          return { ...read, isWhole: isWhole && read.amounts.size <= amounts.size, beginsWithLargest: true }
        })

        const kept = new Map<string, number>()
        /** Forgets the oldest lists while all together are too long. */
        const keep = Effect.fnUntraced(function* (mint: string, holders: number) {
          kept.delete(mint)
          kept.set(mint, holders)
          let total = kept.values().reduce((sum, count) => sum + count, 0)
          for (const [oldest, count] of kept) {
            if (total <= KEPT_MAX && kept.size <= MINTS_MAX) return
            total -= count
            kept.delete(oldest)
            yield* Cache.invalidate(cache, oldest)
          }
        })

        const listOf = Effect.fnUntraced(function* (
          mint: string,
          { program, supply }: MintAccount,
          isFollowed: boolean,
        ) {
          const { amounts, beginsWithLargest, isWhole, pages } = yield* holdingsOf(mint, program, isFollowed)
          const vault = yield* vaultOf(mint)
          const isHolder = (owner: string) => !POOL_AUTHORITIES.has(owner) && owner !== vault
          const holders = yield* rankHolders(amounts, supply, isHolder)
          const readAtMillis = yield* Clock.currentTimeMillis
          const freshMillis = Math.max(isWhole ? FRESH_MILLIS : CUT_FRESH_MILLIS, pages * FRESH_MILLIS_PER_PAGE)
          const freshUntilMillis = readAtMillis + freshMillis
          const top10Share = beginsWithLargest ? shareOf(holders.slice(0, TOP), supply) : null
          const list: HolderList = {
            ...{ holders, isWhole, beginsWithLargest, top10Share, readAtMillis, freshUntilMillis },
          }
          options.onRead?.(mint, list)
          yield* keep(mint, holders.length)
          return list
        })

        // Mints of strangers delay no other ones.
        const [turns, turnsOfOthers] = [yield* Semaphore.make(AT_ONCE), yield* Semaphore.make(AT_ONCE)]
        const read = Effect.fn("Holders.list")(function* (mint: string) {
          const found = mintOf((yield* pools.readAccounts([mint])).accounts[0])
          if (found === undefined) return yield* new NotFound({ resource: "mint", id: mint })
          const isFollowed = yield* options.isFollowed?.(mint) ?? Effect.succeed(true)
          return yield* inTurn(isFollowed ? turns : turnsOfOthers, Effect.result(listOf(mint, found, isFollowed)))
        })

        const cache: Cache.Cache<string, Read, NotFound | Unavailable | Busy> = yield* Cache.makeWith(read, {
          capacity: MINTS_MAX,
          timeToLive: freshFor,
        })
        return Holders.of({ list: (mint) => Effect.flatMap(Cache.get(cache, mint), Effect.fromResult) })
      }),
    )
}

/** What these hold together, as a fraction of a supply. They and the supply can be of two moments. */
export const shareOf = (holders: ReadonlyArray<Holder>, supply: bigint): number => {
  const amount = holders.reduce((total, holder) => total + BigInt(holder.amount), 0n)
  return supply === 0n ? 0 : Math.min(1, Number((amount * SHARE_SCALE) / supply) / Number(SHARE_SCALE))
}

/** What a mint and its accounts gave. That there is no mint, or no turn, is not kept: it costs little. */
type Read = Result.Result<HolderList, Unavailable>

const freshFor = (exit: Exit.Exit<Read, unknown>): number => {
  if (Exit.isFailure(exit)) return 0
  return Result.match(exit.value, {
    onFailure: () => FAILED_MILLIS,
    onSuccess: ({ freshUntilMillis, readAtMillis }) => freshUntilMillis - readAtMillis,
  })
}

/** Runs when it is its turn, and not at all when that takes too long. */
const inTurn = <A, E>(turns: Semaphore.Semaphore, read: Effect.Effect<A, E>): Effect.Effect<A, E | Busy> =>
  Effect.gen(function* () {
    const began = yield* Deferred.make<void>()
    const late = Effect.andThen(
      Effect.timeoutOrElse(Deferred.await(began), {
        duration: WAIT_MILLIS,
        orElse: () => Effect.fail(new Busy({ resource: "holders" })),
      }),
      Effect.never,
    )
    return yield* Effect.raceFirst(turns.withPermit(Effect.andThen(Deferred.succeed(began, undefined), read)), late)
  })

/** Owns what is in the pools of DAMM v1. */
const vaultOf = (mint: string) => Effect.promise(() => dynamicVaultAddress(mint))
