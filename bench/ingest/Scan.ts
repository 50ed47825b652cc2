import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { DecodableTransaction } from "@launch-registry/chain/launch/events/RawTransaction"
import { parseBody, type ReadBody, readBody } from "@launch-registry/indexer/inbox/ReadBody"
import { changesOf } from "@launch-registry/indexer/modules/DatabaseChanges"
import { median, ratioText } from "./IngestReport.ts"
import { readWorkload, writeWorkload } from "./Workload.ts"

/** From received bytes to changes: with the byte scan and with `JSON.parse`, alternately; Node's CPU, garbage collection included. */
const ROUNDS = 15
const TRANSACTIONS = 4_000

const WAYS = [
  ["bytes scanned", readBody],
  ["JSON.parse", (body: Uint8Array) => parseBody(Buffer.from(body).toString())],
] as const

const changed = ({ elements }: ReadBody): number => {
  const transactions = elements.filter(({ key }) => typeof key !== "string")
  return changesOf(transactions.map((element) => element.read() as DecodableTransaction)).trades.length
}

const folder = mkdtempSync(join(tmpdir(), "registry-bench-"))
process.stdout.write("| transactions a body | bytes scanned | JSON.parse | ratio |\n|---|---|---|---|\n")
for (const perBody of [1, 20]) {
  const file = join(folder, `${perBody}.ndjson`)
  const { transactions } = await writeWorkload(file, TRANSACTIONS, { perBody })
  const bodies = readWorkload(file)
  const micros = WAYS.map(() => new Array<number>())
  let trades = 0
  // The first round warms up.
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [index, [, read]] of WAYS.entries()) {
      const from = process.cpuUsage()
      // Held for a group, as in the inbox between receiving and folding.
      for (let at = 0; at < bodies.length; at += 100)
        for (const one of bodies.slice(at, at + 100).map(read)) trades += changed(one)
      const { system, user } = process.cpuUsage(from)
      if (round > 0) micros[index]!.push((system + user) / transactions)
    }
  }
  const [scanned, parsed] = micros as [Array<number>, Array<number>]
  const ratios = scanned.map((one, round) => one / parsed[round]!)
  const cells = [perBody, `${median(scanned).toFixed(1)} µs`, `${median(parsed).toFixed(1)} µs`, ratioText(ratios)]
  process.stdout.write(`| ${cells.join(" | ")} |\n`)
  if (trades === 0) throw new Error("nothing was decoded")
}
rmSync(folder, { recursive: true })
