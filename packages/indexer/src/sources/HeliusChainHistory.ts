import { missingPart } from "@launch-registry/chain/launch/events/MissingPart"
import type { RawTransaction } from "@launch-registry/chain/launch/events/RawTransaction"
import { Effect, Layer, Option, Stream } from "effect"
import { ChainHistory, HistoryIncomplete, type Listed, type Listing, problemOf } from "./ChainHistory.ts"
import type { SlotRange } from "./SlotRanges.ts"
import { requestMade } from "./RequestCount.ts"
import { HeliusHistory } from "../helius/HeliusHistory.ts"

const incomplete = (error: { readonly message: string }) =>
  Effect.fail(new HistoryIncomplete({ reason: error.message }))

const listedOf = ({ meta, slot, transaction }: RawTransaction): Listed => ({
  signature: transaction.signatures[0]!,
  slot: BigInt(slot),
  hasFailed: meta.err !== null,
})

/**
 * The chain's history by Helius' bulk call: whole transactions in the order of the chain, a thousand at a time, so that no
 * missing transaction is fetched separately, and contents are proven as well. The RPC endpoints answer everything else.
 */
export const heliusChainHistory = Layer.effect(
  ChainHistory,
  Effect.gen(function* () {
    const helius = yield* HeliusHistory
    const rpc = yield* ChainHistory

    /** One that is not whole is asked for at the RPC endpoints. */
    const whole = Effect.fnUntraced(function* (transaction: RawTransaction): Effect.fn.Return<Listed> {
      const listed = listedOf(transaction)
      if (missingPart(transaction) === undefined) return { ...listed, transaction }
      return yield* rpc.transactions([listed]).pipe(
        Effect.map(({ transactions: [instead], unfetched }) =>
          instead === undefined
            ? { ...listed, problem: problemOf(unfetched[0]!) }
            : { ...listed, transaction: instead },
        ),
        Effect.catch(({ reason }) => Effect.succeed({ ...listed, problem: reason })),
      )
    })

    const list = (address: string, { fromSlot, toSlot }: SlotRange): Stream.Stream<Listing, HistoryIncomplete> =>
      Stream.paginate(
        { token: undefined as string | undefined, bottom: fromSlot, rest: [] as ReadonlyArray<Listed> },
        ({ bottom, rest, token }) =>
          Effect.gen(function* () {
            yield* requestMade
            const { items, next } = yield* helius
              .page({ address, fromSlot: Number(fromSlot), toSlot: Number(toSlot), details: "full", token })
              .pipe(Effect.catch(incomplete))
            const found = [...rest, ...(yield* Effect.forEach(items, whole))]
            if (found.some(({ slot }) => slot < bottom))
              return yield* new HistoryIncomplete({ reason: "pages of transactions do not follow one another" })
            // The last slot of a page may continue in the next one.
            const beyond = next === undefined ? toSlot + 1n : (found.at(-1)?.slot ?? bottom)
            const listing = {
              fromSlot: bottom,
              toSlot: beyond - 1n,
              listed: found.filter(({ slot }) => slot < beyond),
            }
            const state = { token: next, bottom: beyond, rest: found.filter(({ slot }) => slot >= beyond) }
            const complete: ReadonlyArray<Listing> = beyond > bottom ? [listing] : []
            return [complete, next === undefined ? Option.none() : Option.some(state)] as const
          }),
      )

    return ChainHistory.of({
      ...rpc,
      name: "helius",
      list,
      transactions: (listed) => {
        const transactions = listed.flatMap(({ transaction }) => transaction ?? [])
        return transactions.length === listed.length
          ? Effect.succeed({ transactions, unfetched: [] })
          : rpc.transactions(listed)
      },
    })
  }),
)
