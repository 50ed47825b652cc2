import { OpenApi } from "effect/http-api"
import { assert, describe, it } from "vitest"
import { Api } from "../src/Api.ts"
import { CHANGE_TYPES } from "../src/stream/ChainChange.ts"

interface ObjectSchema {
  readonly properties?: { readonly type?: { readonly enum?: ReadonlyArray<string> } }
}

describe("The stream", () => {
  it("declares an event for every change that the indexer can emit", () => {
    const schemas: ReadonlyArray<ObjectSchema> = Object.values(OpenApi.fromApi(Api).components.schemas)
    const declared = new Set(schemas.flatMap(({ properties }) => properties?.type?.enum ?? []))
    for (const type of CHANGE_TYPES) assert.isTrue(declared.has(type), type)
  })
})
