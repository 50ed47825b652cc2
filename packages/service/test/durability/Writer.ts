import { isDeepStrictEqual } from "node:util"
import type { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { SeededRandom } from "../../../indexer/fixtures/SeededRandom.ts"
import type { DurableClient } from "./DurableClient.ts"
import type { Ledger } from "./Ledger.ts"

/** What a writer works with. */
export interface Desk {
  readonly client: DurableClient
  readonly ledger: Ledger
  readonly random: SeededRandom
}

/** Somebody who writes one kind of thing, one after another, and knows what was acknowledged. */
export interface Writer {
  /** A write, or some that belong together, each until it is acknowledged. */
  readonly write: () => Promise<void>
  readonly kept: Kept
  /** What only the database shows, once everything has come to rest. */
  readonly audit: (sql: SqlClient) => Effect.Effect<void, SqlError>
}

/** What is wrong with a thing, if anything is. */
type Check = () => Promise<string | undefined>

const AT_ONCE = 8

/** The acknowledged things that the API shows. */
export class Kept {
  readonly #checks: Array<Check> = []
  readonly #desk: Desk

  constructor(desk: Desk) {
    this.#desk = desk
  }

  add(check: Check): void {
    this.#checks.push(check)
  }

  /** Looks at one of them. */
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

/** That something is not what it was acknowledged as, if it is not. */
export const difference = (what: string, acknowledged: unknown, found: unknown): string | undefined =>
  isDeepStrictEqual(acknowledged, found)
    ? undefined
    : `${what}: acknowledged ${JSON.stringify(acknowledged)}, found ${JSON.stringify(found)}`

/** Fails unless an acknowledgement has everything that was sent. */
export const requireSent = (
  sent: Readonly<Record<string, unknown>>,
  acknowledged: Readonly<Record<string, unknown>>,
): void => {
  for (const [field, value] of Object.entries(sent)) {
    const problem = difference(field, value, acknowledged?.[field])
    if (problem !== undefined) throw new Error(`An acknowledgement is of something else: ${problem}`)
  }
}
