import { Schema } from "effect"

/** Programs that a launched token trades on: its bonding curve first, then the pool that the curve migrates to. */
export const Venue = Schema.Literals(["dbc", "damm_v2", "damm_v1"]).annotate({
  identifier: "Venue",
  description:
    "Where a token trades. dbc: on its bonding curve. damm_v2, damm_v1: in the pool of Meteora DAMM v2 or v1 that the curve migrated to",
})
export type Venue = typeof Venue.Type
