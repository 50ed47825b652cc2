/** Kinds of writes, in the order of the table. */
export const KINDS = [
  ...(["token", "token change", "token deletion", "record", "status", "image", "metadata"] as const),
  ...(["whitelist decision", "config", "deployment", "webhook delivery", "quote", "deposit"] as const),
]
export type Kind = (typeof KINDS)[number]

/** What was acknowledged, and everything that should not have been seen. */
export class Ledger {
  readonly acknowledged = new Map<Kind, number>(KINDS.map((kind) => [kind, 0]))
  /** Acknowledged and not there, or not as it was acknowledged. */
  readonly lost = new Set<string>()
  /** There more often than it was written. */
  readonly doubled = new Set<string>()
  /** Answers of 500. */
  readonly serverErrors: Array<string> = []
  /** Whatever else a client cannot make use of. */
  readonly faults: Array<string> = []
  /** Answers by status and code, and connections that broke. */
  readonly answers = new Map<string, number>()

  acknowledge(kind: Kind): void {
    this.acknowledged.set(kind, this.acknowledged.get(kind)! + 1)
  }

  get isMissingAny(): boolean {
    return [...this.acknowledged.values()].includes(0)
  }

  get total(): number {
    return [...this.acknowledged.values()].reduce((sum, times) => sum + times, 0)
  }
}
