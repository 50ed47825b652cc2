import type { HttpApiEndpoint } from "effect/http-api"
import type { OpenApiOperation } from "../http/OpenApiOperation.ts"
import { withHeaders } from "../http/OpenApiOperation.ts"
import { requiredAccess } from "./RequiredAccess.ts"

const SCHEMES = {
  bearer: {
    type: "http",
    scheme: "bearer",
    description: "API key, where WRITE_AUTH has api-key, or ADMIN_KEY",
  },
  apiKey: {
    type: "apiKey",
    in: "header",
    name: "X-API-Key",
    description: "The same key in a header of its own",
  },
  wallet: {
    type: "http",
    scheme: "Solana",
    description: "Signature of the request by a wallet, where WRITE_AUTH has wallet: docs/access.md",
  },
} as const

/** By default no credential is required, so each scheme is optional. */
const OPTIONAL = [{}, ...Object.keys(SCHEMES).map((name) => ({ [name]: [] }))]

const withChallenge = withHeaders([401], { "www-authenticate": "Schemes that are accepted here" })

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>
  readonly components: Readonly<Record<string, unknown>> & { readonly securitySchemes: object }
}

/** The endpoints of an API, by group and name. */
interface Declared {
  readonly groups: {
    readonly [group: string]: { readonly endpoints: { readonly [name: string]: HttpApiEndpoint.Top } }
  }
}

/** Declares the optional credentials of the operations of `api` that are not open. */
export const withAccess =
  ({ groups }: Declared) =>
  (made: object): object => {
    const guarded = new Set(
      Object.entries(groups).flatMap(([group, { endpoints }]) =>
        Object.entries(endpoints).flatMap(([name, endpoint]) =>
          requiredAccess(endpoint) === "open" ? [] : [`${group}.${name}`],
        ),
      ),
    )
    const { components, paths } = made as Document
    const declared = (operation: OpenApiOperation) =>
      guarded.has(operation.operationId) ? { ...withChallenge(operation), security: OPTIONAL } : operation
    return {
      ...made,
      components: { ...components, securitySchemes: { ...components.securitySchemes, ...SCHEMES } },
      paths: Object.fromEntries(
        Object.entries(paths).map(([path, operations]) => [
          path,
          Object.fromEntries(Object.entries(operations).map(([method, operation]) => [method, declared(operation)])),
        ]),
      ),
    }
  }
