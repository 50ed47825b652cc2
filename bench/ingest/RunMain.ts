import type { BenchAddress } from "../BenchDatabase.ts"
import { copyLoader, unnestLoader } from "./ByHand.ts"
import { ours } from "./Ours.ts"
import { squid } from "./Squid.ts"
import { type Prepare, readWorkload } from "./Workload.ts"

/** Wall clock time of a run, and CPU time of this process. */
export interface Taken {
  readonly millis: number
  readonly cpuMillis: number
}

/**
 * One run of one contestant in a separate process: first a warm-up of the same size with other transactions on another database,
 * because it compares services that run for weeks. Then it reports that it is ready and starts on a message.
 */
const [name, file, warmUpFile, address, warmUpAddress] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
  string,
]
const contestants: Readonly<Record<string, Prepare>> = { ours, sqd: squid, unnest: unnestLoader, copy: copyLoader }
const prepare = contestants[name]!
const addressOf = (json: string) => JSON.parse(json) as BenchAddress
const warmUp = await prepare(readWorkload(warmUpFile), addressOf(warmUpAddress))
await warmUp()
const work = await prepare(readWorkload(file), addressOf(address))

process.once("message", async () => {
  const from = performance.now()
  const cpuFrom = process.cpuUsage()
  await work()
  const { system, user } = process.cpuUsage(cpuFrom)
  const taken: Taken = { millis: performance.now() - from, cpuMillis: (system + user) / 1_000 }
  process.send!(taken, () => process.exit())
})
process.send!("ready")
