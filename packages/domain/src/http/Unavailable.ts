import { Schema } from "effect"
import { respondWith } from "./ErrorEnvelope.ts"
import { field } from "./Field.ts"

/** What this service asks, and what is said while it does not answer. */
const SERVICES = {
  bridge: "The swap service is unavailable",
  chain: "The Solana chain cannot be asked at the moment; retry shortly",
  database: "The database is unavailable at the moment; retry shortly",
  history: "The history that has older trades is not available at the moment; retry shortly",
  inbox: "The inbox cannot be written to at the moment; send it again",
  ipfs: "The IPFS backend did not accept the upload",
} as const

/**
 * What this service needs for the answer does not answer, or not in time: `service` names it. What is stored here is
 * still returned.
 */
export class Unavailable extends Schema.TaggedError<Unavailable>()("Unavailable", {
  service: field(Schema.Literals(Object.keys(SERVICES) as Array<keyof typeof SERVICES>), "What does not answer"),
  reason: Schema.optionalKey(field(Schema.String, "What went wrong there")),
  retryAfterSeconds: Schema.optionalKey(field(Schema.Int, "Seconds after which to retry, if known")),
}) {
  static readonly response = respondWith(Unavailable, {
    status: 503,
    code: "upstream_unavailable",
    message: ({ reason, service }) => (reason === undefined ? SERVICES[service] : `${SERVICES[service]}: ${reason}`),
    retryAfterSeconds: ({ retryAfterSeconds }) => retryAfterSeconds,
  })
}

/** What a deployment can be without, and what is said then. */
const FEATURES = {
  bridge: "Cross-chain swaps are",
  history: "History is",
  notifications: "Notifications are",
  launches: "Launches are",
  operators: "Operators are",
  usd_prices: "Prices in US dollars are",
  webhook: "Webhook deliveries are",
} as const

/** The deployment does not have this feature: retrying is pointless until `reason`, a setting, is changed. */
export class NotConfigured extends Schema.TaggedError<NotConfigured>()("NotConfigured", {
  feature: field(Schema.Literals(Object.keys(FEATURES) as Array<keyof typeof FEATURES>), "What is missing"),
  reason: field(Schema.String, "Setting that is missing"),
}) {
  static readonly response = respondWith(NotConfigured, {
    status: 503,
    code: "not_configured",
    message: ({ feature, reason }) => `${FEATURES[feature]} not configured: ${reason}`,
    retryAfterSeconds: "never",
  })
}
