import { Clock, Context, Effect, Layer, Semaphore } from "effect"
import { HeliusWebhooks } from "./HeliusWebhooks.ts"
import {
  desiredWebhook,
  type DesiredWebhook,
  type Drift,
  driftOf,
  type FoundWebhook,
  hasUrlOf,
  hidesHeader,
  LISTED_ADDRESSES_MAX,
  sameSet,
  type WebhookSettings,
} from "./Webhook.ts"

/** What a check found and did; holds nothing secret. */
export interface WebhookReport {
  /**
   * - `registered`: the webhook was as desired.
   * - `repaired`: it was created, changed or switched on, and read back as desired. Deliveries were missed until then.
   * - `refused`: Helius refuses the key or the request, or does not store what it is sent. Retrying does not help.
   * - `unreachable`: Helius gave no usable answer; the state is unknown.
   */
  readonly state: "registered" | "repaired" | "refused" | "unreachable"
  /** The last known id. */
  readonly webhookId: string | undefined
  /** Whether deliveries are active; true when Helius does not say. `undefined` when the state is unknown. */
  readonly active: boolean | undefined
  /** ISO 8601. */
  readonly lastCheckedAt: string
  readonly detail: string
}

/**
 * Keeps the webhook at Helius as desired. A check costs one list call when nothing is wrong, and another call where the webhook has more
 * addresses than lists show.
 *
 * Several webhooks may have our URL, for example after two replicas started at once. The one with the lowest id is
 * ours, so that replicas agree. Once ours is in order, identical ones are deleted; one that differs may belong to
 * somebody else and is only reported.
 */
export class WebhookRegistration extends Context.Service<
  WebhookRegistration,
  {
    /** Names these pools in the webhook, beside the program; `left` of others do not fit. Never two at a time. */
    readonly check: (pools?: ReadonlyArray<string>, left?: number) => Effect.Effect<WebhookReport>
  }
>()("@launch-registry/indexer/helius/WebhookRegistration") {
  static readonly layer = (settings: WebhookSettings) =>
    Layer.effect(
      WebhookRegistration,
      Effect.gen(function* () {
        const registrar = new Registrar(yield* HeliusWebhooks, settings)
        const oneByOne = yield* Semaphore.make(1)
        const check = (pools: ReadonlyArray<string> = [], left = 0) =>
          registrar.check(pools, left).pipe(Effect.tap(logReport), oneByOne.withPermits(1))
        return WebhookRegistration.of({ check })
      }),
    )
}

const AS_DESIRED = "as desired"

type Finding = Omit<WebhookReport, "lastCheckedAt">

class Registrar {
  readonly #webhooks: HeliusWebhooks["Service"]
  readonly #settings: WebhookSettings
  #desired: DesiredWebhook
  #webhookId: string | undefined
  /** The webhook whose header we set; the only evidence when Helius hides headers. */
  #headerSetOn: string | undefined
  /** The webhook whose addresses we set, and which: the only evidence when Helius shows only the first of them. */
  #addressesSet: { readonly webhookId: string; readonly addresses: ReadonlyArray<string> } | undefined
  /**
   * Fields that Helius accepts but does not store: setting them in every check would only cost credits. Addresses are worth them: without
   * one, its transactions are not delivered.
   */
  #unkept: ReadonlyArray<Drift> = []

  constructor(webhooks: HeliusWebhooks["Service"], settings: WebhookSettings) {
    this.#webhooks = webhooks
    this.#settings = settings
    this.#desired = desiredWebhook(settings)
  }

  check(pools: ReadonlyArray<string>, left: number): Effect.Effect<WebhookReport> {
    const fault = (state: "refused" | "unreachable") => (error: { readonly message: string }) =>
      Effect.succeed<Finding>({ state, webhookId: this.#webhookId, active: undefined, detail: error.message })
    return Effect.suspend(() => {
      this.#desired = desiredWebhook(this.#settings, pools)
      return this.#checked(left)
    }).pipe(
      Effect.catchTags({ HeliusRefused: fault("refused"), HeliusUnavailable: fault("unreachable") }),
      Effect.zipWith(Clock.currentTimeMillis, (finding, millis) => ({
        ...finding,
        lastCheckedAt: new Date(millis).toISOString(),
      })),
    )
  }

  #checked(left: number) {
    return Effect.gen({ self: this }, function* () {
      const done: Array<string> = []
      const { others, ours } = yield* this.#ofOurUrl(yield* this.#webhooks.list)
      const kept = ours === undefined ? yield* this.#create(done) : yield* this.#repair(ours, done)
      const drifts = this.#driftsOf(kept)
      this.#unkept = drifts.filter((drift) => drift !== "accountAddresses")
      const active = kept.active !== false
      const finding = { webhookId: kept.webhookID, active }
      if (drifts.length > 0 || !active) {
        const unkept = [...drifts, ...(active ? [] : ["active"])].join(", ")
        return { ...finding, state: "refused" as const, detail: `Helius does not keep ${unkept}` }
      }
      const different = yield* this.#deleteDuplicates(others, done)
      const state: Finding["state"] = done.length > 0 ? "repaired" : "registered"
      if (different > 0) done.push(`${different} more of this URL, which differ, were left`)
      if (left > 0) done.push(`full: ${left} migrated pools, the least active ones, are not in it`)
      return { ...finding, state, detail: done.length > 0 ? done.join("; ") : AS_DESIRED }
    })
  }

  #ofOurUrl(all: ReadonlyArray<FoundWebhook>) {
    return Effect.gen({ self: this }, function* () {
      const [ours, ...others] = yield* Effect.forEach(
        all
          .filter((found) => hasUrlOf(this.#desired, found))
          .sort((left, right) => (left.webhookID < right.webhookID ? -1 : 1)),
        // A list shows only the first of many addresses.
        (found) =>
          (found.accountAddresses?.length ?? 0) < LISTED_ADDRESSES_MAX
            ? Effect.succeed(found)
            : this.#webhooks.get(found.webhookID),
      )
      this.#webhookId = ours?.webhookID
      return { ours, others }
    })
  }

  #create(done: Array<string>) {
    return Effect.gen({ self: this }, function* () {
      const { webhookID } = yield* this.#webhooks.create(this.#desired)
      this.#webhookId = webhookID
      this.#hasSet(webhookID)
      done.push("created")
      return yield* this.#webhooks.get(webhookID)
    })
  }

  #repair(ours: FoundWebhook, done: Array<string>) {
    return Effect.gen({ self: this }, function* () {
      const drifts = this.#driftsOf(ours)
      if (drifts.some((drift) => !this.#unkept.includes(drift))) {
        yield* this.#webhooks.update(ours.webhookID, this.#desired)
        this.#hasSet(ours.webhookID)
        done.push(`set ${drifts.join(", ")}`)
      }
      if (ours.active === false) {
        yield* this.#webhooks.toggle(ours.webhookID, true)
        done.push("switched on")
      }
      return done.length > 0 ? yield* this.#webhooks.get(ours.webhookID) : ours
    })
  }

  #hasSet(webhookId: string) {
    this.#headerSetOn = webhookId
    this.#addressesSet = { webhookId, addresses: this.#desired.accountAddresses }
  }

  #driftsOf(found: FoundWebhook): ReadonlyArray<Drift> {
    const headerIsOurs = hidesHeader(found) && this.#headerSetOn === found.webhookID
    const addressesAreOurs = this.#showsSome(found) && this.#setTheseOn(found.webhookID)
    return driftOf(this.#desired, found).filter(
      (drift) => !(headerIsOurs && drift === "authHeader") && !(addressesAreOurs && drift === "accountAddresses"),
    )
  }

  #setTheseOn(webhookId: string): boolean {
    const set = this.#addressesSet
    return set?.webhookId === webhookId && sameSet(set.addresses, this.#desired.accountAddresses)
  }

  /** Whether the addresses may be only the first of those that are set. */
  #showsSome({ accountAddresses }: FoundWebhook): boolean {
    const shown = accountAddresses ?? []
    const desired = new Set(this.#desired.accountAddresses)
    return (
      shown.length === LISTED_ADDRESSES_MAX && shown.length < desired.size && shown.every((one) => desired.has(one))
    )
  }

  /** How many it left. */
  #deleteDuplicates(others: ReadonlyArray<FoundWebhook>, done: Array<string>) {
    return Effect.gen({ self: this }, function* () {
      // `driftOf` directly: here a hidden header counts as a difference.
      const desired = new Set(this.#desired.accountAddresses)
      const duplicates = others.filter(
        (other) =>
          driftOf(this.#desired, other).every((drift) => drift === "accountAddresses") &&
          // One of an earlier set of pools delivers nothing that ours does not.
          (other.accountAddresses ?? []).length > 0 &&
          other.accountAddresses!.every((address) => desired.has(address)),
      )
      for (const { webhookID } of duplicates) {
        yield* this.#webhooks.delete(webhookID).pipe(
          // Another replica deleted it first.
          Effect.catchIf(
            (error) => error._tag === "HeliusRefused" && error.status === 404,
            () => Effect.void,
          ),
        )
      }
      if (duplicates.length > 0) done.push(`deleted duplicates: ${duplicates.length}`)
      return others.length - duplicates.length
    })
  }
}

const logReport = ({ detail, state }: WebhookReport): Effect.Effect<void> => {
  const line = `The Helius webhook is ${state}: ${detail}`
  if (state === "registered") return detail === AS_DESIRED ? Effect.logDebug(line) : Effect.logInfo(line)
  return state === "refused" ? Effect.logError(line) : Effect.logWarning(line)
}
