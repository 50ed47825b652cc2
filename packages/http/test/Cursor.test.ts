import { encodeBase58 } from "@launch-registry/domain/solana/Base58"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import {
  addressPart,
  bigintPart,
  type Cursor,
  type CursorPart,
  cursorOf,
  numberPart,
  signaturePart,
  timePart,
  uuidPart,
} from "../src/answers/Cursor.ts"

const ORDINAL_MAX = 2n ** 63n - 1n

const everyPart = {
  rank: numberPart(3),
  createdAt: timePart,
  id: uuidPart,
  ordinal: bigintPart(ORDINAL_MAX),
  address: addressPart,
  signature: signaturePart,
}
const cursorsOf = cursorOf<{
  readonly rank: number
  readonly createdAt: Date
  readonly id: string
  readonly ordinal: bigint
  readonly address: string
  readonly signature: string
}>(everyPart)

const upTo = (maximum: number) => Schema.Int.check(Schema.isBetween({ minimum: 0, maximum }))
const bytes = (length: number) => Schema.Array(upTo(255)).check(Schema.isMinLength(length), Schema.isMaxLength(length))

/** The parts of a position. */
const Made = {
  rank: upTo(3),
  millis: upTo(253_402_300_799_999),
  id: bytes(16),
  ordinal: bytes(8),
  address: bytes(32),
  signature: bytes(64),
}

const positionOf = (made: { readonly [Part in keyof typeof Made]: (typeof Made)[Part]["Type"] }) => {
  const hex = Buffer.from(made.id).toString("hex")
  return {
    rank: made.rank,
    createdAt: new Date(made.millis),
    id: [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-"),
    ordinal: Buffer.from(made.ordinal).readBigUInt64BE() & ORDINAL_MAX,
    address: encodeBase58(Uint8Array.from(made.address)),
    signature: encodeBase58(Uint8Array.from(made.signature)),
  }
}

const isRefused = (cursors: Pick<Cursor<object>, "decode">, cursor: string) =>
  Effect.map(Effect.flip(cursors.decode(cursor)), ({ issues }) => {
    assert.deepStrictEqual(
      issues.map(({ path }) => path),
      ["query.cursor"],
    )
  })

describe("A cursor", () => {
  it.effect.prop("decodes to its position, in its own list only", Made, (made) =>
    Effect.gen(function* () {
      const position = positionOf(made)
      const cursor = cursorsOf("a list", "whose").encode(position)
      // The schema of the parameter accepts it.
      assert.match(cursor, /^[A-Za-z0-9_-]{1,400}$/)
      assert.deepStrictEqual(yield* cursorsOf("a list", "whose").decode(cursor), position)
      for (const other of [["a list"], ["a list", "whos"], ["another list", "whose"], ["a list", "whose", ""]])
        yield* isRefused(cursorsOf(...other), cursor)
    }),
  )

  it.effect.prop("may say how many rows are to be skipped", { ...Made, toSkip: upTo(10_000) }, ({ toSkip, ...made }) =>
    Effect.gen(function* () {
      const after = positionOf(made)
      const cursors = cursorsOf("a list")
      const cursor = cursors.encode(after, toSkip)
      assert.match(cursor, /^[A-Za-z0-9_-]{1,400}$/)
      assert.deepStrictEqual(yield* cursors.decodeStart(cursor), { after, toSkip })
      yield* isRefused({ decode: cursorsOf("another list").decodeStart }, cursor)
      // As it is without a number.
      if (toSkip === 0) return assert.strictEqual(cursor, cursors.encode(after))
      yield* isRefused(cursors, cursor)
      const text = Buffer.from(cursor, "base64url").toString()
      const start = text.slice(0, text.lastIndexOf("."))
      for (const other of ["", ".", ".0", `.0${toSkip}`, `.${toSkip + 1}`, `.${toSkip}.`, `.${toSkip}.${toSkip}`])
        yield* isRefused({ decode: cursors.decodeStart }, Buffer.from(start + other).toString("base64url"))
    }),
  )

  it.effect("skips no more rows than an offset may", () =>
    Effect.gen(function* () {
      const cursors = cursorOf<{ readonly rank: number }>({ rank: numberPart(3) })("a list")
      for (const toSkip of [10_001, -1, 1.5, Number.NaN])
        yield* isRefused({ decode: cursors.decodeStart }, cursors.encode({ rank: 1 }, toSkip))
    }),
  )

  it.effect.prop(
    "that was altered, truncated or extended is refused",
    { ...Made, at: upTo(1_000) },
    ({ at, ...made }) =>
      Effect.gen(function* () {
        const cursors = cursorsOf("a list")
        const cursor = cursors.encode(positionOf(made))
        const index = at % cursor.length
        for (const char of ["A", "B", "g", "w", "0", "-", "_", "=", " ", "+", "/", "."]) {
          if (char !== cursor[index]) yield* isRefused(cursors, cursor.slice(0, index) + char + cursor.slice(index + 1))
          yield* isRefused(cursors, cursor + char)
          yield* isRefused(cursors, char + cursor)
        }
        yield* isRefused(cursors, cursor.slice(0, index))
        yield* isRefused(cursors, cursor.slice(index + 1))
      }),
  )

  it.effect.prop("is not any text that a client made up", { text: Schema.String }, ({ text }) =>
    Effect.gen(function* () {
      for (const cursors of [cursorsOf("a list"), cursorOf<object>({})("a list")]) {
        yield* isRefused(cursors, text)
        yield* isRefused(cursors, Buffer.from(text).toString("base64url"))
      }
    }),
  )

  it.effect("has parts within their bounds, each in one canonical form", () =>
    Effect.gen(function* () {
      // Signs any text, like an attacker who knows the scheme.
      const anyText: CursorPart<string> = { write: (text) => text, read: (text) => text }
      const forge = cursorOf<{ readonly part: string }>({ part: anyText })("a list")
      const id = "01987654-3210-7abc-8def-0123456789ab"
      const address = encodeBase58(new Uint8Array(32).fill(200))
      const cases: ReadonlyArray<readonly [part: object, right: string, wrong: ReadonlyArray<string>]> = [
        [numberPart(3), "3", ["4", "-1", "03", "1e0", "1.0", "", " 1", "0x1", "+1", "NaN"]],
        [timePart, "253402300799999", ["253402300800000", "-1", "1e3", "1.5", "01", "", "Infinity"]],
        [
          bigintPart(ORDINAL_MAX),
          String(ORDINAL_MAX),
          [String(ORDINAL_MAX + 1n), "-1", "00", "", "1n", "9".repeat(99)],
        ],
        [uuidPart, id, [id.toUpperCase(), id.slice(1), `${id}0`, id.replaceAll("-", ""), "", "'"]],
        [addressPart, address, [`${address}1`, address.slice(2), `1${address}`, "", "0".repeat(44)]],
        [signaturePart, encodeBase58(new Uint8Array(64).fill(1)), [address, "", "1".repeat(63), "1".repeat(65)]],
      ]
      for (const [part, right, wrong] of cases) {
        const parts = { part: part as CursorPart<unknown> }
        const cursors = cursorOf<{ readonly part: unknown }>(parts)("a list")
        const found = yield* cursors.decode(forge.encode({ part: right }))
        assert.strictEqual(parts.part.write(found.part), right)
        for (const text of wrong) yield* isRefused(cursors, forge.encode({ part: text }))
        // Of a position with another part.
        yield* isRefused(cursors, forge.encode({ part: `${right}.${right}` }))
      }
    }),
  )
})
