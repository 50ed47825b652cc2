import type { Contestant, Prepare } from "./Contestant.ts"
import { copyLimit, copyLoader, insertEach, parseAndDecode, unnestLoader } from "./Loaders.ts"
import { ours } from "./Ours.ts"
import { hasSquid, squid } from "./Squid.ts"

const contestant = (name: string, about: string, prepare: Prepare, traits: Partial<Contestant> = {}): Contestant => ({
  name,
  about,
  prepare,
  writes: true,
  isByHand: false,
  isInstalled: true,
  ...traits,
})

export const CONTESTANTS: ReadonlyArray<Contestant> = [
  contestant("ours", "ours: all received kept, every table derived", ours),
  contestant("sqd", "SQD typeorm-store 1.9.2: trades alone", squid, { isInstalled: hasSquid }),
  contestant("unnest", "by hand, unnest 500 x 2: trades alone", unnestLoader, { isByHand: true }),
  contestant("copy", "by hand, COPY 500 x 2 and ON CONFLICT: trades alone", copyLoader, { isByHand: true }),
  contestant("insert", "an INSERT for each, 32 connections: trades alone", insertEach),
  contestant("decode", "parsed and decoded, nothing written", parseAndDecode, { writes: false }),
  contestant("limit", "decoded beforehand, COPY 5000 x 2", copyLimit),
]
