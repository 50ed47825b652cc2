import { RequestGuardLayer } from "@launch-registry/http/requests/RequestGuard"
import { UpgradedPathsOfServer } from "@launch-registry/http/listener/UpgradedPaths"
import { datapi, DATAPI_ROUTES } from "@launch-registry/server/compat/Datapi"
import { DATAPI_SOCKET } from "@launch-registry/server/compat/DatapiSocket"
import { Layer } from "effect"

interface DatapiOptions {
  /** Off by default. */
  readonly hasDatapi?: boolean
  readonly gatewayUrl: string
  readonly corsOrigins?: ReadonlyArray<string> | undefined
}

/** What the template fun-launch reads, where that is on: paths, and what serves them. */
export const datapiParts = ({ corsOrigins, gatewayUrl, hasDatapi = false }: DatapiOptions) =>
  hasDatapi
    ? { paths: DATAPI_ROUTES, layer: Layer.provide(datapi({ gatewayUrl, origins: corsOrigins }), RequestGuardLayer) }
    : { paths: [], layer: Layer.empty }

/** Lets connections become its socket, where that is on. */
export const datapiUpgrades = ({ hasDatapi = false }: Pick<DatapiOptions, "hasDatapi">) =>
  Layer.succeed(UpgradedPathsOfServer, new Set(hasDatapi ? [DATAPI_SOCKET] : []))
