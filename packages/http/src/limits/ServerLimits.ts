import { Layer } from "effect"
import { type AddressLimits, AddressCapsOfServer, makeAddressCaps } from "../listener/AddressCaps.ts"
import type { RateLimit } from "./BudgetLeases.ts"
import { type WriteCaps, WriteCapsOfServer } from "./WriteCaps.ts"
import { HTTP_LIMITS, type HttpLimits, HttpLimitsOfServer } from "../listener/HttpLimits.ts"
import { makeWholeLists, WholeListsOfServer } from "../answers/WholeLists.ts"

/** Configured limits; others have defaults. */
export interface LimitOptions {
  readonly http?: Partial<HttpLimits>
  readonly addresses?: Partial<AddressLimits>
  /** Requests of each client; by default nothing is counted. */
  readonly rate?: RateLimit
  /** What may be stored; by default nothing is counted. */
  readonly writes?: WriteCaps
}

/** The limits of a server and their counters. */
export const serverLimits = ({ addresses, http, writes = {} }: LimitOptions = {}) =>
  Layer.suspend(() => {
    const limits = { ...HTTP_LIMITS, ...http }
    const caps = makeAddressCaps(addresses)
    return Layer.mergeAll(
      Layer.succeed(HttpLimitsOfServer, limits),
      Layer.succeed(AddressCapsOfServer, caps),
      Layer.succeed(WriteCapsOfServer, writes),
      Layer.succeed(WholeListsOfServer, makeWholeLists(limits, caps)),
    )
  })
