import { freePort } from "../../packages/service/test/RunningService.ts"
import { ServiceProcess } from "../fuzz/ServiceProcess.ts"
import type { BenchAddress } from "../ingest/BenchDatabase.ts"

/** What is started, from there, and further settings. */
export interface ApiOptions {
  readonly checkout: string
  readonly main?: string
  readonly environment?: Readonly<Record<string, string>>
}

/** The api role as it is deployed: each request is a line of its log, in JSON, to a pipe that is read here. */
export const startApi = async (
  { database, socketDirectory, username }: BenchAddress,
  { environment, ...started }: ApiOptions,
): Promise<ServiceProcess> =>
  ServiceProcess.start({
    ...{ ...started, port: await freePort(), dataFolder: "" },
    environment: {
      DATABASE_URL: `postgres://${username}@localhost/${database}?host=${socketDirectory}`,
      ...{ RUN_MODE: "production", HOST: "127.0.0.1", PUBLIC_URL: "https://api.example", ROLE: "api" },
      ...{ NETWORK: "localnet", RPC_URL: "http://127.0.0.1:9", RPC_GENESIS_HASH: "any" },
      ...{ LOG_LEVEL: "info", ACCESS_LOG: "true" },
      ...environment,
    },
  })
