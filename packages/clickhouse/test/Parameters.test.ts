import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { TestClickHouse } from "./TestClickHouse.ts"

const Text = Schema.String.check(Schema.makeFilter((text) => text.isWellFormed()))
const Unsigned64 = Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 0n, maximum: 2n ** 64n - 1n }))

layer(TestClickHouse.layer)("Parameters of a statement", (it) => {
  it.effect.prop("are values, whatever is in them", [Text, Schema.Array(Text), Unsigned64], ([text, list, number]) =>
    Effect.gen(function* () {
      const { clickhouse } = yield* TestClickHouse
      const [row] = yield* clickhouse.select(
        "select {text:String} as text, {list:Array(String)} as list, {number:UInt64} as number",
        { list, text, number },
      )
      assert.deepStrictEqual(row, { text, list, number: `${number}` })
    }),
  )

  it.effect("are texts that end no statement", () =>
    Effect.gen(function* () {
      const { clickhouse, server } = yield* TestClickHouse
      for (const text of ["'; drop table trades; --", "\\', 1); drop table trades", "{other:String}", "\\N"]) {
        const [row] = yield* clickhouse.select("select {text:String} as text", { text })
        assert.deepStrictEqual(row, { text })
      }
      assert.lengthOf(yield* server.run("exists table trades"), 1)
    }),
  )
})
