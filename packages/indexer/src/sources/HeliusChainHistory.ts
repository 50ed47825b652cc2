import { missingPart } from "@launch-registry/chain/events/MissingPart"
import type { RawTransaction } from "@launch-registry/chain/transactions/RawTransaction"
import { UNSUPPORTED_VERSION } from "@launch-registry/chain/rpc/TransactionVersion"
import { Effect, Layer, Option, Stream } from "effect"
import { ChainHistory, HistoryIncomplete, type Listed, type Listing } from "./ChainHistory.ts"
import type { SlotRange } from "./SlotRanges.ts"
import { requestMade } from "./RequestCount.ts"
import type { HeliusRefused, HeliusUnavailable } from "../helius/HeliusErrors.ts"
import { HeliusHistory } from "../helius/HeliusHistory.ts"
import type { HistoryDetails, LandedSignature } from "../helius/HistoryPage.ts"

const incomplete = (error: { readonly message: string }) =>
  Effect.fail(new HistoryIncomplete({ reason: error.message }))

/** Where a page begins: of a token, in a listing of whole transactions or of signatures alone from a slot on. */
interface PageStart {
  readonly details: HistoryDetails
  readonly from: bigint
  readonly token: string | undefined
  /** The lowest slot that is not complete yet, and what was found in it. */
  readonly bottom: bigint
  readonly rest: ReadonlyArray<Listed>
}

/** Signatures in a page whose transactions are asked for one by one: such a one may have 4 MB. */
const SIGNATURES_AT_ONCE = 100

/** A single transaction fails a page with all others: one of a version or form that is not known here, or a few that are too large. */
const isOfPage = (error: HeliusUnavailable | HeliusRefused): boolean =>
  error._tag === "HeliusRefused"
    ? error.code === UNSUPPORTED_VERSION
    : error.reason === "too_large" || error.reason === "malformed"

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
          instead === undefined ? { ...listed, problem: unfetched[0]! } : { ...listed, transaction: instead },
        ),
        Effect.catch(({ reason }) => {
          const { signature } = listed
          const problem = { signature, reason: `not read: ${reason}`, isAvailable: true, isAsked: false }
          return Effect.succeed({ ...listed, problem })
        }),
      )
    })

    /** The same of signatures alone: the transactions are asked for one by one. */
    const fetched = Effect.fnUntraced(function* (signatures: ReadonlyArray<LandedSignature>) {
      const listed = signatures.map(({ err, signature, slot }): Listed => ({
        ...{ signature, slot: BigInt(slot), hasFailed: err !== null },
      }))
      const { transactions, unfetched } = yield* rpc.transactions(listed.filter(({ hasFailed }) => !hasFailed))
      const found = new Map(transactions.map((one) => [one.transaction.signatures[0]!, one]))
      const problems = new Map(unfetched.map((one) => [one.signature, one]))
      return listed.map((one): Listed => {
        const [transaction, problem] = [found.get(one.signature), problems.get(one.signature)]
        return { ...one, ...(transaction && { transaction }), ...(problem !== undefined && { problem }) }
      })
    })

    const list = (address: string, { fromSlot, toSlot }: SlotRange): Stream.Stream<Listing, HistoryIncomplete> =>
      Stream.paginate<PageStart, Listing, HistoryIncomplete>(
        { details: "full", from: fromSlot, token: undefined, bottom: fromSlot, rest: [] },
        ({ bottom, details, from, rest, token }) =>
          Effect.gen(function* () {
            yield* requestMade
            const asked = { address, fromSlot: Number(from), toSlot: Number(toSlot), token }
            const page =
              details === "full"
                ? yield* helius.page({ ...asked, details }).pipe(
                    Effect.map(({ items, next }) => ({ next, listed: Effect.forEach(items, whole) })),
                    Effect.catchIf(isOfPage, () => Effect.succeed(undefined)),
                    Effect.catch(incomplete),
                  )
                : yield* helius.page({ ...asked, details, limit: SIGNATURES_AT_ONCE }).pipe(
                    Effect.map(({ items, next }) => ({ next, listed: fetched(items) })),
                    Effect.catch(incomplete),
                  )
            if (page === undefined) {
              const start: PageStart = { details: "signatures", from: bottom, token: undefined, bottom, rest: [] }
              return [[], Option.some(start)] as const
            }
            const { listed, next } = page
            const found = [...rest, ...(yield* listed)]
            if (found.some(({ slot }) => slot < bottom))
              return yield* new HistoryIncomplete({ reason: "pages of transactions do not follow one another" })
            // The last slot of a page may continue in the next one.
            const beyond = next === undefined ? toSlot + 1n : (found.at(-1)?.slot ?? bottom)
            const listing = {
              fromSlot: bottom,
              toSlot: beyond - 1n,
              listed: found.filter(({ slot }) => slot < beyond),
            }
            const left = found.filter(({ slot }) => slot >= beyond)
            // Behind the transactions of a page of signatures, whole ones are asked for again.
            const again: PageStart = { details: "full", from: beyond, token: undefined, bottom: beyond, rest: [] }
            const following: PageStart = { details, from, token: next, bottom: beyond, rest: left }
            const state = details === "signatures" && beyond > bottom ? again : following
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
