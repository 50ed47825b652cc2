import { PositionDirectory } from "@launch-registry/chain/claims/PositionDirectory"
import { readFees } from "@launch-registry/chain/claims/PoolFeeReads"
import { tokenLiquidity } from "@launch-registry/chain/claims/TokenLiquidity"
import { authorityAddresses, readAuthorities } from "@launch-registry/chain/tokens/Authorities"
import { type HolderList, Holders, shareOf } from "@launch-registry/chain/holders/Holders"
import { Pools } from "@launch-registry/chain/pools/Pools"
import { NotFound } from "@launch-registry/domain/http/NotFound"
import type { Unavailable } from "@launch-registry/domain/http/Unavailable"
import type { Address } from "@launch-registry/domain/solana/Address"
import type { HolderShares, TrustReport } from "@launch-registry/domain/trust/TrustReport"
import { Clock, Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { onPrimary } from "@launch-registry/postgres/ReadSource"
import { ChainLabels } from "./ChainLabels.ts"
import { Trust } from "../trust/Trust.ts"

interface PoolRow {
  readonly config: string
  readonly creator: string
}

/** Everything that is known of a token to judge it by, with what its accounts say. */
export class TrustReports extends Context.Service<
  TrustReports,
  {
    /** One request to the chain for the accounts once the pool was seen, and those of the list of holders. */
    readonly read: (mintAddress: Address) => Effect.Effect<TrustReport, NotFound | Unavailable>
  }
>()("@launch-registry/server/tokens/TrustReports") {
  static readonly layer = Layer.effect(
    TrustReports,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const trust = yield* Trust
      const pools = yield* Pools
      const directory = yield* PositionDirectory
      const holders = yield* Holders
      const labels = yield* ChainLabels

      const poolOf = (mint: string) =>
        Effect.map(
          Effect.orDie(sql<PoolRow>`
            select config, creator from dbc_pools where base_mint = ${mint} order by created_slot, pool limit 1`),
          ([pool]) => pool,
        )

      /** The pool with what else is read at the same slot; none where the pool is not on chain or cannot be read. */
      const withPool = Effect.fnUntraced(
        function* (mint: string, config: string) {
          const addresses = yield* Effect.promise(() => authorityAddresses(mint, config))
          const named = Object.fromEntries(addresses.map((address) => [address, address]))
          return yield* readFees({ pools, directory }, mint, () => Promise.resolve(named))
        },
        Effect.catchTag(["NotFound", "Unavailable"], () => Effect.undefined),
      )

      const read = Effect.fn("TrustReports.read")(function* (mintAddress: Address) {
        const pool = yield* poolOf(mintAddress)
        const ofPool = pool && (yield* withPool(mintAddress, pool.config))
        const { configOption, label, metadata, mint, slot } = yield* readAuthorities(
          ofPool === undefined
            ? pools.readAccounts
            : (addresses) =>
                Effect.succeed({ slot: ofPool.curve.slot, accounts: addresses.map((one) => ofPool.accounts[one]) }),
          mintAddress,
          pool?.config,
        )
        const isRenamed = label !== null && (yield* labels.note([{ ...label, mint: mintAddress, slot }]))
        const found = trust.find([mintAddress])
        // A replica may not have the new name yet.
        const known = (yield* isRenamed ? onPrimary(found) : found).get(mintAddress)
        const readAt = new Date(yield* Clock.currentTimeMillis).toISOString()
        if (mint === null && known === undefined) return yield* new NotFound({ resource: "mint", id: mintAddress })
        // The rest is answered without them. Of a part of the accounts, in no order, the largest are not those of the token: dust in many
        // wallets must not hide who holds most of it.
        const list = mint === null ? Option.none() : yield* Effect.option(holders.list(mintAddress))
        const report: TrustReport = {
          mintAddress,
          ...(known ?? { verified: false, confusableWith: null, unsafeText: [], authorities: null, firstSlot: null }),
          ...{ slot: String(slot), readAt, mint, metadata, configTokenUpdateAuthority: configOption },
          liquidity: ofPool === undefined ? null : tokenLiquidity(ofPool),
          holders:
            mint === null || Option.isNone(list) ? null : sharesOf(list.value, BigInt(mint.supply), pool?.creator),
        }
        return report
      })

      return TrustReports.of({ read })
    }),
  )
}

const sharesOf = (list: HolderList, supply: bigint, creator: string | undefined): HolderShares | null => {
  const { holders, isWhole, readAtMillis, top10Share } = list
  if (top10Share === null) return null
  const own = holders.filter(({ address }) => address === creator)
  const isOwnKnown = creator !== undefined && (isWhole || own.length > 0)
  return {
    count: holders.length,
    isWhole,
    creatorShare: isOwnKnown ? shareOf(own, supply) : null,
    top10Share,
    readAt: new Date(readAtMillis).toISOString(),
  }
}
