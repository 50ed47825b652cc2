import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { IpfsReport } from "@launch-registry/domain/ipfs/IpfsReport"
import { withNewCluster } from "@launch-registry/migrations/NewCluster"
import { buildDag } from "@launch-registry/ipfs/Dag"
import { it as itEffect } from "@effect/vitest"
import { Effect } from "effect"
import { afterAll, assert, beforeAll, describe } from "vitest"
import { checkedFetch } from "./ContractCheck.ts"
import { BUCKET, CREDENTIALS, filebaseStandIn } from "../../ipfs/test/filebase/FilebaseStandIn.ts"
import { noisePng } from "./NoisePng.ts"
import { answering, freePort, run, type Running } from "./RunningService.ts"

/** Pixels a side: the file has a little over 1 MiB, so two leaves and the node that links them. */
const SIDE = 1_050

const upload = async (url: string, bytes: Uint8Array): Promise<string | undefined> => {
  const form = new FormData()
  form.append("image", new Blob([Uint8Array.from(bytes)]))
  const response = await checkedFetch(`${url}/api/ipfs/upload-image`, { method: "POST", body: form })
  const { data } = (await response.json()) as { data?: { cid: string } }
  return data?.cid
}

describe("Uploads", () => {
  let folder = ""
  let url = ""
  let environment: Record<string, string> = {}
  const running: Array<Running> = []

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "registry-uploads-"))
    const port = await freePort()
    url = `http://127.0.0.1:${port}`
    environment = { DATA_FOLDER: withNewCluster(folder), PORT: String(port), LOG_LEVEL: "error" }
  })

  afterAll(async () => {
    for (const { ended, process: child } of running) {
      child.kill("SIGTERM")
      await ended
    }
    rmSync(folder, { recursive: true, force: true })
  })

  const started = async (more: Readonly<Record<string, string>> = {}): Promise<Running> => {
    const service = run({ ...environment, ...more })
    running.push(service)
    await answering(service, url)
    return service
  }

  itEffect.live("reach a backend after its outage, also when the process was killed meanwhile", () =>
    Effect.gen(function* () {
      const filebase = yield* filebaseStandIn
      const settings = {
        IPFS_ENDPOINT: filebase.url,
        IPFS_BUCKET: BUCKET,
        IPFS_KEY: CREDENTIALS.key,
        IPFS_SECRET: CREDENTIALS.secret,
        LOG_LEVEL: "info",
      }
      const health = Effect.promise(async () => {
        const response = await checkedFetch(`${url}/api/ipfs/health`)
        return ((await response.json()) as { data: IpfsReport }).data
      })
      const awayFault = { is: "status", status: 503, code: "SlowDown" } as const
      filebase.tell(awayFault)
      const sent = new Map<string, Uint8Array>()
      // Content from before the backend was configured is delivered as well.
      const before = yield* Effect.promise(() => started())
      sent.set((yield* Effect.promise(() => upload(url, noisePng(9_000, 40))))!, noisePng(9_000, 40))
      before.process.kill("SIGTERM")
      yield* Effect.promise(() => before.ended)
      const first = yield* Effect.promise(() => started(settings))
      for (let seed = 9_001; seed <= 9_003; seed++) {
        const bytes = noisePng(seed, seed === 9_002 ? SIDE : 40)
        const cid = yield* Effect.promise(() => upload(url, bytes))
        assert.strictEqual(cid, buildDag(bytes).root.toString())
        sent.set(cid!, bytes)
      }
      while ((yield* health).outboxPending < sent.size) yield* Effect.sleep(20)
      const during = yield* health
      assert.strictEqual(during.backend, "filebase")
      assert.strictEqual(during.outboxPending, sent.size)
      assert.deepInclude(during.backends[0], { name: "filebase", status: "down" })
      first.process.kill("SIGKILL")
      yield* Effect.promise(() => first.ended)
      filebase.forgive()
      const second = yield* Effect.promise(() => started(settings))
      while ((yield* health).outboxPending > 0) yield* Effect.sleep(100)
      for (const [cid, bytes] of sent) {
        const object = filebase.objects.get(`${cid}.car`)
        assert.isTrue(Buffer.from(object!.file).equals(bytes), cid)
      }
      // With the backend up, it has an upload once that is answered.
      const cid = yield* Effect.promise(() => upload(url, noisePng(9_004, 40)))
      assert.isTrue(filebase.objects.has(`${cid}.car`))
      second.process.kill("SIGTERM")
      yield* Effect.promise(() => second.ended)
      for (const { output } of [first, second])
        for (const secret of Object.values(CREDENTIALS)) assert.notInclude(output(), secret)
    }).pipe(Effect.scoped),
  )
})
