import type { Lease, LeaseRequest, RateLimit } from "./BudgetLeases.ts"

/** What a client has here of its budget, in its current window. */
interface Budget {
  /** Leased and not spent. */
  held: number
  /** Leased in this window. */
  leased: number
  /** What may be left to lease: other processes can have leased of it since. */
  left: number
  /** Size of the next lease. */
  portion: number
  endsAtMillis: number
}

/** Whether a request is within the budget of its client. */
export interface Spending {
  readonly isAllowed: boolean
  readonly remaining: number
  readonly endsInMillis: number
}

/** Clients that are remembered: 18 MB. */
const CLIENTS_MAX = 50_000
/**
 * Of the limit: a process begins with small portions, so that replicas with few requests of a client hold little of its
 * budget, and doubles them up to the largest, which is what one replica may hold while others refuse.
 */
const FIRST_PORTION = 1 / 128
const PORTION_MAX = 1 / 32
/** Of what is left: the last portions are small, so that little is held when it ends. */
const PORTION_OF_LEFT = 1 / 4

/** The leased budgets of a process. Times are of its monotonic clock. */
export class ClientBudgets {
  readonly #limit: RateLimit
  readonly #clientsMax: number
  /** In the order in which windows began, and so in which they end. */
  readonly #budgets = new Map<string, Budget>()

  constructor(limit: RateLimit, clientsMax = CLIENTS_MAX) {
    this.#limit = limit
    this.#clientsMax = clientsMax
  }

  get size(): number {
    return this.#budgets.size
  }

  #current(client: string, nowMillis: number): Budget | undefined {
    const budget = this.#budgets.get(client)
    return budget === undefined || budget.endsAtMillis <= nowMillis ? undefined : budget
  }

  /** Counts a request; undefined if a lease has to be asked for. */
  spend(client: string, weight: number, nowMillis: number): Spending | undefined {
    const budget = this.#current(client, nowMillis)
    if (budget === undefined) return undefined
    const isAllowed = budget.held >= weight
    if (!isAllowed && budget.held + budget.left >= weight) return undefined
    if (isAllowed) budget.held -= weight
    return { isAllowed, remaining: budget.held + budget.left, endsInMillis: budget.endsAtMillis - nowMillis }
  }

  /** What to lease for requests of a client that wait. */
  request(client: string, needed: number, waiting: number, nowMillis: number): LeaseRequest {
    const { requests } = this.#limit
    const known = this.#current(client, nowMillis)
    const portion =
      known === undefined ? requests * FIRST_PORTION : Math.min(known.portion, known.left * PORTION_OF_LEFT)
    const wanted = Math.ceil(Math.max(waiting, portion))
    // What is held already counts towards the request.
    const missing = Math.max(1, needed - (known?.held ?? 0))
    return { client, needed: missing, wanted: Math.min(wanted, requests) }
  }

  /** Adds a lease that was asked for at `askedAtMillis`. */
  add({ client, endsInMillis, granted, left }: Lease, askedAtMillis: number): void {
    const { requests, windowMillis } = this.#limit
    const known = this.#current(client, askedAtMillis)
    const portion = Math.min((known?.portion ?? requests * FIRST_PORTION) * 2, requests * PORTION_MAX)
    // Not later than by the database's clock, which was read after that.
    const endsAtMillis = askedAtMillis + endsInMillis
    const budget = { left, portion, endsAtMillis }
    // The window may have ended on the way to the database; two readings of one end differ by less than half a window.
    if (known === undefined || endsAtMillis - known.endsAtMillis > windowMillis / 2)
      this.#begin(client, { ...budget, held: granted, leased: granted }, askedAtMillis)
    else Object.assign(known, { ...budget, held: known.held + granted, leased: known.leased + granted })
  }

  /** Gives a client the rest of its budget here alone, without asking the database. */
  addAlone(client: string, nowMillis: number): void {
    const { requests, windowMillis } = this.#limit
    const known = this.#current(client, nowMillis)
    const alone = { leased: requests, left: 0, portion: 0 }
    if (known !== undefined) Object.assign(known, { ...alone, held: known.held + requests - known.leased })
    else this.#begin(client, { ...alone, held: requests, endsAtMillis: nowMillis + windowMillis }, nowMillis)
  }

  #begin(client: string, budget: Budget, nowMillis: number): void {
    this.#budgets.delete(client)
    for (const [oldest, { endsAtMillis }] of this.#budgets) {
      if (endsAtMillis > nowMillis && this.#budgets.size < this.#clientsMax) break
      this.#budgets.delete(oldest)
    }
    this.#budgets.set(client, budget)
  }
}
