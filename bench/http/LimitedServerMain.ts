import * as Database from "@launch-registry/postgres/Database"
import * as Server from "@launch-registry/service/ApiServer"
import { Layer } from "effect"
import type { BenchAddress } from "../ingest/BenchDatabase.ts"
import { listening, noChain } from "../ipfs/GatewayServers.ts"

/** What a server of the bench is started with. */
export interface LimitedServer {
  readonly database: BenchAddress
  /** Requests of a client in an hour; absent if nothing is limited. */
  readonly requests?: number
}

/** A server in a process of its own: says where it listens, and its processor time whenever it is asked. */
const { database, requests } = JSON.parse(process.argv[2]!) as LimitedServer
const url = await listening(
  Server.layer({
    ...{ host: "127.0.0.1", port: 0, version: "bench", network: "localnet" },
    ...{ gatewayUrl: "http://127.0.0.1/ipfs", tradingRequiresWhitelist: false },
    limits: {
      addresses: { trustedProxies: ["127.0.0.0/8"] },
      ...(requests !== undefined && { rate: { requests, windowMillis: 3_600_000 } }),
    },
  }).pipe(Layer.provide([Database.layer(database), noChain])),
)

process.on("message", () => {
  const { system, user } = process.cpuUsage()
  process.send!((system + user) / 1_000)
})
process.once("disconnect", () => process.exit())
process.send!(url)
