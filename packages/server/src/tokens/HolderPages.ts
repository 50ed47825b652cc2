import { InvalidRequest } from "@launch-registry/domain/http/RequestErrors"
import type { Holder } from "@launch-registry/domain/launch/Pool"
import { isAddress } from "@launch-registry/domain/solana/Address"
import { HOLDERS_LIMIT } from "@launch-registry/domain/tokens/TokensApi"
import { Effect } from "effect"

export interface HolderPage {
  readonly holders: ReadonlyArray<Holder>
  /** Absent when the answer holds all there are and nobody asked for a page. */
  readonly pagination?: { readonly limit: number; readonly nextCursor: string | null }
}

const encodeCursor = ({ address, amount }: Holder): string => Buffer.from(`${amount}.${address}`).toString("base64url")

const decodeCursor = (
  cursor: string,
): Effect.Effect<{ readonly amount: bigint; readonly address: string }, InvalidRequest> => {
  const [amount = "", address = ""] = Buffer.from(cursor, "base64url").toString().split(".")
  return /^\d{1,20}$/.test(amount) && isAddress(address)
    ? Effect.succeed({ amount: BigInt(amount), address })
    : Effect.fail(
        new InvalidRequest({ issues: [{ path: "query.cursor", message: "expected a cursor of an earlier answer" }] }),
      )
}

/** A page of holders, ranked by amount and then by address: what comes after the one that an earlier page ended with. */
export const holderPage = Effect.fnUntraced(function* (
  all: ReadonlyArray<Holder>,
  { cursor, limit }: { readonly cursor?: string | undefined; readonly limit?: number | undefined },
): Effect.fn.Return<HolderPage, InvalidRequest> {
  const last = cursor === undefined ? undefined : yield* decodeCursor(cursor)
  const isAfter = ({ address, amount }: Holder) =>
    last === undefined || BigInt(amount) < last.amount || (BigInt(amount) === last.amount && address > last.address)
  const start = all.findIndex(isAfter)
  const rest = start === -1 ? [] : all.slice(start)
  const holders = rest.slice(0, limit ?? HOLDERS_LIMIT)
  const isLast = holders.length === rest.length
  if (isLast && limit === undefined && cursor === undefined) return { holders }
  return {
    holders,
    pagination: { limit: limit ?? HOLDERS_LIMIT, nextCursor: isLast ? null : encodeCursor(holders.at(-1)!) },
  }
})
