import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { Pool } from "undici"
import { ServiceProcess } from "../fuzz/ServiceProcess.ts"

/** CPU time of the service for a request, of this checkout and another one in turn. */
const { values } = parseArgs({
  options: {
    against: { type: "string" },
    rounds: { type: "string", default: "7" },
    requests: { type: "string", default: "10000" },
    connections: { type: "string", default: "16" },
    port: { type: "string", default: "34101" },
    "access-log": { type: "boolean", default: false },
  },
})
const say = (text: string) => void process.stdout.write(`${text}\n`)
const [rounds, requests, connections] = [values.rounds, values.requests, values.connections].map(Number) as [
  number,
  number,
  number,
]
const TOKEN = {
  ...{ name: "Bench", symbol: "B", totalSupply: "1", decimals: 6, launchpad: "launchpad_a" },
  ...{ mintAddress: "So11111111111111111111111111111111111111112" },
  owner: "2gPJHzn5khcuAjvLQxyVVyLDTAyvj1Xx8chWb4PPg1CR",
}

const folder = mkdtempSync(join(tmpdir(), "registry-bench-"))
const checkouts = [
  ["here", join(import.meta.dirname, "../..")] as const,
  ...(values.against === undefined ? [] : [["against", values.against] as const]),
]
// Each line of a log goes to a pipe that is read here, as a container's does.
const logs = { LOG_LEVEL: "info", ACCESS_LOG: "true", RUN_MODE: "local" }
const contestants = await Promise.all(
  checkouts.map(async ([name, checkout], index) => {
    const service = await ServiceProcess.start({
      ...{ checkout, port: Number(values.port) + index, dataFolder: join(folder, name) },
      environment: values["access-log"] ? logs : {},
    })
    const pool = new Pool(service.url, { connections })
    const headers = { "content-type": "application/json" }
    const made = await pool.request({ path: "/api/tokens", method: "POST", headers, body: JSON.stringify(TOKEN) })
    const { data } = (await made.body.json()) as { readonly data: { readonly id: string } }
    return {
      name,
      service,
      pool,
      paths: ["/livez", `/api/tokens/${data.id}`],
      figures: new Map<string, Array<number>>(),
    }
  }),
)

/** Microseconds of CPU for a request. */
const measured = async ({ pool, service }: (typeof contestants)[number], path: string, count: number) => {
  let left = count
  const before = service.cpuMillis
  const ask = async () => {
    while (left-- > 0) {
      const { body, statusCode } = await pool.request({ path, method: "GET" })
      await body.dump()
      if (statusCode !== 200) throw new Error(`${path}: ${statusCode}`)
    }
  }
  await Promise.all(Array.from({ length: connections }, ask))
  return ((service.cpuMillis - before) * 1_000) / count
}

const median = (sorted: ReadonlyArray<number>) => sorted[Math.floor(sorted.length / 2)]!

try {
  for (let round = -1; round < rounds; round++)
    for (const at of [0, 1])
      for (const one of round % 2 === 0 ? contestants : contestants.toReversed()) {
        const micros = await measured(one, one.paths[at]!, requests)
        // The first round warms up.
        if (round < 0) continue
        const label = at === 0 ? "/livez" : "/api/tokens/:id"
        one.figures.set(label, [...(one.figures.get(label) ?? []), micros])
      }
  say(`CPU of the service per request in µs: median (least to most) of ${rounds} rounds of ${requests} requests`)
  for (const { figures, name } of contestants)
    for (const [label, all] of figures) {
      const sorted = all.toSorted((a, b) => a - b)
      const [least, most] = [sorted[0]!, sorted.at(-1)!].map((micros) => micros.toFixed(1))
      say(`${name.padEnd(8)} ${label.padEnd(16)} ${median(sorted).toFixed(1)} (${least} to ${most})`)
    }
} finally {
  for (const { pool, service } of contestants) {
    await pool.close()
    await service.stop()
  }
  rmSync(folder, { recursive: true, force: true })
}
