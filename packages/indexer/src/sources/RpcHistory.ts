import { Rpc } from "@launch-registry/chain/rpc/Rpc"
import type { Address, Signature, Slot } from "@solana/kit"
import { Effect, Layer, Option, Stream } from "effect"
import { countedRpc, RequestCount } from "./RequestCount.ts"
import { ChainHistory, type ChainOutcome, HistoryIncomplete, type Listed, type Listing } from "./ChainHistory.ts"
import { type Commitment, fetchTransactions, incomplete } from "./FetchTransactions.ts"
import type { SlotRange } from "./SlotRanges.ts"

/** The most that `getSignaturesForAddress` and `getSignatureStatuses` take. */
export const SIGNATURES_PAGE = 1_000
const STATUSES_PAGE = 256

interface Page {
  readonly listed: ReadonlyArray<Listed>
  readonly isLast: boolean
}

/** An address's signatures below `before`, newest first, from a node that has reached `minContextSlot`. */
export const signaturesPage = Effect.fnUntraced(function* (
  rpc: Rpc["Service"],
  address: string,
  options: {
    readonly before?: string | undefined
    readonly until?: string | undefined
    readonly commitment: Commitment
    readonly minContextSlot?: bigint
    readonly limit?: number
  },
) {
  const { before, commitment, limit = SIGNATURES_PAGE, minContextSlot, until } = options
  const found = yield* rpc
    .call((kit) =>
      kit.getSignaturesForAddress(address as Address, {
        limit,
        commitment,
        ...(before === undefined ? {} : { before: before as Signature }),
        ...(until === undefined ? {} : { until: until as Signature }),
        ...(minContextSlot === undefined ? {} : { minContextSlot: minContextSlot as Slot }),
      }),
    )
    .pipe(Effect.catch(incomplete))
  const listed = found.map(({ err, signature, slot }): Listed => ({ signature, slot, hasFailed: err !== null }))
  // Completeness is inferred from the order.
  if (listed.some(({ slot }, index) => index > 0 && slot > listed[index - 1]!.slot))
    return yield* new HistoryIncomplete({ reason: "signatures are not listed from the newest to the oldest" })
  return { listed, isLast: found.length < limit } satisfies Page as Page
})

/** Where a page of a listing begins. */
interface PageStart {
  readonly before: string | undefined
  /** The last one of the page before: this page has to begin with it. */
  readonly last: string | undefined
  /** The highest slot that is not complete yet, and what was found in it. */
  readonly top: bigint
  readonly rest: ReadonlyArray<Listed>
}

export interface RpcHistoryOptions {
  /** From 2 to 1,000. */
  readonly pageSize?: number
  /** Newest finalized slots that are left for later: nodes index signatures a little after they finalize blocks. */
  readonly marginSlots?: number
}

/** The chain's history through any RPC endpoint: signatures from the newest to the oldest, transactions one by one. */
export const rpcHistory = ({ marginSlots = 0, pageSize = SIGNATURES_PAGE }: RpcHistoryOptions = {}) =>
  Layer.effect(
    ChainHistory,
    Effect.gen(function* () {
      const rpc = countedRpc(yield* Rpc)

      const finalizedSlot = rpc
        .call((kit) => kit.getSlot({ commitment: "finalized" }))
        .pipe(
          Effect.catch(incomplete),
          Effect.map((slot): bigint => (slot > BigInt(marginSlots) ? slot - BigInt(marginSlots) : 0n)),
        )

      const processedSlot = rpc.call((kit) => kit.getSlot({ commitment: "processed" })).pipe(Effect.catch(incomplete))

      /** A node that has pruned the start of a range lists the remainder as if that were all. */
      const assertKept = Effect.fnUntraced(function* ({ fromSlot }: SlotRange) {
        const first = yield* rpc.call((kit) => kit.getFirstAvailableBlock()).pipe(Effect.catch(incomplete))
        if (first > fromSlot)
          return yield* new HistoryIncomplete({ reason: `the node's history starts at slot ${first}` })
      })

      /** Pages descend through the slots; the last slot of a page may continue in the next one. */
      const nextPage = Effect.fnUntraced(function* (
        address: string,
        range: SlotRange,
        { before, last, rest, top }: PageStart,
      ) {
        const { listed } = yield* signaturesPage(rpc, address, {
          before,
          commitment: "finalized",
          minContextSlot: range.toSlot,
          limit: pageSize,
        })
        // Nothing lies below `before`, or the node does not know it: begin at the top.
        if (listed.length === 0 && last === undefined && before !== undefined)
          return [[], Option.some({ before: undefined, last, top, rest })] as const
        const run = yield* continued(listed, before, last)
        const further = last === undefined ? run : run.slice(1)
        const lowest = further.at(-1)?.slot
        // An empty page counts only from a node whose history reaches that far.
        if (lowest === undefined) yield* assertKept(range)
        const isDone = lowest === undefined || lowest < range.fromSlot
        const found = [...rest, ...further]
        const fromSlot = isDone ? range.fromSlot : lowest + 1n
        const listing = { fromSlot, toSlot: top, listed: within(found, fromSlot, top) }
        const below: PageStart = {
          before: run.at(-2)?.signature ?? before,
          last: run.at(-1)?.signature,
          top: fromSlot <= top ? fromSlot - 1n : top,
          rest: found.filter(({ slot }) => slot < fromSlot),
        }
        // A page above the range, or within one slot, completes nothing yet.
        const complete: ReadonlyArray<Listing> = fromSlot <= top ? [listing] : []
        return [complete, isDone ? Option.none() : Option.some(below)] as const
      })

      /** Beginning below the top of the range would hide what lies between. */
      const placeAbove = Effect.fnUntraced(function* (range: SlotRange, after: string | undefined) {
        if (after === undefined) return undefined
        const [outcome] = yield* outcomes([after], range.toSlot)
        return outcome !== undefined && outcome.isFinalized && outcome.slot > range.toSlot ? after : undefined
      })

      const list = (address: string, range: SlotRange, after?: string): Stream.Stream<Listing, HistoryIncomplete> =>
        Stream.unwrap(
          Effect.map(placeAbove(range, after), (before) =>
            Stream.paginate<PageStart, Listing, HistoryIncomplete>(
              { before, last: undefined, top: range.toSlot, rest: [] },
              (start) => nextPage(address, range, start),
            ),
          ),
        )

      const newestSlot = (address: string, upTo: bigint) =>
        Effect.map(
          signaturesPage(rpc, address, { commitment: "finalized", minContextSlot: upTo, limit: 1 }),
          ({ listed }) => listed[0]?.slot,
        )

      const outcomes = Effect.fnUntraced(function* (signatures: ReadonlyArray<string>, upTo: bigint) {
        const found: Array<ChainOutcome | undefined> = []
        for (let start = 0; start < signatures.length; start += STATUSES_PAGE) {
          const page = signatures.slice(start, start + STATUSES_PAGE) as unknown as ReadonlyArray<Signature>
          const { context, value } = yield* rpc
            .call((kit) => kit.getSignatureStatuses(page, { searchTransactionHistory: true }))
            .pipe(Effect.catch(incomplete))
          if (context.slot < upTo)
            return yield* new HistoryIncomplete({ reason: `the node is at slot ${context.slot}` })
          if (value.length !== page.length) return yield* new HistoryIncomplete({ reason: "statuses are missing" })
          for (const status of value)
            found.push(
              status === null
                ? undefined
                : {
                    slot: status.slot,
                    hasFailed: status.err !== null,
                    isFinalized: status.confirmationStatus === "finalized",
                  },
            )
        }
        return found
      })

      return ChainHistory.of({
        name: "rpc",
        finalizedSlot,
        processedSlot,
        list,
        newestSlot,
        transactions: (listed) =>
          Effect.flatMap(RequestCount, (counter) => fetchTransactions(rpc, listed, "finalized", counter)),
        outcomes,
      })
    }),
  )

/**
 * A page from where the previous one ended, that end included. Nodes that do not know `before`, as after a failover to a shorter
 * history, list nothing: without the overlap, that would look like the end of history.
 */
const continued = (
  listed: ReadonlyArray<Listed>,
  before: string | undefined,
  last: string | undefined,
): Effect.Effect<ReadonlyArray<Listed>, HistoryIncomplete> => {
  if (last === undefined) return Effect.succeed(listed)
  const at = listed.findIndex(({ signature }) => signature === last)
  // Without `before`, newer ones may have arrived meanwhile.
  return at === 0 || (at > 0 && before === undefined)
    ? Effect.succeed(listed.slice(at))
    : Effect.fail(new HistoryIncomplete({ reason: "pages of signatures do not follow one another" }))
}

const within = (listed: ReadonlyArray<Listed>, fromSlot: bigint, toSlot: bigint): ReadonlyArray<Listed> =>
  listed.filter(({ slot }) => slot >= fromSlot && slot <= toSlot)
