import type { Holder } from "@launch-registry/domain/launch/Pool"
import { type ChainUnavailable, MintNotFound } from "@launch-registry/domain/launch/LaunchErrors"
import type { Address } from "@launch-registry/domain/solana/Address"
import { Cache, Clock, Context, Effect, Exit, Layer, Option, type Redacted } from "effect"
import { Rpc } from "../rpc/Rpc.ts"
import { dynamicVaultAddress } from "./DammV1Addresses.ts"
import { Pools } from "./Pools.ts"
import { DAMM_V2_POOL_AUTHORITY, DBC_POOL_AUTHORITY } from "./Programs.ts"
import { DasIndex, scanHoldings, type TokenHolding } from "./TokenHoldings.ts"
import { mintOf } from "./TokenLayouts.ts"

/** Cached this long, so that the pages of one list fit together. */
const FRESH_MILLIS = 10_000
const MINTS_MAX = 256
const SHARE_SCALE = 1_000_000n

/** The holders of a token, when they were read, and until when the same are answered. */
export interface HolderList {
  readonly holders: ReadonlyArray<Holder>
  /** Whether no token account is missing: an index has its accounts in any order, and not more than so many are read. */
  readonly isWhole: boolean
  readonly readAtMillis: number
  readonly freshUntilMillis: number
}

export interface HolderOptions {
  readonly dasUrl?: Redacted.Redacted
  /** Told of what was read from the chain, once for each read. */
  readonly onRead?: (mint: string, list: HolderList) => void
}

/** Own the vaults of every pool of their program. */
const POOL_AUTHORITIES: ReadonlySet<string> = new Set<string>([DBC_POOL_AUTHORITY, DAMM_V2_POOL_AUTHORITY])

/** Who holds a token, largest first; the vaults of curves and of the pools they migrate to are left out. */
export class Holders extends Context.Service<
  Holders,
  { readonly list: (mint: string) => Effect.Effect<HolderList, MintNotFound | ChainUnavailable> }
>()("@launch-registry/chain/launch/Holders") {
  /** Asks the DAS index when there is one, and the token accounts themselves where there is none or it fails. */
  static readonly layer = (options: HolderOptions = {}) =>
    Layer.effect(
      Holders,
      Effect.gen(function* () {
        const rpc = yield* Rpc
        const pools = yield* Pools
        const das = Option.map(Option.fromNullishOr(options.dasUrl), (url) => new DasIndex(url))
        yield* Effect.addFinalizer(() =>
          Option.match(das, { onNone: () => Effect.void, onSome: (index) => Effect.promise(() => index.close()) }),
        )

        const holdingsOf = (mint: string, program: string) => {
          const scan = scanHoldings(rpc, mint, program)
          return Option.match(das, {
            onNone: () => scan,
            onSome: (index) =>
              Effect.catch(index.holdings(mint), () =>
                Effect.andThen(Effect.logWarning("The DAS index does not answer; token accounts are scanned"), scan),
              ),
          })
        }

        const lookup = Effect.fn("Holders.list")(function* (mint: string) {
          const found = mintOf((yield* pools.readAccounts([mint])).accounts[0])
          if (found === undefined) return yield* new MintNotFound({ mintAddress: mint })
          const holdings = yield* holdingsOf(mint, found.program)
          const holders = rank(holdings.found, found.supply, yield* vaultOf(mint))
          const { isWhole } = holdings
          const readAtMillis = yield* Clock.currentTimeMillis
          const list: HolderList = { holders, isWhole, readAtMillis, freshUntilMillis: readAtMillis + FRESH_MILLIS }
          options.onRead?.(mint, list)
          return list
        })

        const cache = yield* Cache.makeWith(lookup, {
          capacity: MINTS_MAX,
          timeToLive: (exit) => (Exit.isSuccess(exit) ? FRESH_MILLIS : 0),
        })
        return Holders.of({ list: (mint) => Cache.get(cache, mint) })
      }),
    )
}

/** Owns what is in the pools of DAMM v1. */
const vaultOf = (mint: string) => Effect.promise(() => dynamicVaultAddress(mint))

/** One row an owner, the largest first, those that hold the same by address. */
const rank = (holdings: ReadonlyArray<TokenHolding>, supply: bigint, vault: string): ReadonlyArray<Holder> => {
  const amounts = new Map<string, bigint>()
  for (const { amount, owner } of holdings)
    if (amount > 0n && !POOL_AUTHORITIES.has(owner) && owner !== vault)
      amounts.set(owner, (amounts.get(owner) ?? 0n) + amount)
  return [...amounts]
    .sort(([leftOwner, left], [rightOwner, right]) =>
      left === right ? (leftOwner < rightOwner ? -1 : 1) : left < right ? 1 : -1,
    )
    .map(([owner, amount]) => ({
      address: owner as Address,
      amount: amount.toString(),
      share: supply === 0n ? 0 : Number((amount * SHARE_SCALE) / supply) / Number(SHARE_SCALE),
    }))
}
