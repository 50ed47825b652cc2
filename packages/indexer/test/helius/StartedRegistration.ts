import { DBC_PROGRAM } from "@launch-registry/chain/accounts/Programs"
import { Effect, Layer, Logger, Redacted, References } from "effect"
import { HeliusWebhooks } from "../../src/helius/HeliusWebhooks.ts"
import type { WebhookSettings } from "../../src/helius/Webhook.ts"
import { WebhookRegistration } from "../../src/helius/WebhookRegistration.ts"
import { SECRET } from "./Canaries.ts"
import { API_KEY, type FakeHelius, type StoredWebhook } from "./FakeHelius.ts"

export const LIST = "GET /v0/webhooks"
export const POST = "POST /v0/webhooks"
export const GET = "GET /v0/webhooks/:id"
export const PUT = "PUT /v0/webhooks/:id"
export const PATCH = "PATCH /v0/webhooks/:id"
export const DELETE = "DELETE /v0/webhooks/:id"

/** The webhook as it should be at Helius. */
export const OURS: Omit<StoredWebhook, "webhookID"> = {
  webhookURL: "https://api.example.com/api/webhooks/helius",
  webhookType: "raw",
  transactionTypes: ["ANY"],
  accountAddresses: [DBC_PROGRAM],
  txnStatus: "success",
  encoding: "json",
  authHeader: SECRET,
  active: true,
}

/** A registration as after a start of the service, with its logs. */
export const started = (helius: FakeHelius, settings: Partial<WebhookSettings> = {}, apiKey = API_KEY) =>
  Effect.gen(function* () {
    const services = WebhookRegistration.layer({
      publicUrl: "https://api.example.com/",
      network: "mainnet",
      secret: Redacted.make(SECRET),
      ...settings,
    }).pipe(Layer.provide(HeliusWebhooks.layer({ apiUrl: helius.url, apiKey: Redacted.make(apiKey) })))
    const { check } = yield* Effect.provide(
      Effect.gen(function* () {
        return yield* WebhookRegistration
      }),
      yield* Layer.build(Layer.fresh(services)),
    )
    const logged: Array<string> = []
    const logger = Logger.make(({ cause, message }) => void logged.push(`${String(message)} ${String(cause)}`))
    const logging = <A>(effect: Effect.Effect<A>) =>
      effect.pipe(Effect.provide(Logger.layer([logger])), Effect.provideService(References.MinimumLogLevel, "All"))
    return {
      check: logging(check()),
      checkWith: (pools: ReadonlyArray<string> = [], left = 0) => logging(check(pools, left)),
      logged,
    }
  })

/** The report of a check, and its calls of Helius. */
export const checked = <R, E = never>(helius: FakeHelius, check: Effect.Effect<R, E>) =>
  Effect.gen(function* () {
    const before = helius.calls.length
    const report = yield* check
    const calls = helius.calls.slice(before).map((call) => call.replace(/\/webhooks\/.+/, "/webhooks/:id"))
    return { ...report, calls }
  })
