/** Kinds of writes. */
export const KINDS = [
  ...(["token", "token change", "token deletion", "record", "status", "image", "metadata"] as const),
  ...(["whitelist decision", "config", "deployment", "webhook delivery", "quote", "deposit"] as const),
]
export type Kind = (typeof KINDS)[number]

/** The acknowledged writes, and all violations. */
export class Ledger {
  readonly acknowledged = new Map<Kind, number>(KINDS.map((kind) => [kind, 0]))
  /** Acknowledged and missing, or different from the acknowledgement. */
  readonly lost = new Set<string>()
  /** Present more often than it was written. */
  readonly doubled = new Set<string>()
  /** Answers of 500. */
  readonly serverErrors: Array<string> = []
  /** Any other answer that a client cannot handle. */
  readonly faults: Array<string> = []
  /** Answers by status and code, and broken connections. */
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
