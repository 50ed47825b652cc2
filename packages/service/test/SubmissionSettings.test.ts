import { assert, describe, it } from "@effect/vitest"
import { BUILDER_PROGRAMS } from "@launch-registry/chain/submissions/BuilderPrograms"
import { Effect } from "effect"
import { readSettings } from "../src/Settings.ts"
import { PRODUCTION } from "./ProductionSettings.ts"

const MEMO = "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr"

describe("Settings of submissions", () => {
  it.effect("send everything by default", () =>
    Effect.gen(function* () {
      const { submissions } = yield* readSettings({})
      assert.deepStrictEqual(submissions, { programs: undefined })
    }),
  )

  it.effect("are read; builders stands for the programs of the transactions that are built", () =>
    Effect.gen(function* () {
      const { submissions } = yield* readSettings({
        ...PRODUCTION,
        SUBMIT_PROGRAMS: `builders, ${MEMO}`,
      })
      assert.sameMembers([...submissions.programs!], [...BUILDER_PROGRAMS, MEMO])
    }),
  )

  it.effect("name what is wrong", () =>
    Effect.gen(function* () {
      const wrong = { SUBMIT_PROGRAMS: "everything" }
      const { faults } = yield* Effect.flip(readSettings({ ...PRODUCTION, ...wrong }))
      assert.sameMembers(
        faults.map((fault) => fault.split(":")[0]),
        Object.keys(wrong),
      )
    }),
  )
})
