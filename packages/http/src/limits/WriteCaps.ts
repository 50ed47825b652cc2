import { Context } from "effect"

/** What may be stored; nothing is counted for a cap that is absent. */
export interface WriteCaps {
  /** Of a client in a day: uploads, and as many registered tokens and recorded transactions together. */
  readonly writesPerDay?: number
  /** Bytes of all uploads together. */
  readonly storedBytes?: number
}

/** The caps of the current server. */
export const WriteCapsOfServer = Context.Reference<WriteCaps>("@launch-registry/http/limits/WriteCaps", {
  defaultValue: () => ({}),
})
