import { fork } from "node:child_process"
import { cpus } from "node:os"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import type { Order, Samples } from "./ClientMain.ts"
import type { ContenderName } from "./Contenders.ts"
import { verdicts } from "./Goals.ts"
import { type Measured, measured, type Moments, rowOf } from "./Measured.ts"
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
const MOMENTS: Moments = {
  // Connections are established and code is compiled before this.
  warm: Math.min(5_000, (seconds * 1_000) / 6),
  fault: (seconds * 1_000) / 3,
  recovery: (seconds * 2_000) / 3,
  end: seconds * 1_000,
}

const CLIENT = fileURLToPath(new URL("ClientMain.ts", import.meta.url))
const pause = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

const clientsOf = async (name: ContenderName, nodes: ReadonlyArray<StandIn>) => {
  const child = fork(CLIENT, [name, GENESIS, ...nodes.map(({ url }) => url)])
  const ended = new Promise<never>((_, reject) =>
    child.once("exit", () => reject(new Error(`The clients of ${name} ended`))),
  )
  ended.catch(() => undefined)
  await Promise.race([new Promise((resolve) => child.once("message", resolve)), ended])
  return (order: Order) =>
    Promise.race([
      new Promise<Samples>((resolve) => {
        child.once("message", (samples: Samples) => resolve(samples))
        child.send(order)
      }),
      ended,
    ])
}

const runOne = async (scenario: Scenario, name: ContenderName) => {
  const nodes = [new StandIn(1), new StandIn(2)] as const
  for (const node of nodes) await node.start(GENESIS)
  const start = await clientsOf(name, nodes)
  const under = start({ seconds, clients })
  await pause(MOMENTS.fault)
  const replacement = await scenario.fault(...nodes)
  await pause(MOMENTS.recovery - MOMENTS.fault)
  await scenario.recovery(...nodes)
  const samples = await under
  const all = replacement === undefined ? nodes : [...nodes, replacement]
  for (const node of all) node.stop()
  return measured(scenario, name, samples, all, MOMENTS)
}

const isAsked = (list: string, item: string) => list === "" || list.split(",").includes(item)
const scenarios = SCENARIOS.filter(({ id }) => isAsked(values.only, id))
process.stdout.write(
  `${clients} clients, ${seconds} s each: fault at ${MOMENTS.fault / 1_000} s, recovery at ${MOMENTS.recovery / 1_000} s; ` +
    `${cpus().length} cores, Node ${process.version}. Milliseconds; "a / b" is before / during the fault.\n\n`,
)
const all: Array<Measured> = []
for (const scenario of scenarios) {
  for (const contender of scenario.contenders.filter((name) => isAsked(values.contenders, name))) {
    const run = await runOne(scenario, contender)
    const row = rowOf(run)
    if (all.push(run) === 1) {
      const head = Object.keys(row)
      process.stdout.write(`| ${head.join(" | ")} |\n|${head.map(() => "---").join("|")}|\n`)
    }
    process.stdout.write(`| ${Object.values(row).join(" | ")} |\n`)
  }
}
process.stdout.write("\n| goal | measured | met |\n|---|---|---|\n")
for (const [goal, found, isMet] of verdicts(all))
  process.stdout.write(`| ${goal} | ${found} | ${isMet ? "yes" : "no"} |\n`)
