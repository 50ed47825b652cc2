import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { DatapiApi } from "./DatapiApi.ts"
import { DatapiFeed } from "./DatapiFeed.ts"
import { datapiHttp } from "./DatapiHttp.ts"
import { DATAPI_SOCKET, datapiSocket } from "./DatapiSocket.ts"

interface DatapiOptions {
  /** Content is found at `<gatewayUrl>/<cid>`. */
  readonly gatewayUrl: string
  /** Pages that may connect to the socket; all by default. */
  readonly origins: ReadonlyArray<string> | undefined
}

/** Paths, for lists of routes: the contract does not have them. */
export const DATAPI_ROUTES: ReadonlyArray<readonly [method: string, path: string]> = [
  ...Object.values(DatapiApi.groups.datapi.endpoints).map(({ method, path }) => [method, path] as const),
  ["GET", DATAPI_SOCKET],
]

/** What the template fun-launch reads of Jupiter's data API, from this service. */
export const datapi = ({ gatewayUrl, origins }: DatapiOptions) =>
  Layer.merge(
    Layer.provide(HttpApiBuilder.layer(DatapiApi), datapiHttp(gatewayUrl)),
    Layer.provide(datapiSocket({ origins }), DatapiFeed.layer(gatewayUrl)),
  )
