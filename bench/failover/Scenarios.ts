import type { ContenderName } from "./Contenders.ts"
import { StandIn } from "./StandIn.ts"

export const GENESIS = "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d"
const OTHER_GENESIS = "EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG"

/** A fault of the endpoints, and when it is over. */
export interface Scenario {
  readonly id: string
  readonly what: string
  readonly contenders: ReadonlyArray<ContenderName>
  /** May replace the primary by another node. */
  readonly fault: (primary: StandIn, backup: StandIn) => void | Promise<StandIn | void>
  readonly recovery: (primary: StandIn, backup: StandIn) => void | Promise<void>
}

const ALL: ReadonlyArray<ContenderName> = ["naive", "kit recipe", "ours"]
/** Its id identifies its answers, and its slots identify its blockhashes. */
export const FOREIGN = { id: 3, slotsAhead: 50_000 }
const foreignNode = async (): Promise<StandIn> => {
  const foreign = new StandIn(FOREIGN.id)
  await foreign.prepare(OTHER_GENESIS, FOREIGN.slotsAhead)
  return foreign
}

const healthy = (...nodes: ReadonlyArray<StandIn>) => nodes.forEach((node) => node.behave("healthy"))

let flapping: NodeJS.Timeout | undefined

/** Ids are those of the goals. */
export const SCENARIOS: ReadonlyArray<Scenario> = [
  {
    id: "F11",
    what: "all is well",
    contenders: ["single", ...ALL],
    fault: () => undefined,
    recovery: () => undefined,
  },
  {
    id: "F1",
    what: "primary killed (kill -9)",
    contenders: ALL,
    fault: (primary) => primary.signal("SIGKILL"),
    recovery: (primary) => primary.start(GENESIS),
  },
  {
    id: "F2",
    what: "primary hangs (SIGSTOP)",
    contenders: ALL,
    fault: (primary) => primary.signal("SIGSTOP"),
    recovery: (primary) => primary.signal("SIGCONT"),
  },
  {
    id: "F3",
    what: "primary browned out (+1.5 s)",
    contenders: ALL,
    fault: (primary) => primary.behave("slow"),
    recovery: (primary) => healthy(primary),
  },
  {
    id: "F4",
    what: "primary flaps (hangs every other second)",
    contenders: ALL,
    fault: (primary) => {
      let isStopped = false
      const flap = () => {
        isStopped = !isStopped
        primary.signal(isStopped ? "SIGSTOP" : "SIGCONT")
      }
      flap()
      flapping = setInterval(flap, 1_000)
    },
    recovery: (primary) => {
      clearInterval(flapping)
      primary.signal("SIGCONT")
    },
  },
  {
    id: "F5",
    what: "primary stuck at a slot, getHealth ok",
    contenders: ALL,
    fault: (primary) => primary.behave("stuck"),
    recovery: (primary) => healthy(primary),
  },
  {
    id: "F6",
    what: "primary killed, at once a node of another cluster there",
    contenders: ALL,
    fault: async (primary) => {
      const foreign = await foreignNode()
      primary.signal("SIGKILL")
      await foreign.listen(primary.port)
      return foreign
    },
    recovery: () => undefined,
  },
  {
    id: "F6h",
    what: "primary hands over to a node of another cluster",
    contenders: ALL,
    fault: async (primary) => {
      const foreign = await foreignNode()
      await primary.leave()
      await foreign.listen(primary.port)
      return foreign
    },
    recovery: () => undefined,
  },
  {
    id: "F7",
    what: "primary answers 429, Retry-After 8 s",
    contenders: ALL,
    fault: (primary) => primary.behave("rateLimited"),
    recovery: (primary) => healthy(primary),
  },
  {
    id: "F8",
    what: "both hang (SIGSTOP)",
    contenders: ["naive", "ours"],
    fault: (primary, backup) => [primary, backup].forEach((node) => node.signal("SIGSTOP")),
    recovery: (primary, backup) => [primary, backup].forEach((node) => node.signal("SIGCONT")),
  },
  {
    id: "F10",
    what: "primary answers 503 with HTML",
    contenders: ALL,
    fault: (primary) => primary.behave("unavailable"),
    recovery: (primary) => healthy(primary),
  },
]
