import { randomUUID } from "node:crypto"
import { hostname } from "node:os"
import { ANY_GENESIS } from "@launch-registry/chain/rpc/Network"
import { Reconciler } from "@launch-registry/indexer/finality/Reconciler"
import { HeliusWebhooks } from "@launch-registry/indexer/helius/HeliusWebhooks"
import { WebhookRegistration } from "@launch-registry/indexer/helius/WebhookRegistration"
import { LOCAL_CHAIN } from "@launch-registry/indexer/identity/ChainIdentity"
import { groupCommit } from "@launch-registry/indexer/inbox/GroupCommit"
import { postgresLog } from "@launch-registry/indexer/inbox/PostgresLog"
import { Indexer } from "@launch-registry/indexer/Indexer"
import { leadIndexing } from "@launch-registry/indexer/LeadIndexing"
import { PoolReconciler } from "@launch-registry/indexer/finality/PoolReconciler"
import { Sink } from "@launch-registry/indexer/sink/Sink"
import { transactionsOfLocalChain } from "@launch-registry/indexer/sources/CapturedTransactions"
import { finalizedHistory } from "@launch-registry/indexer/sources/FinalizedHistory"
import { Effect, Layer, Option } from "effect"
import type { Settings } from "./Settings.ts"

/** The inbox of webhook deliveries. */
export const webhookInbox = groupCommit().pipe(Layer.provide(postgresLog))

/** Registers the webhook if everything for that is configured. */
const registration = ({ heliusApiKey, indexer, network, publicUrl }: Settings) => {
  const [secret] = indexer.webhookSecrets
  if (network === "localnet" || secret === undefined || Option.isNone(heliusApiKey) || Option.isNone(publicUrl))
    return Layer.empty
  return WebhookRegistration.layer({ network, publicUrl: publicUrl.value, secret }).pipe(
    Layer.provide(HeliusWebhooks.layer({ apiKey: heliusApiKey.value })),
  )
}

/**
 * Name of this process among the replicas. It is public, so it reveals nothing of the host; the log maps it to host and
 * process.
 */
const holder = `replica-${randomUUID().slice(0, 8)}`
const named = Effect.logInfo(`This process is ${holder} (host ${hostname()}, process ${process.pid})`)

/** The indexer: folds the inbox and reconciles it with the chain while this process is the leader. */
export const indexing = (settings: Settings) => {
  const isLocalChain = settings.rpcUrls.length === 0
  const { poolRequests, reconcileSeconds: seconds, source } = settings.indexer
  const history = finalizedHistory(settings.network, settings.heliusUrl)
  const chain = isLocalChain
    ? { network: LOCAL_CHAIN, originSlot: BigInt(transactionsOfLocalChain[0]!.slot) }
    : {
        network: settings.network,
        genesisHash: settings.genesisHash === ANY_GENESIS ? undefined : settings.genesisHash,
      }
  const run = Effect.forkScoped(
    leadIndexing({
      ...{ holder, source, ...chain, retention: settings.lifecycle.retention },
      ...(seconds !== undefined && { reconcileMillis: seconds * 1000 }),
      ...(poolRequests !== undefined && { poolRequests }),
    }),
  )
  const reconcilers = Layer.mergeAll(Reconciler.layer, PoolReconciler.layer).pipe(Layer.provideMerge(history))
  const services = Layer.mergeAll(Indexer.layer, reconcilers).pipe(
    Layer.provideMerge(Sink.layer),
    Layer.provideMerge(postgresLog),
  )
  return Layer.effectDiscard(Effect.andThen(named, run)).pipe(
    Layer.provide(Layer.merge(services, registration(settings))),
    Layer.orDie,
  )
}
