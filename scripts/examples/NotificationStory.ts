import { setTimeout as sleep } from "node:timers/promises"
import type { ExampleRecorder } from "./ExampleRecorder.ts"

const PAUSE_MILLIS = 100
const MINT = "9iCbbXkFt2xQrFwrtHKFi5D7RDZ6A1F1AdhbqqWvSLQv"

/** An endpoint from its creation to its end. `receiver`: URL of one that answers 204. */
export const notificationStory = async (recorder: ExampleRecorder, receiver: string): Promise<void> => {
  const { data: endpoint } = await recorder.ask("notifications.create", {
    ...{ name: "graduations", summary: "Graduations of all tokens, and outcomes of bridge swaps", status: 201 },
    body: { url: receiver, types: ["graduation", "revert", "bridge"], description: "Production" },
  })
  const { data: trades } = await recorder.ask("notifications.create", {
    ...{ name: "trades", summary: "Trades of one token", status: 201 },
    body: { url: receiver, types: ["trade", "revert"], mintAddresses: [MINT] },
  })
  await recorder.ask("notifications.create", {
    ...{ name: "credentials", summary: "A URL with credentials", status: 400 },
    body: { url: "https://user:password@dapp.example/hook", types: ["trade"] },
  })
  const id = endpoint.id
  const { data: message } = await recorder.ask("notifications.test", {
    ...{ name: "test", summary: "A test event", body: { endpointId: id } },
  })
  const path = { id: message.id }
  for (;;) {
    const { data } = await recorder.read(`/api/notifications/messages/${message.id}`)
    if (data.state === "delivered") break
    await sleep(PAUSE_MILLIS)
  }
  await recorder.ask("notifications.message", { name: "delivered", summary: "A delivered test event", path })
  await recorder.ask("notifications.messages", {
    ...{
      name: "page",
      summary: "Messages that were delivered",
      path: { id },
      query: { state: "delivered", limit: "1" },
    },
  })
  await recorder.ask("notifications.redeliver", {
    ...{ name: "again", summary: "A delivered message, once more", body: { messageId: message.id } },
  })
  await recorder.ask("notifications.redeliverFailed", {
    ...{ name: "outage", summary: "What failed since an outage", body: { endpointId: id, since: "2026-11-21" } },
  })
  await recorder.ask("notifications.rotateSecret", {
    ...{ name: "rotate", summary: "A new secret", body: { endpointId: id } },
  })
  await recorder.ask("notifications.update", {
    ...{ name: "disable", summary: "Stop for a while", path: { id }, body: { enabled: false } },
  })
  await recorder.ask("notifications.get", { name: "disabled", summary: "A disabled endpoint", path: { id } })
  await recorder.ask("notifications.list", { name: "page", summary: "The newest endpoint", query: { limit: "1" } })
  await recorder.ask("notifications.remove", { name: "removed", summary: "An endpoint", path: { id: trades.id } })
  await recorder.ask("notifications.get", {
    ...{ name: "unknown", summary: "An endpoint that was deleted", path: { id: trades.id }, status: 404 },
  })
}
