import type { NotificationMessageRecord } from "@launch-registry/client"
import { useEffect, useState } from "preact/hooks"
import { type Failure, failureOf } from "../Failure.ts"
import { html, type View } from "../Html.ts"
import { hasAdminKey, read, registry } from "../Registry.ts"

const ENDPOINTS_MAX = 100
const LOOK_MILLIS = 1_000
const LOOKS_MAX = 30

interface Endpoint {
  readonly id: string
  readonly url: string
}

const outcomeOf = ({ attempts, lastError, lastStatus, state }: NotificationMessageRecord): string => {
  if (state === "delivered") return `Delivered: the endpoint answered ${lastStatus}.`
  if (attempts === 0) return "It is due."
  return `${state}: ${lastError ?? `answered ${lastStatus}`} (attempt ${attempts})`
}

/** Sends a test event to an endpoint and says what came of it. */
export const SendTest = (): View => {
  const [endpoints, setEndpoints] = useState<ReadonlyArray<Endpoint>>()
  const [failure, setFailure] = useState<Failure>()
  const [said, setSaid] = useState("")
  useEffect(() => {
    if (!hasAdminKey()) return
    read(registry.notifications.list({ limit: ENDPOINTS_MAX })).then(
      ({ data }) => setEndpoints(data),
      (error: unknown) => setFailure(failureOf(error)),
    )
  }, [])
  if (!hasAdminKey()) return html`<p>Enter a key on <a href="#/operate">Operate</a> to send a test event from here.</p>`
  const send = async (event: Event): Promise<void> => {
    event.preventDefault()
    const endpointId = String(new FormData(event.currentTarget as HTMLFormElement).get("endpoint"))
    setSaid("Sending")
    try {
      const { data } = await read(registry.notifications.test({ body: { endpointId } }))
      for (let looks = 0; looks < LOOKS_MAX; looks++) {
        const { data: message } = await read(registry.notifications.message({ id: data.id }))
        setSaid(outcomeOf(message))
        if (message.state !== "pending" || message.attempts > 0) return
        await new Promise((resolve) => setTimeout(resolve, LOOK_MILLIS))
      }
    } catch (error) {
      setSaid(failureOf(error).message)
    }
  }
  if (failure !== undefined) return html`<p role="alert">${failure.message}</p>`
  if (endpoints === undefined) return html`<p role="status">Reading the endpoints</p>`
  if (endpoints.length === 0) return html`<p>There are no endpoints yet: docs/notifications.md.</p>`
  return html`<form class="fields" onSubmit=${send}>
    <label
      >Endpoint
      <select name="endpoint">
        ${endpoints.map(({ id, url }) => html`<option value=${id}>${url}</option>`)}
      </select></label
    >
    <button>Send a test event</button>
    <p role="status">${said}</p>
  </form>`
}
