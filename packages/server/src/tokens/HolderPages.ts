import type { InvalidRequest } from "@launch-registry/domain/http/RequestErrors"
import type { Holder } from "@launch-registry/domain/pools/Pool"
import { HOLDERS_LIMIT } from "@launch-registry/domain/tokens/TokensApi"
import { Effect } from "effect"
import { addressPart, bigintPart, cursorOf } from "@launch-registry/http/answers/Cursor"

export interface HolderPage {
  readonly holders: ReadonlyArray<Holder>
  /** Absent if all holders are returned and no page was requested. */
  readonly pagination?: { readonly limit: number; readonly nextCursor: string | null }
}

const U64_MAX = 2n ** 64n - 1n

/** Cursors of the holders of a mint: largest first, then by address. */
const holdersOf = cursorOf<{ readonly amount: bigint; readonly address: string }>({
  amount: bigintPart(U64_MAX),
  address: addressPart,
})

/** A page of holders, ordered by amount and then by address, after the cursor. */
export const holderPage = Effect.fnUntraced(function* (
  mintAddress: string,
  all: ReadonlyArray<Holder>,
  { cursor, limit }: { readonly cursor?: string | undefined; readonly limit?: number | undefined },
): Effect.fn.Return<HolderPage, InvalidRequest> {
  const cursors = holdersOf("holders", mintAddress)
  const last = cursor === undefined ? undefined : yield* cursors.decode(cursor)
  const isAfter = ({ address, amount }: Holder) =>
    last === undefined || BigInt(amount) < last.amount || (BigInt(amount) === last.amount && address > last.address)
  const start = all.findIndex(isAfter)
  const rest = start === -1 ? [] : all.slice(start)
  const holders = rest.slice(0, limit ?? HOLDERS_LIMIT)
  const isLast = holders.length === rest.length
  if (isLast && limit === undefined && cursor === undefined) return { holders }
  const end = holders.at(-1)
  const nextCursor =
    isLast || end === undefined ? null : cursors.encode({ amount: BigInt(end.amount), address: end.address })
  return { holders, pagination: { limit: limit ?? HOLDERS_LIMIT, nextCursor } }
})
