import { copyLoader, unnestLoader } from "./ByHand.ts"
import { ours } from "./Ours.ts"
import { squid } from "./Squid.ts"
import type { Prepare } from "./Workload.ts"

export interface Contestant {
  readonly about: string
  readonly prepare: Prepare
}

/** By name. All leave the same rows in `trades`. */
export const CONTESTANTS: Readonly<Record<string, Contestant>> = {
  ours: { about: "ours: all received kept, every table derived", prepare: ours },
  sqd: { about: "SQD typeorm-store 1.9.2: trades alone", prepare: squid },
  unnest: { about: "by hand, unnest 500 x 2: trades alone", prepare: unnestLoader },
  copy: { about: "by hand, COPY 500 x 2 and ON CONFLICT: trades alone", prepare: copyLoader },
}
