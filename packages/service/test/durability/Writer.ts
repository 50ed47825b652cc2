import { isDeepStrictEqual } from "node:util"
import type { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { SeededRandom } from "../../../indexer/fixtures/SeededRandom.ts"
import type { DurableClient } from "./DurableClient.ts"
import type { Ledger } from "./Ledger.ts"

/** The means of a writer. */
export interface Desk {
  readonly client: DurableClient
  readonly ledger: Ledger
  readonly random: SeededRandom
}

/** Writes one kind of thing, one after another, and remembers what was acknowledged. */
export interface Writer {
  /** A write, or several that belong together, each until it is acknowledged. */
  readonly write: () => Promise<void>
  readonly kept: Kept
  /** Checks that need the database, once everything is idle. */
  readonly audit: (sql: SqlClient) => Effect.Effect<void, SqlError>
}

/** What is wrong with a thing, if anything. */
type Check = () => Promise<string | undefined>

const AT_ONCE = 8

/** The acknowledged things that the API returns. */
export class Kept {
  readonly #checks: Array<Check> = []
  readonly #desk: Desk

  constructor(desk: Desk) {
    this.#desk = desk
  }

  add(check: Check): void {
    this.#checks.push(check)
  }

  /** Checks one of them. */
  async lookAtOne(): Promise<void> {
    if (this.#checks.length > 0) await this.#look(this.#desk.random.pick(this.#checks))
  }

  async lookAtAll(): Promise<void> {
    const left = [...this.#checks]
    const look = async () => {
      for (let check = left.pop(); check !== undefined; check = left.pop()) await this.#look(check)
    }
    await Promise.all(Array.from({ length: AT_ONCE }, look))
  }

  async #look(check: Check): Promise<void> {
    const problem = await check()
    if (problem !== undefined) this.#desk.ledger.lost.add(problem)
  }
}

/** Reports a difference from the acknowledgement, if there is one. */
export const difference = (what: string, acknowledged: unknown, found: unknown): string | undefined =>
  isDeepStrictEqual(acknowledged, found)
    ? undefined
    : `${what}: acknowledged ${JSON.stringify(acknowledged)}, found ${JSON.stringify(found)}`

/** Fails unless an acknowledgement contains everything that was sent. */
export const requireSent = (
  sent: Readonly<Record<string, unknown>>,
  acknowledged: Readonly<Record<string, unknown>>,
): void => {
  for (const [field, value] of Object.entries(sent)) {
    const problem = difference(field, value, acknowledged?.[field])
    if (problem !== undefined) throw new Error(`An acknowledgement is of something else: ${problem}`)
  }
}
