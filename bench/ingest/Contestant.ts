import type { BenchAddress } from "./BenchDatabase.ts"

/** Makes ready what is needed before the clock starts; what it returns does the work. */
export type Prepare = (bodies: ReadonlyArray<Buffer>, address: BenchAddress) => Promise<() => Promise<void>>

export interface Contestant {
  readonly name: string
  readonly about: string
  readonly prepare: Prepare
  /** Whether it leaves the trades in their table. */
  readonly writes: boolean
  /** As one would write it by hand for these trades alone. */
  readonly isByHand: boolean
  readonly isInstalled: boolean
}
