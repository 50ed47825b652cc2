import { setTimeout as pause } from "node:timers/promises"
import { CONTENDERS } from "./Contenders.ts"

/** `ClientsMain.ts <contender> <clients> <seconds> <genesis hash> <url> <url>`: clients that read, one call after the other. */
export interface Call {
  /** Milliseconds since the start. */
  readonly at: number
  readonly millis: number
  /** Number of the node that answered; 0 if the call failed. */
  readonly node: number
}

/** Between an answer and the next call of the same client. */
const THINK_MILLIS = 12

const [name, clients, seconds, genesisHash, ...urls] = process.argv.slice(2)
const read = CONTENDERS[name!]!(urls, genesisHash!)
await read(0)
process.send!("ready")

const began = performance.now()
const elapsed = () => performance.now() - began
const calls: Array<Call> = []
let n = 0
const client = async () => {
  while (elapsed() < Number(seconds) * 1_000) {
    await pause(THINK_MILLIS * (0.5 + Math.random()))
    const at = elapsed()
    const node = await read(++n).catch(() => 0)
    calls.push({ at, millis: elapsed() - at, node })
  }
}
await Promise.all(Array.from({ length: Number(clients) }, client))
process.send!(calls, () => process.exit())
