import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { SEEDED_POOLS } from "@launch-registry/chain/localnet/SeedAccounts"
import { withNewCluster } from "@launch-registry/migrations/NewCluster"
import { createSolanaRpc } from "@solana/kit"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { commandFile } from "./CommandFile.ts"
import { commandOutput } from "./CommandOutput.ts"
import { announcedChain, answering, freePort, run, type Running } from "./RunningService.ts"
import { answerOf, until } from "./UntilAnswer.ts"

const INDEXER = commandFile("indexer")
/** The captured launch that a client registers. */
const REGISTERED = SEEDED_POOLS[1]!
const TRADES = `/api/launch/pool/${SEEDED_POOLS[0]!.baseMint}/trades`
const FINALITIES = ["finalized", "finalized", "finalized", "finalized"]

const command = async (environment: Readonly<Record<string, string>>, ...args: ReadonlyArray<string>) => {
  const { err, out } = await commandOutput(INDEXER, args, environment)
  return out + err
}

describe("The chain of a service", () => {
  let folder = ""
  let url = ""
  let environment: Record<string, string> = {}
  const children: Array<Running> = []

  const started = async (more: Readonly<Record<string, string>> = {}) => {
    const running = run({ ...environment, ...more })
    children.push(running)
    await answering(running, url)
    return running
  }
  const refused = async (more: Readonly<Record<string, string>>) => {
    const running = run({ ...environment, ...more })
    children.push(running)
    assert.strictEqual(await running.ended, 1, running.output())
    return running.output()
  }
  const stop = async ({ ended, process: child }: Running, signal: NodeJS.Signals) => {
    child.kill(signal)
    await ended
  }
  const chainOf = async (running: Running) => createSolanaRpc(await announcedChain(running))
  const finalities = async () =>
    ((await answerOf(`${url}${TRADES}`)).data as ReadonlyArray<{ finality: string }> | undefined)?.map(
      ({ finality }) => finality,
    ) ?? []
  const untilProven = () => until(async () => (await finalities()).join() === FINALITIES.join())

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "registry-chain-"))
    const port = await freePort()
    url = `http://127.0.0.1:${port}`
    environment = {
      ...{ DATA_FOLDER: withNewCluster(folder), PORT: String(port), PROGRAMS_FOLDER: join(folder, "none") },
      INDEXER_RECONCILE_SECONDS: "1",
    }
  })

  afterAll(async () => {
    for (const running of children) await stop(running, "SIGTERM")
    rmSync(folder, { recursive: true, force: true })
  })

  it("is refused when the database has the index of another one, until that is forgotten", async () => {
    const { baseMint: mintAddress, creator: owner, name, symbol } = REGISTERED
    const token = { name, symbol, totalSupply: "1000000000", decimals: 6, launchpad: "launchpad_a" }
    const running = await started()
    const genesisHash = await (await chainOf(running)).getGenesisHash().send()
    const registered = await answerOf(`${url}/api/tokens`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ...token, mintAddress, owner }),
    })
    assert.isTrue(registered.success, JSON.stringify(registered))
    await untilProven()
    assert.include(await command(environment, "forget-chain", "--yes"), "is in use by process")
    const database = `postgres://registry@localhost/registry?host=${folder}/postgres/sockets`
    assert.include(await command({ DATABASE_URL: database }, "forget-chain", "--yes"), "stop the service")
    assert.strictEqual((await finalities()).length, 4)
    await stop(running, "SIGKILL")

    const devnet = { NETWORK: "devnet", RPC_URL: "http://127.0.0.1:9" }
    const output = await refused(devnet)
    for (const part of [genesisHash, "EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG", "DATABASE_URL", "forget-chain"])
      assert.include(output, part)
    assert.notInclude(output, "at ")

    assert.include(await command(environment, "forget-chain"), "forget-chain --yes")
    // The killed service holds the lease for some more seconds.
    let forgotten = ""
    await until(async () => (forgotten = await command(environment, "forget-chain", "--yes")).includes("Forgotten"))
    assert.include(forgotten, genesisHash)
    assert.match(forgotten, /^trades: \d+ rows$/m)
    const other = await started(devnet)
    const { data: index } = await answerOf(`${url}/api/system/indexer`)
    assert.deepInclude(index, { slot: null, coverage: [], finalizedSlot: null })
    assert.strictEqual((await answerOf(`${url}/api/tokens/mint/${REGISTERED.baseMint}`)).data.name, REGISTERED.name)
    await until(async () => (await answerOf(`${url}/api/system/indexer`)).data.leader !== null)
    await until(async () => /INDEXER_SOURCE is off/.test((await answerOf(url)).data.indexer.detail))
    await stop(other, "SIGTERM")
    assert.include(await refused({}), "forget-chain --yes")
    await command(environment, "forget-chain", "--yes")
  })

  it("runs in one process; its embedded database starts over where the local chain is missing, and says so", async () => {
    const first = await started()
    await untilProven()
    const { data: index } = await answerOf(`${url}/api/system/indexer`)
    assert.deepInclude(index, { gaps: [], dropped: 0, deadLetters: 0 })
    // What is embedded, where its data is, and what to open.
    await until(() => first.output().includes("/docs"))
    for (const part of ["PostgreSQL", folder, "local chain at http://127.0.0.1", `${url}/docs`])
      assert.include(first.output(), part)
    const database = `postgres://registry@localhost/registry?host=${folder}/postgres/sockets`
    const second = await refused({ DATABASE_URL: database, PORT: String(await freePort()) })
    assert.match(second, /local chain in \S+ is in use by process \d+/)
    const genesisHash = await (await chainOf(first)).getGenesisHash().send()
    await stop(first, "SIGTERM")

    rmSync(join(folder, "chain"), { recursive: true })
    const other = await started()
    assert.include(other.output(), `The indexed local chain with genesis hash ${genesisHash}`)
    await untilProven()
    assert.notStrictEqual(await (await chainOf(other)).getGenesisHash().send(), genesisHash)
    assert.strictEqual((await answerOf(`${url}/api/tokens/mint/${REGISTERED.baseMint}`)).data.name, REGISTERED.name)
    await stop(other, "SIGTERM")
  })
})
