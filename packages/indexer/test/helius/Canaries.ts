import { inspect } from "node:util"
import { assert } from "@effect/vitest"
import { API_KEY } from "./FakeHelius.ts"

export const SECRET = "CANARY-secret-91be"

/** Asserts that neither key nor secret is in any of these, however they are printed. */
export const assertNoCanary = (...values: ReadonlyArray<unknown>): void => {
  const seen = values
    .flatMap((value) => [
      String(value),
      JSON.stringify(value) ?? "",
      value instanceof Error ? `${value.stack}${inspect(value.cause)}` : "",
      inspect(value, { depth: Infinity, showHidden: true, getters: true }),
    ])
    .join("\n")
  for (const canary of [API_KEY, SECRET, "CANARY", "api-key"]) assert.notInclude(seen, canary)
}
