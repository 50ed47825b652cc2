import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { errorListText, listErrors } from "./ErrorList.ts"

const source = (file: string) => readFileSync(join(import.meta.dirname, "..", file), "utf8")

interface Schema {
  readonly allOf?: ReadonlyArray<{ readonly $ref?: string }>
  readonly properties?: Readonly<Record<string, { readonly enum?: ReadonlyArray<unknown> }>>
}

describe("The list of errors", () => {
  it("is up to date: otherwise run `pnpm generate` and review the diff", async () => {
    assert.strictEqual(await errorListText(), source("docs/errors.md"))
  })

  it("has every code of the contract once, with its meaning", async () => {
    const errors = await listErrors()
    const codes = errors.map(({ code }) => code)
    assert.deepStrictEqual(codes, [...new Set(codes)])
    const documented = new Set(
      Object.values(JSON.parse(source("openapi.json")).components.schemas as Readonly<Record<string, Schema>>).flatMap(
        ({ allOf, properties }) =>
          allOf?.[0]?.$ref === "#/components/schemas/ErrorEnvelope" ? [properties!.code!.enum![0]] : [],
      ),
    )
    assert.isAbove(documented.size, 25)
    assert.includeMembers(codes, [...documented] as Array<string>)
    assert.includeMembers(codes, ["route_not_found", "method_not_allowed", "malformed_http", "not_found", "busy"])
    for (const { code, meaning } of errors) assert.match(meaning, /^[A-Z`].*\.$/, code)
  })
})
