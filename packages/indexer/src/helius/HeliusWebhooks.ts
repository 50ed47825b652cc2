import { readBody } from "@launch-registry/domain/http/ReadBody"
import { Context, Effect, Layer, Redacted, Schema } from "effect"
import { faultOfStatus, type HeliusRefused, HeliusUnavailable } from "./HeliusErrors.ts"
import { type DesiredWebhook, FoundWebhook } from "./Webhook.ts"

const API_URL = "https://api-mainnet.helius-rpc.com"
const DEADLINE_MILLIS = 5_000
/** A webhook with all addresses that it may have takes 5 MB. */
const WHOLE_DEADLINE_MILLIS = 30_000
/** An account may have several of these. */
const BYTES_MAX = 64 << 20

type HeliusEffect<A> = Effect.Effect<A, HeliusUnavailable | HeliusRefused>

/**
 * The webhooks of one Helius account, of all its networks (https://www.helius.dev/docs/api-reference/webhooks). Every
 * call costs 100 credits, even one that changes nothing, and ends within five seconds; one with a whole webhook within thirty.
 */
export class HeliusWebhooks extends Context.Service<
  HeliusWebhooks,
  {
    readonly list: HeliusEffect<ReadonlyArray<FoundWebhook>>
    readonly get: (webhookId: string) => HeliusEffect<FoundWebhook>
    readonly create: (desired: DesiredWebhook) => HeliusEffect<FoundWebhook>
    /** Replaces the whole webhook; call `get` for the result. */
    readonly update: (webhookId: string, desired: DesiredWebhook) => HeliusEffect<void>
    /**
     * Switches deliveries on or off. Helius disables a webhook that often fails, but not within a day after this call.
     */
    readonly toggle: (webhookId: string, active: boolean) => HeliusEffect<void>
    readonly delete: (webhookId: string) => HeliusEffect<void>
  }
>()("@launch-registry/indexer/helius/HeliusWebhooks") {
  /** `apiUrl`: for tests, which run a fake Helius. */
  static readonly layer = (options: { readonly apiUrl?: string; readonly apiKey: Redacted.Redacted }) =>
    Layer.sync(HeliusWebhooks, () => {
      const call = callerOf(options.apiUrl ?? API_URL, options.apiKey)
      const pathOf = (webhookId: string) => `/${encodeURIComponent(webhookId)}`
      return HeliusWebhooks.of({
        list: Effect.flatMap(call("GET", ""), readAs(Schema.Array(FoundWebhook))),
        get: (webhookId) =>
          Effect.flatMap(call("GET", pathOf(webhookId), undefined, WHOLE_DEADLINE_MILLIS), readAs(FoundWebhook)),
        create: (desired) =>
          Effect.flatMap(call("POST", "", bodyOf(desired), WHOLE_DEADLINE_MILLIS), readAs(FoundWebhook)),
        update: (webhookId, desired) =>
          Effect.asVoid(call("PUT", pathOf(webhookId), bodyOf(desired), WHOLE_DEADLINE_MILLIS)),
        toggle: (webhookId, active) => Effect.asVoid(call("PATCH", pathOf(webhookId), JSON.stringify({ active }))),
        delete: (webhookId) => Effect.asVoid(call("DELETE", pathOf(webhookId))),
      })
    })
}

/**
 * Exactly the fields of a request. A webhook is never sent back as it was read; helius-sdk had to stop doing so (its
 * #30).
 */
const bodyOf = ({ authHeader, ...rest }: DesiredWebhook): string =>
  JSON.stringify({ ...rest, authHeader: Redacted.value(authHeader) })

const callerOf =
  (apiUrl: string, apiKey: Redacted.Redacted) =>
  (method: string, path: string, body?: string, deadlineMillis = DEADLINE_MILLIS): HeliusEffect<string> =>
    Effect.tryPromise({
      try: async (signal) => {
        // Plain `fetch`, because Effect's HTTP client would write the URL, and with it the key, into traces.
        const response = await fetch(
          `${apiUrl.replace(/\/+$/, "")}/v0/webhooks${path}?api-key=${encodeURIComponent(Redacted.value(apiKey))}`,
          {
            method,
            signal,
            redirect: "manual",
            // No content type without a body: a DELETE that has one is answered 400 (helius-labs/core-ai, f33486f).
            ...(body === undefined ? {} : { body, headers: { "content-type": "application/json" } }),
          },
        )
        return { status: response.status, text: (await readBody(response, BYTES_MAX))?.toString() }
      },
      catch: () => new HeliusUnavailable({ reason: "network" }),
    }).pipe(
      Effect.timeoutOrElse({
        duration: deadlineMillis,
        orElse: () => Effect.fail(new HeliusUnavailable({ reason: "deadline" })),
      }),
      Effect.flatMap(({ status, text }) => {
        const fault = faultOfStatus(status)
        if (fault !== undefined) return Effect.fail(fault)
        return text === undefined
          ? Effect.fail(new HeliusUnavailable({ reason: "too_large", status }))
          : Effect.succeed(text)
      }),
    )

/** The schema's own error would quote the body. */
const readAs = <S extends Schema.Top & { readonly DecodingServices: never }>(schema: S) => {
  const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(schema))
  return (text: string): HeliusEffect<S["Type"]> =>
    Effect.mapError(decode(text), () => new HeliusUnavailable({ reason: "malformed", status: 200 }))
}
