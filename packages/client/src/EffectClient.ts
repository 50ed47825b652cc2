import { Api } from "@launch-registry/domain/Api"
import { HttpApiClient } from "effect/http-api"

export { Api }

/** The operations of the registry as effects, with its errors as types. Needs an `HttpClient`, such as `FetchHttpClient.layer`. */
export const makeClient = (baseUrl: string) => HttpApiClient.make(Api, { baseUrl })

/** What `makeClient` makes. */
export type EffectClient = HttpApiClient.ForApi<typeof Api>
