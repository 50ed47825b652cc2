import { eachObject } from "@launch-registry/domain/http/PlainSchemas"
import { openApiText } from "../../fixtures/OpenApiExamples.ts"

export type Json = Readonly<Record<string, unknown>>

export interface Parameter {
  readonly name: string
  readonly in: string
  readonly description?: string
  readonly schema: Json
}

export interface Response {
  readonly description: string
  readonly headers?: Json
  readonly content?: Readonly<Record<string, { readonly schema: Json }>>
}

export interface Operation {
  readonly operationId: string
  readonly parameters: ReadonlyArray<Parameter>
  readonly requestBody?: { readonly content: Readonly<Record<string, Json & { readonly schema: Json }>> }
  readonly responses: Readonly<Record<string, Response>>
}

export const document = JSON.parse(openApiText) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Json>> }
}
export const { schemas } = document.components
export const operations = Object.entries(document.paths).flatMap(([path, ofPath]) =>
  Object.entries(ofPath).map(([method, operation]) => ({ ...operation, shown: `${method} ${path}` })),
)

export const nameIn = ({ $ref }: Json): string => (typeof $ref === "string" ? $ref.split("/").at(-1)! : "")

/** Names of the components that `value` reaches. */
export const reached = (value: unknown, names = new Set<string>()): ReadonlySet<string> => {
  eachObject(value, (object) => {
    const name = nameIn(object)
    if (name in schemas && !names.has(name)) reached(schemas[name], names.add(name))
  })
  return names
}

/** The operation of this id. */
export const operationOf = (id: string): Operation => operations.find(({ operationId }) => operationId === id)!
