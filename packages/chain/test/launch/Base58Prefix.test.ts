import { assert, describe, it } from "@effect/vitest"
import { encodeBase58 } from "@launch-registry/domain/solana/Base58"
import { Schema } from "effect"
import { startsLike, textsOf } from "../../src/transactions/Base58Prefix.ts"

const HEADS = ["9ca9e66735e45040", "d825013958e21929", "01ffffffffffffff", "0100000000000000", "ff"]
const Tail = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 255 })))

/** How far apart distinguishable heads are: they differ in their first four bytes. */
const APART = 1n << 32n

const textOf = (head: string, tail: ReadonlyArray<number>) =>
  encodeBase58(Uint8Array.from([...Buffer.from(head, "hex"), ...tail]))

describe("The base58 prefix of a byte prefix", () => {
  it.prop("holds whatever bytes follow", [Schema.Literals(HEADS), Tail], ([head, tail]) => {
    const text = textOf(head, tail)
    const { lengths, prefix } = textsOf(head, head.length / 2 + tail.length)
    assert.isTrue(lengths.has(text.length))
    assert.isTrue(text.startsWith(prefix))
    assert.isTrue(startsLike([head])(text))
  })

  it("holds for the lowest and highest bytes of every length up to that of a transaction, and for no other prefix", () => {
    for (const head of HEADS.slice(0, 4)) {
      const mayBe = startsLike([head])
      const above = (BigInt(`0x${head}`) + APART).toString(16).padStart(16, "0")
      const below = (BigInt(`0x${head}`) - APART).toString(16).padStart(16, "0")
      for (let bytes = 0; bytes < 1_232; bytes += bytes < 100 ? 1 : 61) {
        const [low, high] = [0, 255].map((fill) => Array.from({ length: bytes }, () => fill)) as [number[], number[]]
        assert.isTrue(mayBe(textOf(head, low)) && mayBe(textOf(head, high)), `${head} and ${bytes} bytes`)
        // When the texts of a head have two lengths, their prefix decides nothing.
        if (textsOf(head, 8 + bytes).lengths.size > 1 || bytes === 0) continue
        const others = [textOf(above, high), textOf(below, low)].filter((text) => mayBe(text))
        assert.isEmpty(others, `${head} and ${bytes} bytes`)
      }
    }
  })
})
