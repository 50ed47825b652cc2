import { mkdtempSync, rmSync } from "node:fs"
import { request as httpRequest } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { encodeBase58 } from "@launch-registry/solana/Base58"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { checkedFetch } from "./ContractCheck.ts"
import { answering, freePort, run as start, type Running } from "./RunningService.ts"

const children: Array<Running> = []

/** Starts a service that does not outlive the tests. */
const run = (environment: Readonly<Record<string, string>>): Running => {
  const running = start(environment)
  children.push(running)
  return running
}

const mintOf = (index: number) =>
  encodeBase58(Uint8Array.from({ length: 32 }, (_, at) => (at < 4 ? (index >> (8 * at)) & 255 : 9)))

describe("The process in local mode", () => {
  let folder = ""
  let url = ""
  let environment: Record<string, string> = {}

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "registry-process-"))
    const port = await freePort()
    url = `http://127.0.0.1:${port}`
    environment = { DATA_FOLDER: folder, PORT: String(port) }
  })

  afterAll(async () => {
    // A test that failed half-way leaves no service and no database server behind.
    for (const { ended, process: child } of children) {
      child.kill("SIGTERM")
      await ended
    }
    rmSync(folder, { recursive: true, force: true })
  })

  it("prints what is embedded, where its data is and what to open, and exits with 0 when asked to stop", async () => {
    const running = run(environment)
    await answering(running, url)
    while (!running.output().includes("/docs")) await new Promise((resolve) => setTimeout(resolve, 10))
    for (const part of ["PostgreSQL", folder, "local chain at http://127.0.0.1", `${url}/docs`])
      assert.include(running.output(), part)
    const popular = (await (await checkedFetch(`${url}/api/tokens/popular`)).json()) as { success: boolean }
    assert.isTrue(popular.success)
    running.process.kill("SIGTERM")
    assert.strictEqual(await running.ended, 0, running.output())
  })

  it("finishes a request in flight when it is asked to stop", async () => {
    const running = run(environment)
    await answering(running, url)
    const body = JSON.stringify({
      name: "Last",
      symbol: "L",
      totalSupply: "1",
      decimals: 6,
      mintAddress: mintOf(1_000_000),
      owner: mintOf(0),
      launchpad: "launchpad_a",
    })
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const headers = { "content-type": "application/json", "content-length": body.length, expect: "100-continue" }
      const request = httpRequest(`${url}/api/tokens`, { method: "POST", headers }, (response) =>
        resolve(response.statusCode),
      )
      request.on("error", reject)
      request.on("continue", () => {
        request.write(body.slice(0, 20))
        running.process.kill("SIGTERM")
        // The rest is sent once the service accepts no more connections, so it is certainly stopping.
        const finish = (): Promise<unknown> => fetch(`${url}/livez`).then(finish, () => request.end(body.slice(20)))
        void finish()
      })
      request.flushHeaders()
    })
    assert.strictEqual(status, 201)
    assert.strictEqual(await running.ended, 0, running.output())
  })
})
