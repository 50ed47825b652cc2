import { LaunchTransactions } from "@launch-registry/chain/launches/LaunchTransactions"
import { Claims } from "@launch-registry/chain/claims/Claims"
import { type Answering, answersOf } from "@launch-registry/http/answers/Answers"
import { sharedFor } from "@launch-registry/http/answers/CacheControl"
import { PAGE_LIMIT } from "@launch-registry/domain/http/Paging"
import { CREATOR_SECONDS } from "@launch-registry/domain/launch/CreatorFigures"
import { requireWallet } from "@launch-registry/domain/access/Caller"
import type { Address } from "@launch-registry/domain/solana/Address"
import { Effect } from "effect"
import { creatorFigures } from "./Creators.ts"
import { feeClaims } from "./FeeClaims.ts"
import { withNextStep } from "./NextStep.ts"
import { liquidityChanges } from "./LiquidityChanges.ts"

const { respond, respondRead } = answersOf("launch")

const CREATOR_CACHED = sharedFor(CREATOR_SECONDS)

const messageOf = (count: number): string =>
  count === 1
    ? "Sign and send the transaction to claim the fees"
    : `Sign and send the ${count} transactions, in any order, to claim the fees`

/** Handlers of what creators and partners earn. */
export const earnHandlers = Effect.gen(function* () {
  const claims = yield* Claims
  const transactions = yield* LaunchTransactions
  const listClaims = yield* feeClaims
  const listChanges = yield* liquidityChanges
  const figuresOf = yield* creatorFigures
  const stepping = yield* withNextStep

  return {
    poolFees: ({ params }) => Effect.map(claims.fees(params.mintAddress), (data) => respond("poolFees", { data })),
    claim: Effect.fnUntraced(function* ({ payload }) {
      const { claims: kinds, mintAddress: baseMint, priorityFee, transactionVersion, walletAddress: wallet } = payload
      const built = yield* claims.build({
        ...{ wallet, baseMint, priorityFee, transactionVersion },
        ...(kinds !== undefined && { kinds }),
      })
      return respond("claim", stepping(built, messageOf(built.transactions.length)))
    }),
    transferCreator: Effect.fnUntraced(function* ({ payload }) {
      const { mintAddress: baseMint, newCreator, priorityFee, transactionVersion, walletAddress: creator } = payload
      yield* requireWallet(creator, "the creator")
      const { pool, unsigned, ...paid } = yield* transactions.transferCreator({
        ...{ baseMint, wallet: creator, newCreator, priorityFee, transactionVersion },
      })
      const message = `Sign and send the transaction: ${newCreator} is the creator of the pool from then on`
      const data = {
        ...unsigned,
        ...{ mintAddress: baseMint, pool: pool as Address, creator, newCreator },
        ...paid,
      }
      return respond("transferCreator", stepping(data, message))
    }),
    claims: ({ query: { cursor, limit = PAGE_LIMIT, ...filter }, request }) => {
      const read = Effect.map(listClaims(filter, { limit, cursor }), ({ claims: data, nextCursor }) => ({
        ...{ data, pagination: { limit, nextCursor } },
      }))
      return respondRead("claims", request, read)
    },
    liquidityChanges: ({ params, query: { cursor, limit = PAGE_LIMIT }, request }) => {
      const read = Effect.map(listChanges(params.mintAddress, { limit, cursor }), ({ changes: data, nextCursor }) => ({
        ...{ data, pagination: { limit, nextCursor } },
      }))
      return respondRead("liquidityChanges", request, read)
    },
    creator: ({ params, request }) => {
      const read = Effect.map(figuresOf(params.address), (data) => ({ data }))
      return respondRead("creator", request, read, CREATOR_CACHED)
    },
  } satisfies Pick<
    Answering<"launch">,
    "poolFees" | "claim" | "claims" | "liquidityChanges" | "creator" | "transferCreator"
  >
})
