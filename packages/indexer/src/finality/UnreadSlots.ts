import { problemOf, type Unfetched } from "../sources/ChainHistory.ts"
import type { SlotRange } from "../sources/SlotRanges.ts"
import { pauseAfterTries } from "./CompleteTransactions.ts"

/** A slot with a transaction that could not be read. */
export interface UnreadSlot {
  readonly slot: bigint
  readonly problem: Unfetched
}

interface Tried {
  readonly tries: number
  readonly untilMillis: number
  readonly problem: Unfetched
}

/** Slots that could not be proven, because no endpoint gave a transaction: they are tried again after longer and longer pauses. */
export class UnreadSlots {
  readonly #slots = new Map<bigint, Tried>()

  /** One that was not asked for does not wait. */
  add(unread: ReadonlyArray<UnreadSlot>, nowMillis: number): void {
    const asked = unread.filter(({ problem }) => problem.isAsked)
    for (const [slot, problem] of new Map(asked.map((one) => [one.slot, one.problem]))) {
      const { tries = 0 } = this.#slots.get(slot) ?? {}
      this.#slots.set(slot, { tries: tries + 1, untilMillis: nowMillis + pauseAfterTries(tries), problem })
    }
  }

  waiting(nowMillis: number): ReadonlyArray<SlotRange> {
    return [...this.#slots].flatMap(([slot, { untilMillis }]) =>
      untilMillis > nowMillis ? [{ fromSlot: slot, toSlot: slot }] : [],
    )
  }

  /** What was not tried yet, the newest first: the last minute matters more than last night. Then what is due longest. */
  inTurn(gaps: ReadonlyArray<SlotRange>): ReadonlyArray<SlotRange> {
    const dueMillis = ({ toSlot }: SlotRange): number => this.#slots.get(toSlot)?.untilMillis ?? 0
    return gaps.toReversed().toSorted((one, other) => dueMillis(one) - dueMillis(other))
  }

  /** Forgets all but those in these gaps, which are in order. */
  keep(gaps: ReadonlyArray<SlotRange>): void {
    let at = 0
    for (const slot of [...this.#slots.keys()].sort((one, other) => (one < other ? -1 : 1))) {
      while (at < gaps.length && gaps[at]!.toSlot < slot) at++
      if (at === gaps.length || slot < gaps[at]!.fromSlot) this.#slots.delete(slot)
    }
  }

  /** Why one of them is not proven; null without any. */
  get problem(): string | null {
    const [first] = this.#slots.values()
    return first === undefined ? null : problemOf(first.problem)
  }
}
