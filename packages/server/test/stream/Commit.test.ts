import { assert, it } from "@effect/vitest"
import type { ShownChange } from "@launch-registry/domain/stream/ShownChange"
import { sampleAddress } from "../../../service/test/Samples.ts"
import { commitOf, decodeCommit } from "../../src/stream/Commit.ts"
import { sampleChange } from "./IndexChanges.ts"

it("An encoded change keeps no larger buffer alive, however small it is", () => {
  const { changes } = commitOf(
    decodeCommit(1, JSON.stringify([sampleChange("trade", sampleAddress())])),
    (change) => change as ShownChange,
  )
  const frame = changes[0]!.frame
  assert.match(new TextDecoder().decode(frame), /^id: 1-0\nevent: trade\ndata: \{.*\}\n\n$/)
  assert.strictEqual(frame.buffer.byteLength, frame.length)
})
