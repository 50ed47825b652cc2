import { Claims } from "@launch-registry/chain/launch/Claims"
import { type Answering, answersOf } from "@launch-registry/http/answers/Answers"
import { Effect } from "effect"

const { respond } = answersOf("launch")

const messageOf = (count: number): string =>
  count === 1
    ? "Sign and send the transaction to claim the fees"
    : `Sign and send the ${count} transactions, in any order, to claim the fees`

/** Handlers of what creators and partners earn. */
export const earnHandlers = Effect.gen(function* () {
  const claims = yield* Claims

  return {
    poolFees: ({ params }) => Effect.map(claims.fees(params.mintAddress), (data) => respond("poolFees", { data })),
    claim: Effect.fnUntraced(function* ({ payload }) {
      const { claims: kinds, mintAddress: baseMint, priorityFee, walletAddress: wallet } = payload
      const built = yield* claims.build({
        ...{ wallet, baseMint },
        ...(kinds !== undefined && { kinds }),
        ...(priorityFee !== undefined && { priorityFee }),
      })
      const message = messageOf(built.transactions.length)
      return respond("claim", { data: { ...built, message }, message })
    }),
  } satisfies Pick<Answering<"launch">, "poolFees" | "claim">
})
