import type { BenchAddress } from "./BenchDatabase.ts"
import { CONTESTANTS } from "./Contestants.ts"
import { readWorkload } from "./Workload.ts"

/** What a run took: of the clock, and of the processors in this process. */
export interface Taken {
  readonly millis: number
  readonly cpuMillis: number
}

/** One run of one contestant, in a process of its own: says when it is ready, and does the work when told. */
const [name, file, address] = process.argv.slice(2) as [string, string, string]
const { prepare } = CONTESTANTS.find((contestant) => contestant.name === name)!
const work = await prepare(readWorkload(file), JSON.parse(address) as BenchAddress)

process.once("message", async () => {
  const from = performance.now()
  const cpuFrom = process.cpuUsage()
  await work()
  const { system, user } = process.cpuUsage(cpuFrom)
  const taken: Taken = { millis: performance.now() - from, cpuMillis: (system + user) / 1_000 }
  process.send!(taken, () => process.exit())
})
process.send!("ready")
