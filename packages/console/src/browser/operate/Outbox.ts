import type { BridgeSwap, NotificationEndpoint, NotificationMessage } from "@launch-registry/client"
import { Ago } from "../Ago.ts"
import { html, type View } from "../Html.ts"
import { read, registry } from "../Registry.ts"
import type { Action } from "./Confirm.ts"

const ENDPOINTS_MAX = 20
const MESSAGES_MAX = 20
const SWAPS_MAX = 100

/** What was to be sent to others, and is not. */
export interface OutboxReading {
  readonly endpoints: ReadonlyArray<{
    readonly endpoint: NotificationEndpoint
    readonly failed: ReadonlyArray<NotificationMessage>
    readonly hasMore: boolean
  }>
  /** Null where notifications are not configured. */
  readonly hasNotifications: boolean
  /** The newest that need, or needed, a person. */
  readonly swaps: ReadonlyArray<BridgeSwap>
}

/** A part that this service does not have is empty. */
const orNothing = async <A>(call: Promise<A & { readonly success: boolean }>): Promise<A | undefined> => {
  const answer = await call
  const { code } = answer as { readonly code?: string }
  if (code === "not_configured") return undefined
  return (await read(Promise.resolve(answer))) as unknown as A
}

export const readOutbox = async (signal: AbortSignal): Promise<OutboxReading> => {
  const { bridge, notifications, system } = registry
  const { data: health } = await read(system.health({}, { signal }))
  const [listed, swaps] = await Promise.all([
    orNothing(notifications.list({ limit: ENDPOINTS_MAX }, { signal })),
    health.bridge.status === "off"
      ? undefined
      : orNothing(bridge.swaps({ needsReview: true, limit: SWAPS_MAX }, { signal })),
  ])
  const endpoints = listed?.success === true ? listed.data : []
  return {
    hasNotifications: listed !== undefined,
    swaps: swaps?.success === true ? swaps.data : [],
    endpoints: await Promise.all(
      endpoints.map(async (endpoint) => {
        const request = { id: endpoint.id, state: "failed", limit: MESSAGES_MAX } as const
        const { data, pagination } = await read(notifications.messages(request, { signal }))
        return { endpoint, failed: data, hasMore: pagination?.nextCursor != null }
      }),
    ),
  }
}

const redeliverOne = ({ id, type }: NotificationMessage): Action => ({
  title: "Deliver again",
  consequence: `The ${type} message ${id} is sent once more, with the same id: its receiver can tell that it is the same.`,
  run: async () => {
    await read(registry.notifications.redeliver({ body: { messageId: id } }))
    return "It is due now"
  },
})

const redeliverAll = ({ id, url }: NotificationEndpoint, oldest: string): Action => ({
  title: "Deliver all again",
  consequence: `Every message to ${url} that failed since ${oldest} is sent once more.`,
  run: async () => {
    const { data } = await read(registry.notifications.redeliverFailed({ body: { endpointId: id, since: oldest } }))
    return `${data.redelivered} messages are due now${data.more ? "; there are more: do it again" : ""}`
  },
})

type Ask = (action: Action) => void

const whyFailed = ({ lastError, lastStatus }: NotificationMessage): string =>
  lastError ?? (lastStatus === null ? "not sent" : `answered ${lastStatus}`)

const Failed = ({ message, onAsk }: { readonly message: NotificationMessage; readonly onAsk: Ask }): View => {
  const { attempts, createdAt, id, type } = message
  const why = `: ${whyFailed(message)} after ${attempts} attempts `
  return html`<li>
    <span>${type}, <${Ago} time=${createdAt} />${why}<small>${id}</small></span>
    <button onClick=${() => onAsk(redeliverOne(message))}>Deliver again</button>
  </li>`
}

const stateOf = ({ disabledReason, failingSince, state }: NotificationEndpoint): View => {
  if (state === "disabled") return `disabled (${String(disabledReason)}): nothing is sent until its owner enables it`
  return failingSince === null ? "delivers" : html`fails since <${Ago} time=${failingSince} />`
}

const Endpoint = ({
  onAsk,
  reading: { endpoint, failed, hasMore },
}: {
  readonly reading: OutboxReading["endpoints"][number]
  readonly onAsk: Ask
}): View =>
  html`<li>
    <p><b>${endpoint.url}</b>: ${stateOf(endpoint)}. ${failed.length === 0 ? "No message failed." : null}</p>
    ${
      failed.length === 0
        ? null
        : html`<button onClick=${() => onAsk(redeliverAll(endpoint, failed.at(-1)!.createdAt))}>
              Deliver all again
            </button>
            <ul class="rows">
              ${failed.map((message) => html`<${Failed} key=${message.id} message=${message} onAsk=${onAsk} />`)}
            </ul>
            ${hasMore ? html`<p><small>There are more than these ${failed.length}.</small></p>` : null}`
    }
  </li>`

const Swap = ({ swap }: { readonly swap: BridgeSwap }): View => {
  const what = `${swap.amountIn} of ${swap.originAsset} to ${swap.destinationAsset}, `
  const state = `: ${swap.substatus ?? swap.status}, deposit address ${swap.depositAddress}`
  return html`<li>
    <span>${what}<${Ago} time=${swap.createdAt} />${state}</span>
  </li>`
}

/** What waits for somebody: messages that were not delivered, and swaps that do not end by themselves. */
export const Outbox = ({ onAsk, reading }: { readonly reading: OutboxReading; readonly onAsk: Ask }): View =>
  html`<h3>Notifications</h3>
    ${
      reading.hasNotifications
        ? reading.endpoints.length === 0
          ? html`<p>There are no endpoints.</p>`
          : html`<ul class="rows">
              ${reading.endpoints.map((one) => html`<${Endpoint} key=${one.endpoint.id} reading=${one} onAsk=${onAsk} />`)}
            </ul>`
        : html`<p>They are not configured.</p>`
    }
    <h3>Cross-chain swaps that need a review</h3>
    ${
      reading.swaps.length === 0
        ? html`<p>None.</p>`
        : html`<ul class="rows">
              ${reading.swaps.map((swap) => html`<${Swap} key=${swap.id} swap=${swap} />`)}
            </ul>
            <p>
              <small
                >The newest ${SWAPS_MAX}; the mark stays when it was done. Compare both chains, and ask the swap service
                about the deposit address: docs/runbook.md, BridgeTransfersNeedReview.</small
              >
            </p>`
    }`
