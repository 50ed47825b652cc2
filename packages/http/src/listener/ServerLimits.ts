import { Layer } from "effect"
import { type AddressLimits, AddressCapsOfServer, makeAddressCaps } from "./AddressCaps.ts"
import { HTTP_LIMITS, type HttpLimits, HttpLimitsOfServer } from "./HttpLimits.ts"
import { JsonBodyMemoryOfServer, makeJsonBodyMemory } from "../requests/JsonBodyMemory.ts"
import { makeWholeLists, WholeListsOfServer } from "../answers/WholeLists.ts"

/** What is set of the limits; the rest is as it ships. */
export interface LimitOptions {
  readonly http?: Partial<HttpLimits>
  readonly addresses?: Partial<AddressLimits>
}

/** The limits of a server, and what counts towards them. */
export const serverLimits = ({ addresses, http }: LimitOptions = {}) =>
  Layer.suspend(() => {
    const limits = { ...HTTP_LIMITS, ...http }
    const caps = makeAddressCaps(addresses)
    return Layer.mergeAll(
      Layer.succeed(HttpLimitsOfServer, limits),
      Layer.succeed(AddressCapsOfServer, caps),
      Layer.succeed(JsonBodyMemoryOfServer, makeJsonBodyMemory(limits)),
      Layer.succeed(WholeListsOfServer, makeWholeLists(limits, caps)),
    )
  })
