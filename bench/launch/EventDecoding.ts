import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { decodeTransaction } from "@launch-registry/chain/launch/events/DecodeTransaction"
import type { RawTransaction } from "@launch-registry/chain/launch/events/RawTransaction"
import { DBC_PROGRAM } from "@launch-registry/chain/launch/Programs"
import { DynamicBondingCurveClient } from "@meteora-ag/dynamic-bonding-curve-sdk"

/**
 * From the JSON of a landed swap to its facts: Anchor's event coder on the program's self-calls, and our decoder, alternately
 * over the same captured swaps.
 */
const ROUNDS = 40
const REPEATS = 200

const sdkRequire = createRequire(createRequire(import.meta.url).resolve("@meteora-ag/dynamic-bonding-curve-sdk"))
const { Connection } = sdkRequire("@solana/web3.js")
const { bs58 } = sdkRequire("@coral-xyz/anchor").utils.bytes
const { coder } = new DynamicBondingCurveClient(new Connection("http://127.0.0.1:9"), "confirmed").pool.getProgram()

const fixtures = new URL("../../packages/indexer/fixtures/captured-transactions.json", import.meta.url)
const captured = JSON.parse(readFileSync(fixtures, "utf8")) as ReadonlyArray<RawTransaction & { readonly step: string }>
const swaps = captured.filter(({ step }) => step.startsWith("swap"))

const EVENT_TAG = "e445a52e51cb9a1d"

/** Every event of the program in a transaction, as Anchor decodes it. */
const byAnchor = ({ meta, transaction }: RawTransaction) => {
  const keys = transaction.message.accountKeys
  const found: Array<unknown> = []
  for (const { instructions } of meta.innerInstructions ?? []) {
    for (const { data, programIdIndex } of instructions) {
      if (keys[programIdIndex] !== DBC_PROGRAM) continue
      const bytes = Buffer.from(bs58.decode(data))
      if (bytes.subarray(0, 8).toString("hex") !== EVENT_TAG) continue
      const event = coder.events.decode(bytes.subarray(8).toString("base64"))
      if (event?.name === "evtSwap2") found.push(event.data)
    }
  }
  return found
}

const contenders = [
  { name: "Anchor", decode: byAnchor, micros: new Array<number>() },
  { name: "ours", decode: (raw: RawTransaction) => decodeTransaction(raw), micros: new Array<number>() },
]

let events = 0
for (let round = 0; round < ROUNDS; round++) {
  for (const { decode, micros } of contenders) {
    const from = process.cpuUsage()
    for (let repeat = 0; repeat < REPEATS; repeat++) for (const swap of swaps) events += decode(swap).length
    const { system, user } = process.cpuUsage(from)
    micros.push((user + system) / (REPEATS * swaps.length))
  }
}

const median = (values: ReadonlyArray<number>) =>
  values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)]!
const anchor = median(contenders[0]!.micros)
process.stdout.write("| decoder | CPU per transaction | against Anchor |\n|---|---|---|\n")
for (const { micros, name } of contenders) {
  const took = median(micros)
  process.stdout.write(`| ${name} | ${took.toFixed(1)} µs | ${(anchor / took).toFixed(1)}x |\n`)
}
process.stdout.write(`${events} events decoded.\n`)
