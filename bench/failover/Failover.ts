import { type ChildProcess, fork } from "node:child_process"
import { cpus } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { parseArgs } from "node:util"
import { answerOf } from "../Processes.ts"
import { quantile } from "../Quantiles.ts"
import type { Call } from "./ClientsMain.ts"
import { CONTENDERS } from "./Contenders.ts"
import type { Behaviour } from "./NodeMain.ts"

/**
 * Reads through two RPC nodes of which the first fails for a third of the time: ours, beside a hand-written failover, kit's recipe, and,
 * where all is well, kit alone. `--only` takes faults, separated by semicolons.
 */
const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "60" },
    clients: { type: "string", default: "50" },
    only: { type: "string", default: "" },
  },
})
const GENESIS = "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d"
const OTHER_GENESIS = "EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG"
/** The number of a node of another cluster. */
const FOREIGN = 3
const third = (Number(values.seconds) * 1_000) / 3

const startNode = async (number: number, genesisHash: string, port = 0) => {
  const child = fork(join(import.meta.dirname, "NodeMain.ts"), [String(number), genesisHash, String(port)])
  return { child, ...(await answerOf<{ readonly port: number }>(child)) }
}

type Node = Awaited<ReturnType<typeof startNode>>
/** What happens to the first node, and what ends it; it may be replaced by another process. */
interface Fault {
  readonly begin: (node: Node) => Node | Promise<Node>
  readonly end: (node: Node) => Node | Promise<Node>
}

const behaving = (behaviour: Behaviour): Fault => {
  const set = (to: Behaviour) => (node: Node) => (node.child.send(to), node)
  return { begin: set(behaviour), end: set("well") }
}
const replaced = async ({ child, port }: Node, number: number, genesisHash: string) => {
  child.kill("SIGKILL")
  return startNode(number, genesisHash, port)
}
const signalled = (child: ChildProcess, signal: NodeJS.Signals) => child.kill(signal)

const FAULTS: Readonly<Record<string, Fault>> = {
  "all is well": { begin: (node) => node, end: (node) => node },
  "killed (kill -9)": {
    begin: (node) => (signalled(node.child, "SIGKILL"), node),
    end: ({ port }) => startNode(1, GENESIS, port),
  },
  "hangs (SIGSTOP)": {
    begin: (node) => (signalled(node.child, "SIGSTOP"), node),
    end: (node) => (signalled(node.child, "SIGCONT"), node),
  },
  "takes 1.5 s more": behaving("slow"),
  "stuck at a slot": behaving("stuck"),
  "replaced by a node of another cluster": {
    begin: (node) => replaced(node, FOREIGN, OTHER_GENESIS),
    end: (node) => replaced(node, 1, GENESIS),
  },
  "429, Retry-After 8 s": behaving("rateLimited"),
  "503 with HTML": behaving("unavailable"),
}

const runOne = async (fault: Fault, contender: string): Promise<ReadonlyArray<Call>> => {
  let first = await startNode(1, GENESIS)
  const second = await startNode(2, GENESIS)
  const urls = [first, second].map(({ port }) => `http://127.0.0.1:${port}`)
  const clients = fork(join(import.meta.dirname, "ClientsMain.ts"), [
    ...[contender, values.clients, values.seconds, GENESIS],
    ...urls,
  ])
  await answerOf(clients)
  const calls = answerOf<ReadonlyArray<Call>>(clients)
  await pause(third)
  first = await fault.begin(first)
  await pause(third)
  first = await fault.end(first)
  const all = await calls
  for (const { child } of [first, second]) child.kill("SIGKILL")
  return all
}

const say = (text: string) => void process.stdout.write(`${text}\n`)
say(
  `${values.clients} clients, ${values.seconds} s each, the fault in the second third; ${cpus().length} cores, Node ${process.version}.\n`,
)
say("| first node | read by | p50 before | calls during | failed | wrong cluster | p50 | p99 | slowest | back after |")
say("|---|---|---:|---:|---:|---:|---:|---:|---:|---:|")
for (const [what, fault] of Object.entries(FAULTS)) {
  if (values.only !== "" && !values.only.split(";").includes(what)) continue
  for (const contender of Object.keys(CONTENDERS)) {
    if (contender === "single" && what !== "all is well") continue
    const calls = await runOne(fault, contender)
    const ended = (from: number, to: number) =>
      calls.filter(({ at, millis }) => at + millis >= from && at + millis < to)
    const took = (some: ReadonlyArray<Call>, share: number) =>
      `${quantile(
        some.map(({ millis }) => millis),
        share,
      ).toFixed(1)} ms`
    const during = ended(third, 2 * third)
    const back = calls.find(({ at, node }) => at >= 2 * third && node === 1)
    const cells = [
      ...[what, contender, took(ended(third / 4, third), 0.5), during.length],
      ...[during.filter(({ node }) => node === 0).length, calls.filter(({ node }) => node === FOREIGN).length],
      ...[took(during, 0.5), took(during, 0.99), took(during, 1)],
      back === undefined ? "-" : `${((back.at - 2 * third) / 1_000).toFixed(1)} s`,
    ]
    say(`| ${cells.join(" | ")} |`)
  }
}
