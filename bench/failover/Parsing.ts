import { fork } from "node:child_process"
import { randomBytes } from "node:crypto"
import { createServer } from "node:http"
import { createRequire } from "node:module"
import type { AddressInfo } from "node:net"
import { cpus } from "node:os"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { parseLossless } from "@launch-registry/chain/rpc/LosslessJson"
import { encodeBase58 } from "@launch-registry/solana/Base58"
import { answerOf, ask } from "../ChildAnswer.ts"
import { median } from "../ingest/IngestReport.ts"

/**
 * CPU, with garbage collection, of reading an answer of token accounts: the parser alone beside kit's and beside `JSON.parse` with and
 * without a reviver, and the whole call, also of another checkout (`--against`). All alternately, in one run.
 */
const { values } = parseArgs({
  options: {
    accounts: { type: "string", default: "20000" },
    rounds: { type: "string", default: "15" },
    against: { type: "string" },
  },
})

const chainRequire = createRequire(import.meta.resolve("@launch-registry/chain/rpc/LosslessJson"))
const { parseJsonWithBigInts } = chainRequire("@solana/rpc-spec-types")

const key = () => encodeBase58(randomBytes(32))
/** As a node writes it, with 40 bytes of each account. No double holds the epoch. */
const account = () =>
  `{"account":{"data":["${randomBytes(40).toString("base64")}","base64"],"executable":false,"lamports":2039280,` +
  `"owner":"TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA","rentEpoch":18446744073709551615,"space":165},"pubkey":"${key()}"}`
const listOf = (length: number) => `[${Array.from({ length }, account).join(",")}]`
const text = `{"jsonrpc":"2.0","result":${listOf(Number(values.accounts))},"id":"1"}`
/** As many as an answer to a call may have. */
const CALLED = Math.min(Number(values.accounts), 3_500)
const accounts = listOf(CALLED)

const revived = (json: string): unknown =>
  (
    JSON.parse as (
      text: string,
      revive: (key: string, value: unknown, context: { source: string }) => unknown,
    ) => unknown
  )(json, (_, value, { source }) => (typeof value === "number" && /^-?\d+$/.test(source) ? BigInt(source) : value))
const PARSERS = [
  ["character by character (kit)", parseJsonWithBigInts],
  ["JSON.parse with a reviver", revived],
  ["ours", parseLossless],
  ["JSON.parse, which rounds", JSON.parse],
] as const

const report = (first: string, rows: ReadonlyArray<readonly [name: string, millis: ReadonlyArray<number>]>) => {
  const [, slowest] = rows[0]!
  process.stdout.write(`| ${first} | CPU, median | least to most | times less |\n|---|---|---|---|\n`)
  for (const [name, millis] of rows) {
    const range = `${Math.min(...millis).toFixed(0)} to ${Math.max(...millis).toFixed(0)} ms`
    const times = (median(slowest) / median(millis)).toFixed(1)
    process.stdout.write(`| ${name} | ${median(millis).toFixed(0)} ms | ${range} | ${times} |\n`)
  }
}

process.stdout.write(
  `${cpus().length} cores, Node ${process.version}. ${values.accounts} accounts, ${text.length} bytes, ${values.rounds} rounds.\n\n`,
)

const parsed = PARSERS.map(([name]) => [name, new Array<number>()] as const)
// The first round warms up.
for (let round = 0; round <= Number(values.rounds); round++) {
  for (const [index, [, parse]] of PARSERS.entries()) {
    const from = process.cpuUsage()
    parse(text)
    const { system, user } = process.cpuUsage(from)
    if (round > 0) parsed[index]![1].push((system + user) / 1_000)
  }
}
report("parser", parsed)

const GENESIS = key()
const node = createServer((request, response) => {
  let body = ""
  request.on("data", (chunk) => (body += chunk))
  request.on("end", () => {
    const { id, method } = JSON.parse(body) as { readonly id: string; readonly method: string }
    const result: Readonly<Record<string, string>> = {
      getGenesisHash: `"${GENESIS}"`,
      getLatestBlockhash: `{"context":{"slot":1},"value":{"blockhash":"${GENESIS}","lastValidBlockHeight":151}}`,
      getSlot: "1",
      getProgramAccounts: accounts,
    }
    response.end(`{"jsonrpc":"2.0","result":${result[method]},"id":${JSON.stringify(id)}}`)
  })
})
await new Promise<void>((listening) => node.listen(0, "127.0.0.1", listening))
const url = `http://127.0.0.1:${(node.address() as AddressInfo).port}`

const checkouts = [
  ...(values.against === undefined ? [] : [["before", resolve(values.against)] as const]),
  ["now", join(import.meta.dirname, "../..")] as const,
]
const called = []
for (const [name, checkout] of checkouts) {
  const child = fork(join(import.meta.dirname, "ParsingMain.ts"), [checkout, url])
  await answerOf(child)
  called.push({ name, child, millis: new Array<number>() })
}
for (let round = 0; round <= Number(values.rounds); round++) {
  for (const { child, millis } of called) {
    const answer = await ask<{ readonly accounts: number; readonly cpuMillis: number }>(child, "scan")
    if (answer.accounts !== CALLED) throw new Error("accounts are missing")
    if (round > 0) millis.push(answer.cpuMillis)
  }
}
process.stdout.write("\n")
report(
  `the whole call, ${CALLED} accounts`,
  called.map(({ millis, name }) => [name, millis]),
)
for (const { child } of called) child.disconnect()
node.close()
node.closeAllConnections()
