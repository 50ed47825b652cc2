import { TokenFilter } from "@launch-registry/domain/tokens/TokensApi"
import type { PopularInterval } from "@launch-registry/domain/tokens/TradingWindow"
import { RecentlyUsed } from "@launch-registry/http/answers/RecentlyUsed"

const FILTERS = Object.keys(TokenFilter.fields) as ReadonlyArray<keyof TokenFilter>
const KNOWN_MILLIS = 10 * 60_000
const BYTES_MAX = 1 << 20
/** Bytes of an entry without its key, estimated. */
const ENTRY_BYTES = 300

/** What popular tokens of a scope have shown of it. Scopes hardly ever shrink. */
export interface KnownScope {
  readonly until: number
  /** It has more tokens than these. */
  moreThan: number
  /** Intervals in which too few of the best of all are in it. */
  readonly sparse: Set<PopularInterval>
}

/** What is known of the scopes that were asked for last, for ten minutes each, in at most one megabyte. */
export class KnownScopes {
  readonly #scopes = new RecentlyUsed<KnownScope>(BYTES_MAX)

  /** `filter` may have more than the filters: the rest of a query. */
  of(filter: TokenFilter, now: number): KnownScope {
    const key = JSON.stringify(FILTERS.map((name) => filter[name]))
    const known = this.#scopes.get(key)
    if (known !== undefined && known.until > now) return known
    const scope: KnownScope = { until: now + KNOWN_MILLIS, moreThan: -1, sparse: new Set() }
    this.#scopes.set(key, scope, ENTRY_BYTES + 2 * key.length)
    return scope
  }
}
