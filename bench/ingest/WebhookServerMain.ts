import type { BenchAddress } from "./BenchDatabase.ts"
import { WEBHOOK_CONTESTANTS } from "./WebhookServers.ts"

/** A receiver in a separate process: reports its URL, and its processor time on request. */
const [name, address] = process.argv.slice(2) as [string, string]
const { start } = WEBHOOK_CONTESTANTS.find((contestant) => contestant.name === name)!
const url = await start(JSON.parse(address) as BenchAddress)

process.on("message", () => {
  const { system, user } = process.cpuUsage()
  process.send!((system + user) / 1_000)
})
process.once("disconnect", () => process.exit())
process.send!(url)
