import { Layer } from "effect"
import type { LimitOptions } from "./ServerLimits.ts"
import { limitRequests, RATE_LIMIT_HEADERS } from "./LimitRequests.ts"
import { identifyClients } from "./RequestClient.ts"

/** What counts for clients; nothing at all unless a limit is configured. */
export const clientLimits = ({ rate, writes }: LimitOptions = {}) => {
  if (rate !== undefined) return Layer.provide(limitRequests(rate), identifyClients)
  return writes === undefined ? Layer.empty : identifyClients
}

/** Headers of answers that scripts of other origins may read. */
export const limitHeaders = ({ rate }: LimitOptions = {}): ReadonlyArray<string> =>
  rate === undefined ? [] : RATE_LIMIT_HEADERS
