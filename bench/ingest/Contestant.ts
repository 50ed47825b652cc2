import type { BenchAddress } from "./BenchDatabase.ts"

/** Prepares everything before the clock starts; the returned effect does the work. */
export type Prepare = (bodies: ReadonlyArray<Buffer>, address: BenchAddress) => Promise<() => Promise<void>>

export interface Contestant {
  readonly name: string
  readonly about: string
  readonly prepare: Prepare
  /** Whether it leaves the trades in their table. */
  readonly writes: boolean
  /** Written by hand for these trades alone. */
  readonly isByHand: boolean
  readonly isInstalled: boolean
}
