/** Where a token trades, as people say it. */
export const VENUES = { dbc: "curve", damm_v2: "DAMM v2", damm_v1: "DAMM v1" } as const

export type Venue = keyof typeof VENUES
