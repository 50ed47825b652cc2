import { Api } from "@launch-registry/domain/Api"
import { InvalidRequest } from "@launch-registry/domain/http/RequestErrors"
import { Context, Effect, Schema } from "effect"
import { HttpApi, type HttpApiEndpoint } from "effect/http-api"
import { issuesOf } from "./SchemaIssues.ts"

/** The JSON body of the current request, parsed and checked by `RequestGuard`. */
export const JsonBody = Context.Reference<unknown>("@launch-registry/http/requests/JsonBody", {
  defaultValue: () => undefined,
})

/** The schema of the JSON body of an endpoint; undefined if it reads none. */
export const jsonSchemaOf = (endpoint: HttpApiEndpoint.Top): Schema.Constraint | undefined => {
  const known = schemaOf.get(endpoint)
  if (known !== undefined) return known
  const { encoding, schemas = [] } = endpoint.payload.get("application/json") ?? {}
  if (encoding?._tag !== "Json") return undefined
  const schema = schemas.length === 1 ? schemas[0]! : Schema.Union(schemas)
  schemaOf.set(endpoint, schema)
  return schema
}

const schemaOf = new WeakMap<HttpApiEndpoint.Top, Schema.Constraint>()

type Handler = (request: object) => Effect.Effect<unknown, unknown, unknown>

/** What handlers are registered with, below its types. */
interface Registry {
  readonly group: { readonly endpoints: Readonly<Record<string, HttpApiEndpoint.Top>> }
  readonly handle: (id: string, handler: Handler) => unknown
  readonly handleRaw: (id: string, handler: Handler) => unknown
}

const PARSE_OPTIONS = Context.getUnsafe(Api.annotations, HttpApi.PayloadParseOptions)

/** `handlers` with payloads decoded from {@link JsonBody}: effect would parse the text of the body a second time. */
export const withJsonBodies = <Handlers extends object>(handlers: Handlers): Handlers => {
  const registry = handlers as Handlers & Registry
  const register = (id: string, handler: Handler) => {
    const schema = jsonSchemaOf(registry.group.endpoints[id]!)
    if (schema === undefined) return registry.handle(id, handler)
    const decode = Schema.decodeUnknownEffect(schema as Schema.Codec<unknown>, PARSE_OPTIONS)
    return registry.handleRaw(id, (request) =>
      JsonBody.pipe(
        Effect.flatMap(decode),
        Effect.mapError(({ issue }) => new InvalidRequest({ issues: issuesOf("body", issue) })),
        Effect.flatMap((payload) => handler({ ...request, payload })),
      ),
    )
  }
  const handleAll = (all: Readonly<Record<string, Handler>>) => {
    for (const [id, handler] of Object.entries(all)) register(id, handler)
    return handlers
  }
  return Object.assign(Object.create(handlers) as Handlers, { handleAll })
}
