import { fork } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { cpus, tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { parseArgs } from "node:util"
import { heldMint, withHeldMints } from "../../packages/chain/test/launch/HeldMints.ts"
import { StandInNode } from "../../packages/chain/test/rpc/StandInNode.ts"
import { freePort } from "../../packages/service/test/RunningService.ts"
import { tokenDraft } from "../../packages/service/test/Samples.ts"
import { ask } from "../ChildAnswer.ts"
import { ServiceProcess } from "../fuzz/ServiceProcess.ts"

/**
 * What the holders of mints with many token accounts cost a service: CPU, the most memory it ever had, and the longest that `/livez` took, of
 * another checkout first (`--against`). The mints are registered, so that all their accounts are looked for.
 */
const { values } = parseArgs({
  options: { against: { type: "string" }, sizes: { type: "string", default: "3500,20000,235000" } },
})

const AT_ONCE = 8
const [SETTLED_MILLIS, LONGEST_MILLIS] = [1_500, 300_000]
const PROBE = join(import.meta.dirname, "../fuzz/LatencyProbeMain.ts")

const node = withHeldMints(await new StandInNode().start())
const sizes = values.sizes.split(",").map(Number)
const scenes = sizes.flatMap((size) => [
  { name: `${size} accounts, one request`, mints: [size] },
  // A scan of the largest alone takes a gigabyte and more.
  ...(size > 100_000
    ? []
    : [
        {
          name: `${size} accounts, ${AT_ONCE} mints at once`,
          mints: Array.from({ length: AT_ONCE }, (_, nth) => size + 1 + nth),
        },
      ]),
])
// Texts are made before anything is measured.
for (const mint of scenes.flatMap(({ mints }) => mints)) {
  const filters = [{}, { memcmp: { bytes: heldMint(mint) } }]
  const body = JSON.stringify({ jsonrpc: "2.0", id: "warm", method: "getProgramAccounts", params: ["", { filters }] })
  await fetch(node.url, { method: "POST", body }).then((response) => response.arrayBuffer())
}

process.stdout.write(`${cpus().length} cores, Node ${process.version}.\n`)
const checkouts = [
  ...(values.against === undefined ? [] : [["before", resolve(values.against)] as const]),
  ["now", join(import.meta.dirname, "../..")] as const,
]
process.stdout.write("| | scene | answers | CPU | VmHWM | longest /livez | at rest |\n|---|---|---|---|---|---|---|\n")
for (const [name, checkout] of checkouts)
  for (const { mints, name: scene } of scenes) {
    const dataFolder = mkdtempSync(join(tmpdir(), "registry-holders-"))
    const service = await ServiceProcess.start({
      ...{ checkout, dataFolder, port: await freePort() },
      environment: {
        ...{ NETWORK: "localnet", RPC_URL: node.url, RPC_GENESIS_HASH: "any" },
        // As the image has it.
        NODE_OPTIONS: "--max-semi-space-size=24",
      },
    })
    for (const mint of mints) {
      const body = JSON.stringify(tokenDraft({ mintAddress: heldMint(mint) }))
      const headers = { "content-type": "application/json" }
      const { status } = await fetch(`${service.url}/api/tokens`, { method: "POST", headers, body })
      if (status !== 201) throw new Error(`not registered: ${status}`)
    }
    const resting = fork(PROBE, [`${service.url}/livez`])
    await sleep(SETTLED_MILLIS)
    const atRest = await ask<number>(resting, "longest")
    resting.kill()
    const probe = fork(PROBE, [`${service.url}/livez`])
    await sleep(SETTLED_MILLIS)
    const from = service.cpuMillis
    const answers = await Promise.all(
      mints.map(async (mint) => {
        const signal = AbortSignal.timeout(LONGEST_MILLIS)
        const response = await fetch(`${service.url}/api/tokens/holders/${heldMint(mint)}?limit=1000`, { signal })
        const body = (await response.json()) as { readonly data?: ReadonlyArray<string>; readonly isWhole?: boolean }
        return `${response.status}${body.data === undefined ? "" : ` ${body.data.length}${body.isWhole === true ? "" : ", cut"}`}`
      }),
    )
    const cpu = service.cpuMillis - from
    const longest = await ask<number>(probe, "longest")
    const found = [...new Set(answers)].join("; ")
    process.stdout.write(
      `| ${name} | ${scene} | ${found} | ${cpu} ms | ${service.peakMib} MiB | ${longest.toFixed(0)} ms | ${atRest.toFixed(0)} ms |\n`,
    )
    probe.kill()
    await service.stop()
    rmSync(dataFolder, { recursive: true, force: true })
  }
await node.die()
