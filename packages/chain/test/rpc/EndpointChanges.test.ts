import { assert, it } from "@effect/vitest"
import { EndpointChanges } from "../../src/rpc/EndpointChanges.ts"

it("Changes of endpoints are the newest, with their times, and bounded", () => {
  let now = 0
  const changes = new EndpointChanges(() => now)
  for (; now < 70_000; now += 1_000) changes.note("in_use", `backup-${now}`, null)
  assert.lengthOf(changes.newestFirst, 50)
  assert.deepStrictEqual(changes.newestFirst[0], {
    ...{ at: "1970-01-01T00:01:09.000Z", endpoint: "backup-69000", event: "in_use", detail: null },
  })
  assert.strictEqual(changes.newestFirst.at(-1)!.endpoint, "backup-20000")
})
