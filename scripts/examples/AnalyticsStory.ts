import type { ExampleRecorder } from "./ExampleRecorder.ts"
import { SOL } from "./MarketStory.ts"

/** Figures of what the local chain traded, once it was sent to history. */
export const analyticsStory = async (recorder: ExampleRecorder): Promise<void> => {
  const { data } = await recorder.read("/api/launch/trades?limit=1")
  const from = (data[0].time as string).slice(0, 10)
  await recorder.readUntil(`/api/analytics/volume?from=${from}`, ({ data }) => data?.days[0])
  await recorder.ask("analytics.volume", {
    ...{ name: "days", summary: "Since a day, of all launchpads and quote tokens", query: { from } },
  })
  await recorder.ask("analytics.volume", {
    ...{ name: "tooLong", summary: "More than a year", status: 400, query: { from: "2024-01-01", to: "2026-01-01" } },
  })
  await recorder.ask("analytics.tokens", {
    ...{ name: "byTrades", summary: "The most traded tokens since a day", query: { from, sort: "trades", limit: "2" } },
  })
  await recorder.ask("analytics.traders", {
    ...{ name: "byVolume", summary: "Who traded most in SOL", query: { from, quoteMint: SOL, limit: "2" } },
  })
}
