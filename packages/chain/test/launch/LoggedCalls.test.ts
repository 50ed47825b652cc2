import { assert, describe, it } from "vitest"
import { DBC_PROGRAM } from "../../src/accounts/Programs.ts"
import { loggedCalls } from "../../src/transactions/LoggedCalls.ts"

const CALL = [`Program ${DBC_PROGRAM} invoke [1]`, `Program ${DBC_PROGRAM} success`]

describe("The calls that logs name", () => {
  it("are those of the runtime, whatever programs write", () => {
    const written = ["invoke [1]", "invoke [2]", "success", `Program ${DBC_PROGRAM} invoke [2]`]
    const lines = written.flatMap((text) => ["log:", "data:", "return:"].map((kind) => `Program ${kind} ${text}`))
    for (const line of lines)
      assert.deepStrictEqual(loggedCalls([CALL[0], line, CALL[1]]), { outer: 1, inner: 0, isWhole: true }, line)
  })
})
