import type { AttemptOutcome } from "./PostMessage.ts"

/** How attempts end: accepted (2xx), refused (any other status), or the error without an answer. */
export const ATTEMPT_OUTCOMES = [
  ...["accepted", "refused", "timeout", "dns", "refused_address", "connection", "tls"],
] as const
export type AttemptKind = "accepted" | "refused" | NonNullable<AttemptOutcome["error"]>

export const isAccepted = ({ status }: AttemptOutcome): boolean => status !== null && status >= 200 && status < 300

/** Attempts of this process. */
export class AttemptFigures {
  readonly #counts = new Map<string, number>()

  count(outcome: AttemptOutcome): void {
    const kind: AttemptKind = outcome.error ?? (isAccepted(outcome) ? "accepted" : "refused")
    this.#counts.set(kind, this.of(kind) + 1)
  }

  of(kind: string): number {
    return this.#counts.get(kind) ?? 0
  }
}
