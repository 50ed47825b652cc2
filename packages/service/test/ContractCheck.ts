import { Api } from "@launch-registry/domain/Api"
import { StreamApi } from "@launch-registry/domain/stream/StreamApi"
import { DeliveryAnswer } from "@launch-registry/domain/webhooks/WebhookInbox"
import { WEBHOOK_PATH } from "@launch-registry/domain/webhooks/WebhookPath"
import { Result, Schema } from "effect"
import { FindMyWay } from "effect/http"
import { HttpApi } from "effect/http-api"
import { EXACT_ROUTES } from "@launch-registry/http/requests/RequestEdge"

/** An answer as received, and its request. */
export interface SeenAnswer {
  readonly method: string
  /** Path and query, or an absolute URL. */
  readonly url: string
  readonly status: number
  readonly contentType: string | null | undefined
  /** If absent, only the status is checked. */
  readonly text?: string
}

/** Why a value does not match a schema; `undefined` when it does. */
type Decode = (value: unknown) => string | undefined

interface DeclaredEndpoint {
  readonly name: string
  readonly successes: ReadonlyMap<number, Decode>
}

const LINES_MAX = 20

const decodeBy = (schemas: ReadonlyArray<Schema.Top>): Decode => {
  const codec = Schema.toCodecJson(Schema.Union(schemas)) as unknown as Schema.Codec<unknown>
  const decode = Schema.decodeUnknownResult(codec, { errors: "all", onExcessProperty: "error" })
  return (value) => {
    const result = decode(value)
    // Rows of a list report the same issue once.
    return Result.isFailure(result) ? result.failure.message.split("\n").slice(0, LINES_MAX).join("\n") : undefined
  }
}

const lazily = (make: () => Decode): Decode => {
  let decode: Decode | undefined
  return (value) => (decode ??= make())(value)
}

/** The declared endpoint of a method and path, found as the server finds it. */
const declared = FindMyWay.make<DeclaredEndpoint>(EXACT_ROUTES)

HttpApi.reflect(Api, {
  onGroup: () => undefined,
  onEndpoint: ({ endpoint, group, successes }) => {
    const name = `${group.identifier}.${endpoint.identifier}`
    const isStream = successes.size === 0
    const decoders = [...successes].map(([status, schemas]) => [status, lazily(() => decodeBy(schemas))] as const)
    declared.on(endpoint.method, endpoint.path as `/${string}`, {
      name,
      successes: new Map(isStream ? [[200, () => "it is no stream of events"]] : decoders),
    })
  },
})
declared.on("POST", WEBHOOK_PATH, {
  name: "webhooks.helius",
  successes: new Map([[200, lazily(() => decodeBy([DeliveryAnswer]))]]),
})

const pathOf = (url: string): string => new URL(url, "http://localhost").pathname

/**
 * Why a successful answer does not match its endpoint: another status, or JSON that does not match the schema
 * or has additional fields. `undefined` when it matches, and for errors.
 */
export const contractFault = ({ contentType, method, status, text, url }: SeenAnswer): string | undefined => {
  if (status < 200 || status > 299 || method === "OPTIONS") return undefined
  const path = pathOf(url)
  const endpoint = declared.find(method === "HEAD" ? "GET" : method, path)?.handler
  const asked = `${method} ${path}`
  // Paths outside of /api are not part of the contract: documentation, metrics, content.
  if (endpoint === undefined)
    return path.startsWith("/api/") ? `${asked} is no endpoint, and answered ${status}` : undefined
  const decode = endpoint.successes.get(status)
  if (decode === undefined) return `${endpoint.name} (${asked}) declares no ${status}`
  if (method === "HEAD" || text === undefined || contentType?.startsWith("application/json") !== true) return undefined
  const issue = decode(JSON.parse(text))
  return issue === undefined ? undefined : `${endpoint.name} (${asked}) answered what it does not declare: ${issue}`
}

/** Fails the test when an answer does not match the contract. */
export const assertDeclared = (answer: SeenAnswer): void => {
  const fault = contractFault(answer)
  if (fault !== undefined) throw new Error(fault)
}

const [changes] = StreamApi.endpoints.changes.success
const decodeEvent = lazily(() => decodeBy([(changes as unknown as { readonly events: Schema.Top }).events]))

/** Fails the test when an event of `/api/stream` does not match the contract. */
export const assertDeclaredEvent = (event: { readonly id?: string; readonly event: string; readonly data: string }) => {
  const issue = decodeEvent(event)
  if (issue !== undefined) throw new Error(`The stream sent what it does not declare: ${issue}`)
}

/** `fetch` from our service that fails when a successful answer does not match the contract. */
export const checkedFetch = async (url: string, init: RequestInit = {}): Promise<Response> => {
  const response = await fetch(url, init)
  const { method = "GET" } = init
  const seen = { method, url, status: response.status, contentType: response.headers.get("content-type") }
  assertDeclared(seen)
  const read = response.arrayBuffer.bind(response)
  const arrayBuffer = async () => {
    const bytes = await read()
    assertDeclared({ ...seen, text: Buffer.from(bytes).toString() })
    return bytes
  }
  const text = async () => Buffer.from(await arrayBuffer()).toString()
  return Object.assign(response, { arrayBuffer, text, json: async () => JSON.parse(await text()) as unknown })
}
