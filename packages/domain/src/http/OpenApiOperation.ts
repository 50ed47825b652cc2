/** JSON Schema, as far as OpenAPI is rewritten here. */
export interface JsonSchema {
  readonly [keyword: string]: unknown
}

export interface OpenApiHeader {
  readonly description: string
  readonly schema: JsonSchema
}

interface OpenApiParameter {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly schema: JsonSchema
  readonly description?: string
  readonly example?: unknown
}

type OpenApiContent = Readonly<Record<string, { readonly schema: JsonSchema } & Readonly<Record<string, unknown>>>>

export interface OpenApiResponse {
  readonly description: string
  readonly headers?: Readonly<Record<string, OpenApiHeader | { readonly $ref: string }>>
  readonly content?: OpenApiContent
}

/** An operation as effect makes it of an endpoint. */
export interface OpenApiOperation {
  readonly operationId: string
  readonly parameters: ReadonlyArray<OpenApiParameter>
  readonly requestBody?: { readonly content: OpenApiContent } & Readonly<Record<string, unknown>>
  readonly responses: Readonly<Record<string, OpenApiResponse>>
  readonly [field: string]: unknown
}

export type OperationChange = (operation: OpenApiOperation) => OpenApiOperation

const text = (description: string): OpenApiHeader => ({ description, schema: { type: "string" } })

/** Declares headers that answers of these statuses have; texts, by their name and what they say. */
export const withHeaders =
  (statuses: ReadonlyArray<number>, headers: Readonly<Record<string, string>>): OperationChange =>
  (operation) => {
    const declared = Object.fromEntries(Object.entries(headers).map(([name, says]) => [name, text(says)]))
    const responses = Object.entries(operation.responses).map(([status, response]) => [
      status,
      statuses.includes(Number(status)) ? { ...response, headers: { ...response.headers, ...declared } } : response,
    ])
    return { ...operation, responses: Object.fromEntries(responses) }
  }

/** Declares that an operation never answers this status, whatever stands before every endpoint. */
export const withoutStatus =
  (status: number): OperationChange =>
  (operation) => {
    const responses = Object.entries(operation.responses).filter(([declared]) => Number(declared) !== status)
    return { ...operation, responses: Object.fromEntries(responses) }
  }

const HEADERS_LENGTH_MAX = 16_384

/** Declares that an answer has an ETag and is not sent again to a caller who has it: 304. */
export const withEtag =
  (cacheControl: string): OperationChange =>
  (operation) => {
    const ifNoneMatch = {
      name: "if-none-match",
      in: "header",
      required: false,
      description: "ETag of the answer that the caller has: 304 when there is no other",
      schema: { type: "string", maxLength: HEADERS_LENGTH_MAX },
    }
    const responses = { ...operation.responses, 304: { description: "The caller has it already" } }
    return withHeaders([200, 206, 304], {
      etag: "Of the content of this answer, for If-None-Match",
      "cache-control": cacheControl,
    })({ ...operation, parameters: [...operation.parameters, ifNoneMatch], responses })
  }

/** Declares that no cache may store the answer. */
export const NOT_STORED = withHeaders([200], { "cache-control": "no-store" })
