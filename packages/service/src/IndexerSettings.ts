import type { Network } from "@launch-registry/chain/rpc/Network"
import { INDEX_SOURCES, type IndexSource } from "@launch-registry/domain/system/LeaderReport"
import { Redacted } from "effect"
import { type Fault, wholeSettings } from "./WholeSetting.ts"

/** Settings of the indexer. */
export interface IndexerSettings {
  readonly source: IndexSource
  /** Secrets of the webhook; it is registered with the first. */
  readonly webhookSecrets: ReadonlyArray<Redacted.Redacted>
  /** Interval of reconciliation with the chain; the default depends on the source. */
  readonly reconcileSeconds: number | undefined
  /** Requests that a round may take to compare migrated pools with the chain. */
  readonly poolRequests: number | undefined
}

/** Anyone who guesses the secret can write trades into the index until reconciliation drops them. */
const SECRET_LENGTH_MIN = 16
const SECRETS_MAX = 2

/** The settings of the indexer among `values`; faults are reported as name and expectation. */
export const readIndexerSettings = (
  values: Readonly<Record<string, string | undefined>>,
  network: Network,
  fault: Fault,
): IndexerSettings => {
  const secrets = values.HELIUS_WEBHOOK_SECRET?.split(",").map((secret) => secret.trim()) ?? []
  if (secrets.length > SECRETS_MAX || secrets.some(({ length }) => length < SECRET_LENGTH_MIN))
    fault("HELIUS_WEBHOOK_SECRET", `a secret of at least ${SECRET_LENGTH_MIN} characters, or two separated by a comma`)
  const fallback: IndexSource = secrets.length > 0 ? "webhook" : network === "localnet" ? "poll" : "off"
  const source = INDEX_SOURCES.find((name) => name === values.INDEXER_SOURCE)
  if (values.INDEXER_SOURCE !== undefined && source === undefined) fault("INDEXER_SOURCE", INDEX_SOURCES.join(", "))
  if (source === "webhook" && secrets.length === 0)
    fault("HELIUS_WEBHOOK_SECRET", "a secret with INDEXER_SOURCE=webhook")
  const whole = wholeSettings(values, fault)
  return {
    source: source ?? fallback,
    reconcileSeconds: whole("INDEXER_RECONCILE_SECONDS", "seconds", 1, 3_600),
    poolRequests: whole("INDEXER_POOL_REQUESTS", "requests", 1, 10_000),
    webhookSecrets: secrets.map((secret) => Redacted.make(secret)),
  }
}
