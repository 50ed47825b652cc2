import { mkdtempSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { parseArgs } from "node:util"
import { bundle } from "../../bundle/Bundle.ts"
import { freePort } from "../../packages/service/test/RunningService.ts"
import { BenchDatabase, clientOf } from "../ingest/BenchDatabase.ts"
import { ServiceProcess } from "../fuzz/ServiceProcess.ts"
import { IMAGE_NODE_OPTIONS } from "../lifecycle/ImageOptions.ts"
import { fillTokens } from "./ManyTokens.ts"

/** Memory of a process of role `api`, from the bundle of the image and with its options, at rest and while it streams the list of all tokens, some times. */
const { values } = parseArgs({
  options: {
    tokens: { type: "string", default: "1000000" },
    times: { type: "string", default: "3" },
    "node-options": { type: "string", default: IMAGE_NODE_OPTIONS },
  },
})

const say = (text: string) => void process.stdout.write(`${text}\n`)
const REST_MILLIS = 4_000
const PAGES = 2_000

const folder = mkdtempSync(join(tmpdir(), "registry-whole-"))
const database = await BenchDatabase.start()
try {
  await bundle(join(folder, "dist"))
  symlinkSync(join(import.meta.dirname, "../../node_modules"), join(folder, "node_modules"))
  await database.renew()
  const client = clientOf(database.address)
  await client.connect()
  await fillTokens(client, Number(values.tokens))
  await client.end()
  const { database: name, socketDirectory, username } = database.address
  const service = await ServiceProcess.start({
    ...{ checkout: folder, main: "dist/service.mjs", port: await freePort(), dataFolder: "" },
    environment: {
      DATABASE_URL: `postgres://${username}@localhost/${name}?host=${socketDirectory}`,
      ...{ ROLE: "api", NETWORK: "localnet", RPC_URL: "http://127.0.0.1:9", RPC_GENESIS_HASH: "any" },
      NODE_OPTIONS: values["node-options"],
    },
  })
  try {
    await pause(REST_MILLIS)
    say(`${values.tokens} tokens; at rest ${service.residentMib} MiB`)
    for (let page = 0; page < PAGES; page++)
      await (await fetch(`${service.url}/api/tokens?limit=20&offset=${page % 100}`)).arrayBuffer()
    for (let time = 0; time < Number(values.times); time++) {
      const before = service.residentMib
      service.resetPeak()
      const startedAt = performance.now()
      let bytes = 0
      for await (const chunk of (await fetch(`${service.url}/api/tokens`)).body!) bytes += chunk.length
      const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1)
      say(`before ${before} MiB, ${(bytes / 1e6).toFixed(0)} MB in ${seconds} s, at most ${service.peakMib} MiB`)
    }
  } finally {
    await service.stop()
  }
} finally {
  await database.stop()
  rmSync(folder, { recursive: true, force: true })
}
