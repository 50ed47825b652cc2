import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { type Document, operationsText } from "./ClientContract.ts"

const ROOT = join(import.meta.dirname, "..")
const read = (...path: ReadonlyArray<string>) => readFileSync(join(ROOT, ...path), "utf8")
const document: Document = JSON.parse(read("openapi.json"))

describe("The client's contract", () => {
  it("has every operation that answers in the envelope", () => {
    const all = Object.values(document.paths).flatMap((methods) => Object.values(methods))
    const names = all
      .map(({ operationId }) => operationId)
      .filter((operationId) => !/^(gateway|metrics|webhooks|stream)\./.test(operationId))
    const table = operationsText(document)
    let group = ""
    const listed = [...table.matchAll(/^ {2,4}(\w+): ("|\{)/gm)].flatMap(([, name = "", kind]) => {
      if (kind === "{") group = name
      return kind === "{" ? [] : [`${group}.${name}`]
    })
    assert.sameMembers(listed, names)
    assert.isAbove(names.length, 60)
  })
})
