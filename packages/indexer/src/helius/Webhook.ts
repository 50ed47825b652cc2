import { DBC_PROGRAM } from "@launch-registry/chain/accounts/Programs"
import type { Network } from "@launch-registry/chain/rpc/Network"
import { WEBHOOK_PATH } from "@launch-registry/domain/webhooks/WebhookPath"
import { Redacted, Schema } from "effect"

/** A request to Helius: `CreateWebhookRequest` of its openapi/webhooks.yaml. `PUT` takes the whole of it as well. */
export interface DesiredWebhook {
  readonly webhookURL: string
  readonly webhookType: "raw" | "rawDevnet"
  readonly transactionTypes: ReadonlyArray<string>
  readonly accountAddresses: ReadonlyArray<string>
  readonly txnStatus: "success"
  readonly encoding: "json"
  /** Helius sends it back as `Authorization` with every delivery. */
  readonly authHeader: Redacted.Redacted
}

/**
 * A webhook as Helius describes it (`Webhook` of openapi/webhooks.yaml; `active`: types/webhooks.ts of helius-sdk).
 * Only `webhookID` and `webhookURL` are required here, because the document requires no field; a missing field is
 * unknown. Lists truncate `accountAddresses` after 100 (helius-rust-sdk, webhook.rs).
 */
export const FoundWebhook = Schema.Struct({
  webhookID: Schema.NonEmptyString,
  webhookURL: Schema.String,
  webhookType: Schema.optional(Schema.NullOr(Schema.String)),
  transactionTypes: Schema.optional(Schema.NullOr(Schema.Array(Schema.String))),
  accountAddresses: Schema.optional(Schema.NullOr(Schema.Array(Schema.String))),
  txnStatus: Schema.optional(Schema.NullOr(Schema.String)),
  encoding: Schema.optional(Schema.NullOr(Schema.String)),
  authHeader: Schema.optional(Schema.NullOr(Schema.RedactedFromValue(Schema.String))),
  active: Schema.optional(Schema.NullOr(Schema.Boolean)),
})
export type FoundWebhook = typeof FoundWebhook.Type

/** The settings of a deployment for its webhook. */
export interface WebhookSettings {
  /** The public URL of this service; Helius accepts no other. */
  readonly publicUrl: string
  readonly network: Exclude<Network, "localnet">
  readonly secret: Redacted.Redacted
}

/** Addresses of a webhook (https://www.helius.dev/docs/webhooks). */
export const ADDRESSES_MAX = 100_000

/** Lists show no more addresses of a webhook than this (helius-rust-sdk, webhook.rs). */
export const LISTED_ADDRESSES_MAX = 100

/**
 * The webhook that this service needs.
 *
 * - The program's id, which is an account of every transaction that calls it, so pools on their curves need not be named. A swap on a
 *   migrated pool does not call it, so those pools are.
 * - Raw, because enhanced bodies hold no DBC events; JSON, because the decoder reads JSON.
 * - Only successful transactions: a failed one changes nothing, and would cost a credit like any other.
 * - Raw webhooks are not filtered by transaction type, but without `transactionTypes` Helius answers 400
 *   (helius-labs/core-ai, f33486f).
 */
export const desiredWebhook = (
  { network, publicUrl, secret }: WebhookSettings,
  migratedPools: ReadonlyArray<string> = [],
): DesiredWebhook => ({
  webhookURL: `${publicUrl.replace(/\/+$/, "")}${WEBHOOK_PATH}`,
  webhookType: network === "devnet" ? "rawDevnet" : "raw",
  transactionTypes: ["ANY"],
  accountAddresses: [DBC_PROGRAM, ...migratedPools],
  txnStatus: "success",
  encoding: "json",
  authHeader: secret,
})

export const hasUrlOf = (desired: DesiredWebhook, found: FoundWebhook): boolean =>
  URL.parse(found.webhookURL)?.href === URL.parse(desired.webhookURL)?.href

export type Drift = "webhookType" | "transactionTypes" | "accountAddresses" | "txnStatus" | "encoding" | "authHeader"

/** Shown instead of a header that is set. Undocumented: the documentation shows the header itself. */
const MASK = /\*{3}|•{3}|…|redacted/i

/** Whether the answer leaves open which header is set. */
export const hidesHeader = ({ authHeader }: FoundWebhook): boolean => {
  const shown = authHeader ? Redacted.value(authHeader) : ""
  return shown === "" || MASK.test(shown)
}

/**
 * The fields in which a webhook differs from the desired one; whether it is active is checked elsewhere.
 *
 * A missing type, address list or header counts as a difference; without our header, deliveries could be forged. The
 * other fields count only when present and different, because Helius documents them for requests but not for answers.
 */
export const driftOf = (desired: DesiredWebhook, found: FoundWebhook): ReadonlyArray<Drift> => {
  const drifts: Array<Drift> = []
  if (found.webhookType !== desired.webhookType) drifts.push("webhookType")
  if (found.transactionTypes?.length && !found.transactionTypes.includes("ANY")) drifts.push("transactionTypes")
  if (!sameSet(found.accountAddresses ?? [], desired.accountAddresses)) drifts.push("accountAddresses")
  if ((found.txnStatus ?? desired.txnStatus) !== desired.txnStatus) drifts.push("txnStatus")
  if ((found.encoding ?? desired.encoding) !== desired.encoding) drifts.push("encoding")
  if (!found.authHeader || Redacted.value(found.authHeader) !== Redacted.value(desired.authHeader))
    drifts.push("authHeader")
  return drifts
}

export const sameSet = (left: ReadonlyArray<string>, right: ReadonlyArray<string>): boolean =>
  new Set(left).symmetricDifference(new Set(right)).size === 0
