import { type ChildProcess, fork } from "node:child_process"
import { cpus } from "node:os"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { Pool } from "undici"
import { answerOf, ask } from "../ChildAnswer.ts"
import { BenchDatabase } from "../ingest/BenchDatabase.ts"
import { median } from "../ingest/IngestReport.ts"
import type { LimitedServer } from "./LimitedServerMain.ts"

/** Whether two replicas allow what one budget allows, and what counting costs: every server is a process. */
const { values } = parseArgs({
  options: {
    budget: { type: "string", default: "10000" },
    rounds: { type: "string", default: "7" },
    seconds: { type: "string", default: "3" },
    connections: { type: "string", default: "32" },
  },
})
const PATH = "/api/tokens/mint/So11111111111111111111111111111111111111112"
const say = (text: string) => void process.stdout.write(`${text}\n`)
const connections = Number(values.connections)
const budget = Number(values.budget)

const database = await BenchDatabase.start()
await database.renew()
const children: Array<ChildProcess> = []
const started = async (requests?: number) => {
  const server: LimitedServer = { database: database.address, ...(requests !== undefined && { requests }) }
  const child = fork(fileURLToPath(new URL("LimitedServerMain.ts", import.meta.url)), [JSON.stringify(server)])
  children.push(child)
  return { child, pool: new Pool(await answerOf<string>(child), { connections }) }
}
type Server = Awaited<ReturnType<typeof started>>

/** The status of one answer. */
const statusOf = async ({ pool }: Server, client: string): Promise<number> => {
  const { body, statusCode } = await pool.request({
    path: PATH,
    method: "GET",
    headers: { "x-forwarded-for": client },
  })
  await body.dump()
  return statusCode
}

/** Keeps so many requests in flight for as long as there is another one. */
const inFlight = (next: () => Promise<unknown> | undefined) =>
  Promise.all(
    Array.from({ length: connections }, async () => {
      for (let request = next(); request !== undefined; request = next()) await request
    }),
  )

try {
  say(`${cpus().length} cores, Node ${process.version}. PostgreSQL: ${database.settings}.\n`)
  const replicas = [await started(budget), await started(budget)] as const
  let clients = 0
  for (const [name, replicaOf] of [
    ["in turn", (request: number) => replicas[request % 2]!],
    ["half to one, then all to the other", (request: number) => replicas[request < budget / 2 ? 0 : 1]!],
    ["nine of ten to one", (request: number) => replicas[request % 10 === 0 ? 1 : 0]!],
  ] as const) {
    const client = `192.0.2.${++clients}`
    const statuses = new Map<number, number>()
    let sent = 0
    await inFlight(() =>
      sent === 2 * budget
        ? undefined
        : statusOf(replicaOf(sent++), client).then((status) => statuses.set(status, (statuses.get(status) ?? 0) + 1)),
    )
    const refused = statuses.get(429) ?? 0
    say(
      `One budget over two replicas, ${name}: allowed ${sent - refused} of ${budget} (${sent} sent; ${[...statuses]
        .map(([status, count]) => `${count} were ${status}`)
        .join(", ")})`,
    )
  }

  const servers = [
    { name: "without a limit", ...(await started()) },
    { name: "with a limit", ...(await started(1_000_000)) },
  ]
  const cpuMicros = new Map<string, Array<number>>()
  const perSecond = new Map<string, Array<number>>()
  // The first round is the warm-up.
  for (let round = 0; round <= Number(values.rounds); round++) {
    for (const server of servers) {
      const cpuFrom = await ask<number>(server.child, "cpu")
      const from = performance.now()
      const until = from + Number(values.seconds) * 1_000
      let answered = 0
      await inFlight(() =>
        performance.now() > until ? undefined : statusOf(server, "198.51.100.1").then(() => answered++),
      )
      const millis = performance.now() - from
      const cpuMillis = (await ask<number>(server.child, "cpu")) - cpuFrom
      if (round === 0) continue
      cpuMicros.set(server.name, [...(cpuMicros.get(server.name) ?? []), (cpuMillis * 1_000) / answered])
      perSecond.set(server.name, [...(perSecond.get(server.name) ?? []), (answered * 1_000) / millis])
    }
  }
  say(`\n| GET of a token, ${connections} connections | requests/s | CPU/request |\n|---|---|---|`)
  for (const { name } of servers)
    say(
      `| ${name} | ${Math.round(median(perSecond.get(name)!)).toLocaleString("en-US")} | ${median(cpuMicros.get(name)!).toFixed(1)} µs |`,
    )
} finally {
  for (const child of children) child.disconnect()
  await database.stop()
}
process.exit()
