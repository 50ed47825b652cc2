import { assert, describe, it } from "@effect/vitest"
import { CHANGE_TYPES } from "@launch-registry/domain/stream/ChainChange"
import type { ShownChange } from "@launch-registry/domain/stream/ShownChange"
import { Fiber, Schema } from "effect"
import { commitOf, decodeCommit } from "../../src/stream/Commit.ts"
import { Subscriber } from "../../src/stream/Subscriber.ts"
import { WaitingReaders } from "../../src/stream/WaitingReaders.ts"
import { sampleAddress } from "../../../service/test/Samples.ts"
import { sampleChange } from "./IndexChanges.ts"

const MINTS = Array.from({ length: 4 }, () => sampleAddress())
const Some = <A extends string>(values: ReadonlyArray<A>) => Schema.Array(Schema.Literals(values))

const Reader = Schema.Struct({ types: Some(CHANGE_TYPES), mints: Schema.UndefinedOr(Some(MINTS)) })
const Change = Schema.Struct({ type: Schema.Literals(CHANGE_TYPES), mint: Schema.Literals(MINTS) })

const subscriber = ({ mints, types }: typeof Reader.Type): Subscriber =>
  new Subscriber(
    undefined as unknown as Fiber.Fiber<unknown>,
    { types: new Set(types), mints: mints && new Set(mints) },
    0,
  )

describe("Readers that wait", () => {
  it.prop(
    "are woken by a commit exactly if one of its changes is for them, also after others have gone",
    [Schema.Array(Reader), Schema.Array(Change)],
    ([filters, changes]) => {
      const readers = filters.map(subscriber)
      const waiting = new WaitingReaders()
      for (const reader of readers) waiting.add(reader)
      const leaving = readers.filter((_, index) => index % 3 === 0)
      for (const reader of leaving) {
        waiting.delete(reader)
        waiting.delete(reader)
      }
      const commit = commitOf(
        decodeCommit(1, JSON.stringify(changes.map(({ mint, type }) => sampleChange(type, mint)))),
        (change) => change as ShownChange,
      )
      const expected = readers.filter(
        (reader) => !leaving.includes(reader) && commit.changes.some((change) => change!.passes(reader.filter)),
      )
      assert.sameMembers([...waiting.concernedBy(commit)], expected)
      for (const reader of readers) waiting.delete(reader)
      assert.strictEqual(waiting.size, 0)
      assert.isEmpty([...waiting.concernedBy(commit)])
    },
  )
})
