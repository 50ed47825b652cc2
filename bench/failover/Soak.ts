import { fork } from "node:child_process"
import { cpus } from "node:os"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import type { Order, Samples } from "./ClientMain.ts"
import type { ContenderName } from "./Contenders.ts"
import { amplification, failbackMillis, lastPrimaryMillis, oldestBlockhash, windowOf } from "./Figures.ts"
import { GENESIS, type Scenario, SCENARIOS } from "./Scenarios.ts"
import { StandIn } from "./StandIn.ts"

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "60" },
    clients: { type: "string", default: "50" },
    only: { type: "string", default: "" },
    contenders: { type: "string", default: "" },
  },
})
const seconds = Number(values.seconds)
const clients = Number(values.clients)
const FAULT_MILLIS = (seconds * 1_000) / 3
const RECOVERY_MILLIS = (seconds * 2_000) / 3
const END_MILLIS = seconds * 1_000
/** Connections are made and code is compiled before this. */
const WARM_MILLIS = Math.min(5_000, FAULT_MILLIS / 2)

const CLIENT = fileURLToPath(new URL("ClientMain.ts", import.meta.url))
const pause = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

const clientsOf = async (name: ContenderName, nodes: ReadonlyArray<StandIn>) => {
  const child = fork(CLIENT, [name, GENESIS, ...nodes.map(({ url }) => url)])
  await new Promise((resolve) => child.once("message", resolve))
  return (order: Order) =>
    new Promise<Samples>((resolve) => {
      child.once("message", (samples: Samples) => resolve(samples))
      child.send(order)
    })
}

const runOne = async (scenario: Scenario, name: ContenderName) => {
  const nodes = [new StandIn(1), new StandIn(2)] as const
  for (const node of nodes) await node.start(GENESIS)
  const start = await clientsOf(name, nodes)
  const under = start({ seconds, clients })
  await pause(FAULT_MILLIS)
  await scenario.fault(...nodes)
  await pause(RECOVERY_MILLIS - FAULT_MILLIS)
  await scenario.recovery(...nodes)
  const samples = await under
  for (const node of nodes) node.stop()
  return rowOf(scenario, name, samples, nodes)
}

const millis = (value: number): string => (Number.isNaN(value) ? "-" : value.toFixed(value < 10 ? 1 : 0))

const rowOf = (scenario: Scenario, name: ContenderName, samples: Samples, nodes: ReadonlyArray<StandIn>) => {
  const before = windowOf(samples, WARM_MILLIS, FAULT_MILLIS)
  const during = windowOf(samples, FAULT_MILLIS, RECOVERY_MILLIS)
  const later = windowOf(samples, FAULT_MILLIS + 2_000, RECOVERY_MILLIS)
  const after = windowOf(samples, RECOVERY_MILLIS, END_MILLIS)
  const quiet = amplification(nodes, samples, WARM_MILLIS, FAULT_MILLIS)
  const loud = amplification(nodes, samples, FAULT_MILLIS, RECOVERY_MILLIS)
  const failback = failbackMillis(samples, RECOVERY_MILLIS, END_MILLIS)
  return {
    scenario: `${scenario.id} ${scenario.what}`,
    contender: name,
    "p99 before": millis(before.p99),
    calls: during.calls,
    failed: during.failed + after.failed,
    p99: millis(during.p99),
    "p99 after 2 s": millis(later.p99),
    slowest: millis(during.slowest),
    throughput: `${Math.round((100 * during.perSecond) / before.perSecond)} %`,
    "requests/call": `${quiet.calls.toFixed(3)} / ${loud.calls.toFixed(3)}`,
    "with probes": `${quiet.withProbes.toFixed(3)} / ${loud.withProbes.toFixed(3)}`,
    "primary last used": `${(lastPrimaryMillis(samples, FAULT_MILLIS, RECOVERY_MILLIS) / 1_000).toFixed(1)} s`,
    failback: failback === undefined ? "never" : `${(failback / 1_000).toFixed(1)} s`,
    "oldest blockhash": `${oldestBlockhash(samples, FAULT_MILLIS, RECOVERY_MILLIS)} slots`,
    switches: name === "ours" ? samples.switches : "-",
    hedges: name === "ours" ? `${((100 * samples.hedges) / samples.at.length).toFixed(2)} %` : "-",
  }
}

const isAsked = (list: string, item: string) => list === "" || list.split(",").includes(item)
const scenarios = SCENARIOS.filter(({ id }) => isAsked(values.only, id))
process.stdout.write(
  `${clients} clients, ${seconds} s each: fault at ${FAULT_MILLIS / 1_000} s, recovery at ${RECOVERY_MILLIS / 1_000} s; ` +
    `${cpus().length} cores, Node ${process.version}. Milliseconds; "a / b" is before / during the fault.\n\n`,
)
let head: ReadonlyArray<string> | undefined
for (const scenario of scenarios) {
  for (const contender of scenario.contenders.filter((name) => isAsked(values.contenders, name))) {
    const row = await runOne(scenario, contender)
    if (head === undefined) {
      head = Object.keys(row)
      process.stdout.write(`| ${head.join(" | ")} |\n|${head.map(() => "---").join("|")}|\n`)
    }
    process.stdout.write(`| ${Object.values(row).join(" | ")} |\n`)
  }
}
