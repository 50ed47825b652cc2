import { GATEWAY_CONTESTANTS, type GatewayContestant, type Places } from "./GatewayServers.ts"

/** A server in a separate process: reports its URL, and its processor time on request. */
const [name, places] = process.argv.slice(2) as [GatewayContestant, string]
const url = await GATEWAY_CONTESTANTS[name].start(JSON.parse(places) as Places)

process.on("message", () => {
  const { system, user } = process.cpuUsage()
  process.send!((system + user) / 1_000)
})
process.once("disconnect", () => process.exit())
process.send!(url)
