import type { BenchAddress } from "./BenchDatabase.ts"
import { WEBHOOK_CONTESTANTS } from "./WebhookServers.ts"

/** A receiver in a process of its own: says where it listens, and what processor time it has used whenever it is asked. */
const [name, address] = process.argv.slice(2) as [string, string]
const { start } = WEBHOOK_CONTESTANTS.find((contestant) => contestant.name === name)!
const url = await start(JSON.parse(address) as BenchAddress)

process.on("message", () => {
  const { system, user } = process.cpuUsage()
  process.send!((system + user) / 1_000)
})
process.once("disconnect", () => process.exit())
process.send!(url)
