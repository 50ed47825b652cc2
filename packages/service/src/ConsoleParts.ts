import type { AccessOptions } from "@launch-registry/server/access/AccessOptions"
import { CONSOLE_ROUTES, consoleRoutes } from "@launch-registry/console/ConsoleRoutes"
import { Layer } from "effect"
import { FAUCET_PATH, FAUCET_ROUTES, faucetRoute } from "./FaucetRoute.ts"

interface ConsoleOptions {
  readonly network: string
  readonly access: AccessOptions
  /** Of the local chain. */
  readonly faucet: boolean
}

/** The console, with the faucet where there is one: paths, and what serves them. */
export const consoleParts = ({ access, faucet: hasFaucet, network }: ConsoleOptions) => {
  const facts = {
    network,
    signInUrl: access.writeAuth.includes("wallet") ? access.site.uri : undefined,
    faucet: hasFaucet ? FAUCET_PATH.slice(1) : undefined,
  }
  const page = consoleRoutes(facts)
  return hasFaucet
    ? { paths: [...CONSOLE_ROUTES, ...FAUCET_ROUTES], layer: Layer.merge(page, faucetRoute(access)) }
    : { paths: CONSOLE_ROUTES, layer: page }
}
