import { TokenFilter } from "@launch-registry/domain/tokens/TokensApi"
import type { PopularInterval } from "@launch-registry/domain/tokens/TradingWindow"
import { RecentlyUsed } from "@launch-registry/http/answers/RecentlyUsed"
import type { TokenScope } from "./ListTokens.ts"
import type { WindowTable } from "./WindowCounts.ts"

type Scope = Omit<TokenScope, "mints">

const FILTERS = ["owner", ...Object.keys(TokenFilter.fields)] as ReadonlyArray<keyof Scope>
const KNOWN_MILLIS = 10 * 60_000
const BYTES_MAX = 1 << 20
/** Bytes of an entry without its key, estimated: of one with all rankings. */
const ENTRY_BYTES = 1_000

/** A ranking of all tokens. */
export type Ranking = `${WindowTable} ${PopularInterval}`

/** What earlier requests have shown of a scope. Scopes hardly ever shrink. */
export interface KnownScope {
  readonly until: number
  /** It has more tokens than these. */
  moreThan: number
  /** Intervals in which too few of the most popular of all are in it. */
  readonly sparse: Set<PopularInterval>
  /** How many rows of a ranking were compared for each token of the scope that is in them. */
  readonly rowsPerToken: Map<Ranking, number>
}

/** What is known of the scopes that were asked for last, for ten minutes each, in at most one megabyte. */
export class KnownScopes {
  readonly #scopes = new RecentlyUsed<KnownScope>(BYTES_MAX)

  /** `scope` may have more than the filters: the rest of a query. */
  of(scope: Scope, now: number): KnownScope {
    const key = JSON.stringify(FILTERS.map((name) => scope[name]))
    const known = this.#scopes.get(key)
    if (known !== undefined && known.until > now) return known
    const unknown: KnownScope = { until: now + KNOWN_MILLIS, moreThan: -1, sparse: new Set(), rowsPerToken: new Map() }
    this.#scopes.set(key, unknown, ENTRY_BYTES + 2 * key.length)
    return unknown
  }
}
