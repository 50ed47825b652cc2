import { hash } from "node:crypto"
import { CURSOR_EXPECTED, OFFSET_MAX } from "@launch-registry/domain/http/Paging"
import { InvalidRequest } from "@launch-registry/domain/http/RequestErrors"
import { isAddress } from "@launch-registry/domain/solana/AddressText"
import { isSignature } from "@launch-registry/domain/solana/SignatureText"
import { Effect } from "effect"

/** Codec of a field of a position; `read` returns undefined for invalid text. */
export interface CursorPart<A> {
  readonly write: (value: A) => string
  readonly read: (text: string) => A | undefined
}

const text = (isOne: (text: string) => boolean): CursorPart<string> => ({
  write: (value) => value,
  read: (text) => (isOne(text) ? text : undefined),
})

export const uuidPart = text((text) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text))
export const addressPart = text(isAddress)
/** A SHA-256 in hex. */
export const digestPart = text((text) => /^[0-9a-f]{64}$/.test(text))
export const signaturePart = text(isSignature)

/** A whole number from 0 to `maximum`. */
export const bigintPart = (maximum: bigint): CursorPart<bigint> => ({
  write: String,
  read: (text) => (/^\d{1,20}$/.test(text) && BigInt(text) <= maximum ? BigInt(text) : undefined),
})

/** The same as a number. */
export const numberPart = (maximum: number): CursorPart<number> => ({
  write: String,
  read: (text) => (/^\d{1,16}$/.test(text) && Number(text) <= maximum ? Number(text) : undefined),
})

/** End of the year 9999. */
const millisPart = numberPart(253_402_300_799_999)

/** A time of 1970 or later, in milliseconds. */
export const timePart: CursorPart<Date> = {
  write: (time) => millisPart.write(time.getTime()),
  read: (text) => {
    const millis = millisPart.read(text)
    return millis === undefined ? undefined : new Date(millis)
  },
}

/** Where a page starts: so many rows after a position are skipped. */
export interface Start<Position> {
  readonly after: Position
  readonly toSkip: number
}

/** Cursors of one list: opaque encodings of the position that a page ended with. */
export interface Cursor<Position> {
  /** `toSkip`: how many rows of an offset are still to be skipped after the position, 0 by default. */
  readonly encode: (position: Position, toSkip?: number) => string
  /** The position; refuses a cursor that skips rows. */
  readonly decode: (cursor: string) => Effect.Effect<Position, InvalidRequest>
  readonly decodeStart: (cursor: string) => Effect.Effect<Start<Position>, InvalidRequest>
}

/** What chooses no rows, but how many of them are answered, and with what. */
const PAGING = new Set(["limit", "offset", "cursor", "include"])

/** Filters of a query by name, as text; those that are absent, and paging, are left out. */
const filtersOf = (query: object) =>
  Object.entries(query)
    .filter(([name, value]) => value !== undefined && !PAGING.has(name))
    .toSorted(([left], [right]) => (left < right ? -1 : 1))

/**
 * Cursors from the fields of a position, for a list identified by its name and what chooses its rows: parameters of the path, and
 * the query with its filters. They start with a digest of these, so that cursors of other lists or filters, and altered or
 * truncated ones, are rejected.
 */
export const cursorOf =
  <Position extends object>(parts: { readonly [Field in keyof Position]: CursorPart<Position[Field]> }) =>
  (...list: ReadonlyArray<string | object>): Cursor<Position> => {
    // A query without filters is left out: such cursors are as those of versions that did not bind filters.
    const query = list
      .map((part) => (typeof part === "string" ? part : filtersOf(part)))
      .filter((part) => typeof part === "string" || part.length > 0)
    const fields: Array<keyof Position> = []
    for (const field in parts) fields.push(field)
    const encode = (position: Position, toSkip = 0): string => {
      const written = fields.map((field) => parts[field].write(position[field]))
      const skipped = toSkip === 0 ? [] : [toSkip]
      const digest = hash("sha256", JSON.stringify([...query, ...written, ...skipped]), "base64url")
      return Buffer.from([digest.slice(0, DIGEST_LENGTH), ...written, ...skipped].join(".")).toString("base64url")
    }
    const read = (cursor: string): Start<Position> | undefined => {
      const [, ...written] = Buffer.from(cursor, "base64url").toString().split(".")
      const values = fields.map((field, at) => [field, parts[field].read(written[at] ?? "")] as const)
      const toSkip = skipPart.read(written[fields.length] ?? "0")
      if (toSkip === undefined || values.some(([, value]) => value === undefined)) return undefined
      const after = Object.fromEntries(values) as Position
      // Each start has a single encoding.
      return encode(after, toSkip) === cursor ? { after, toSkip } : undefined
    }
    const decodeStart = (cursor: string) => {
      const start = read(cursor)
      return start === undefined ? Effect.fail(notGiven()) : Effect.succeed(start)
    }
    return {
      encode,
      decodeStart,
      decode: (cursor) =>
        Effect.flatMap(decodeStart(cursor), ({ after, toSkip }) =>
          toSkip === 0 ? Effect.succeed(after) : Effect.fail(notGiven()),
        ),
    }
  }

const skipPart = numberPart(OFFSET_MAX)

/** 48 bits. */
const DIGEST_LENGTH = 8

const notGiven = () => InvalidRequest.at("query.cursor", CURSOR_EXPECTED)

/** Position of a row in a list ordered newest first, then by id. */
export interface Position {
  readonly createdAt: Date
  readonly id: string
}

/** Cursors of a list ordered newest first. */
export const newestFirst = cursorOf<Position>({ createdAt: timePart, id: uuidPart })
