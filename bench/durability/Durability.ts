import { cpus } from "node:os"
import { parseArgs } from "node:util"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Effect } from "effect"
import { durabilityRound } from "../../packages/service/test/durability/DurabilityRound.ts"
import { durabilityReport } from "./DurabilityReport.ts"

/**
 * Kills service and PostgreSQL with -9 under writers of every kind, and checks that every acknowledged write survived.
 */
const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "100" },
    seconds: { type: "string", default: "900" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
  },
})
const [kills, secondsMax, seed] = [values.kills, values.seconds, values.seed].map(Number) as [number, number, number]
const SHOWN_MAX = 20
const LOGS_MAX = 3
const EVERY = 10

const say = (text: string) => void process.stdout.write(`${text}\n`)

/** The first violations, one per line. */
const sayAll = (what: string, all: Iterable<string>) => {
  const lines = [...all]
  for (const line of lines.slice(0, SHOWN_MAX)) say(`${what}: ${line}`)
  if (lines.length > SHOWN_MAX) say(`${what}: ${lines.length - SHOWN_MAX} more`)
}

const main = Effect.gen(function* () {
  say(`${kills} kills, seed ${seed}; ${cpus().length} cores, Node ${process.version}.`)
  const { figures, linesWith } = yield* durabilityRound({
    ...{ kills, secondsMax, seed },
    onKill: (soFar) => {
      const done = [...soFar.kills.values()].reduce((sum, times) => sum + times, 0)
      if (done % EVERY === 0) say(`${done} kills, ${soFar.ledger.total} acknowledged`)
    },
  })
  const { ledger } = figures
  say(`\n${durabilityReport(figures)}\n`)
  say(`Answers: ${[...ledger.answers].map(([answer, times]) => `${answer} ${times}`).join(", ")}`)
  sayAll("lost", ledger.lost)
  sayAll("doubled", ledger.doubled)
  sayAll("500", ledger.serverErrors)
  for (const said of ledger.serverErrors.slice(0, LOGS_MAX))
    sayAll("log", linesWith(/"requestId":"([^"]+)"/.exec(said)?.[1] ?? said))
  sayAll("fault", ledger.faults)
  const done = [...figures.kills.values()].reduce((sum, times) => sum + times, 0)
  const found = ledger.lost.size + ledger.doubled.size + ledger.serverErrors.length + ledger.faults.length
  if (found > 0 || done < kills) process.exitCode = 1
})

NodeRuntime.runMain(Effect.scoped(main))
