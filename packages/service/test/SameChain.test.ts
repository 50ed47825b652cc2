import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { SEEDED_POOLS } from "@launch-registry/chain/localnet/SeedAccounts"
import { withNewCluster } from "@launch-registry/migrations/NewCluster"
import { createSolanaRpc, generateKeyPairSigner, lamports, type Signature } from "@solana/kit"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { transferOf } from "../../chain/test/localnet/Transfer.ts"
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

  it("is the same local chain after a stop and after kill -9: acknowledged transactions are there", async () => {
    const wallet = await generateKeyPairSigner()
    const signatures: Array<Signature> = []
    let genesisHash: string | undefined
    let slot = 0n
    for (const signal of ["SIGTERM", "SIGKILL", "SIGTERM"] as const) {
      const running = await started()
      const chain = await chainOf(running)
      // What is embedded, where its data is, and what to open.
      while (!running.output().includes("/docs")) await new Promise((resolve) => setTimeout(resolve, 10))
      for (const part of ["PostgreSQL", folder, "local chain at http://127.0.0.1", `${url}/docs`])
        assert.include(running.output(), part)
      const found = await chain.getGenesisHash().send()
      genesisHash ??= found
      assert.strictEqual(found, genesisHash)
      assert.isTrue((await chain.getSlot().send()) >= slot)
      if (signatures.length === 0)
        signatures.push(await chain.requestAirdrop(wallet.address, lamports(10_000_000_000n)).send())
      const { value: latest } = await chain.getLatestBlockhash().send()
      const wire = await transferOf(wallet, (await generateKeyPairSigner()).address, 1_000_000_000n, latest)
      signatures.push(await chain.sendTransaction(wire, { encoding: "base64" }).send())
      const { value: statuses } = await chain.getSignatureStatuses(signatures).send()
      assert.isTrue(statuses.every((status) => status?.err === null))
      const sent = BigInt(signatures.length - 1)
      assert.strictEqual((await chain.getBalance(wallet.address).send()).value, 10_000_000_000n - sent * 1_000_005_000n)
      assert.lengthOf(await chain.getSignaturesForAddress(wallet.address).send(), signatures.length - 1)
      slot = await chain.getSlot().send()
      // Captured trades are part of the chain's own history: proven with it, and kept across a restart.
      await untilProven()
      // The lease of a killed process runs out first.
      await until(async () => (await answerOf(url)).data.indexer.status === "up")
      const { indexer } = (await answerOf(url)).data
      assert.match(indexer.detail, /^proven complete up to slot \d+, indexed up to 30000000\d$/)
      const { data: index } = await answerOf(`${url}/api/system/indexer`)
      assert.deepInclude(index, { gaps: [], dropped: 0, deadLetters: 0 })
      await stop(running, signal)
    }
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
    // The lease of the process before it, which was killed, runs out first.
    await until(() => running.output().includes("Leads indexer"))
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

  it("starts over with an embedded database whose local chain is missing, and says so", async () => {
    const first = await started()
    await untilProven()
    const genesisHash = await (await chainOf(first)).getGenesisHash().send()
    await stop(first, "SIGTERM")
    rmSync(join(folder, "chain"), { recursive: true })
    const second = await started()
    assert.include(second.output(), `The indexed local chain with genesis hash ${genesisHash}`)
    await untilProven()
    assert.notStrictEqual(await (await chainOf(second)).getGenesisHash().send(), genesisHash)
    assert.strictEqual((await answerOf(`${url}/api/tokens/mint/${REGISTERED.baseMint}`)).data.name, REGISTERED.name)
    await stop(second, "SIGTERM")
  })

  it("runs in one process: a second one is refused the folder, and another role needs its URL", async () => {
    const database = `postgres://registry@localhost/registry?host=${folder}/postgres/sockets`
    const running = await started()
    const output = await refused({ DATABASE_URL: database, PORT: String(await freePort()) })
    assert.match(output, /local chain in \S+ is in use by process \d+/)
    assert.include(await refused({ ROLE: "api" }), "RPC_URL: expected an endpoint with ROLE=api")
    await stop(running, "SIGTERM")
  })
})
