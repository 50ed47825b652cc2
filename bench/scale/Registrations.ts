import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { parseArgs } from "node:util"
import { freePort } from "../../packages/service/test/RunningService.ts"
import { sampleAddress, tokenDraft } from "../../packages/service/test/Samples.ts"
import { BenchDatabase, clientOf } from "../ingest/BenchDatabase.ts"
import { ServiceProcess } from "../fuzz/ServiceProcess.ts"
import { fillTokens, WORDS } from "./ManyTokens.ts"

/** What an index of `tokens` costs their registration over HTTP: the same registry with and without it, in turns. */
const { values } = parseArgs({
  options: {
    index: { type: "string", default: "tokens_letters" },
    tokens: { type: "string", default: "100000" },
    rounds: { type: "string", default: "10" },
    each: { type: "string", default: "200" },
  },
})

const say = (text: string) => void process.stdout.write(`${text}\n`)
const median = (all: ReadonlyArray<number>) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)]!

interface Contestant {
  readonly name: string
  readonly service: ServiceProcess
  readonly millis: Array<number>
  readonly serviceCpu: Array<number>
  readonly databaseCpu: Array<number>
}

let count = 0
const word = () => WORDS[(count++ * 7_919) % WORDS.length]!

const register = async ({ service }: Contestant) => {
  const draft = tokenDraft({
    ...{ mintAddress: sampleAddress(), symbol: word().toUpperCase(), name: `${word()} ${word()}` },
    description: Array.from({ length: 20 }, word).join(" "),
  })
  const answer = await fetch(`${service.url}/api/tokens`, {
    ...{ method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(draft) },
  })
  if (answer.status !== 201) throw new Error(await answer.text())
  await answer.arrayBuffer()
}

const database = await BenchDatabase.start()
const contestants: Array<Contestant> = []
try {
  const { socketDirectory, username } = database.address
  for (const name of ["without", "with"]) {
    await database.copy(`registry_${name}`)
    const client = clientOf({ ...database.address, database: `registry_${name}` })
    await client.connect()
    await fillTokens(client, Number(values.tokens))
    if (name === "without") await client.query(`drop index ${values.index}`)
    await client.end()
    const service = await ServiceProcess.start({
      ...{ checkout: join(import.meta.dirname, "../.."), port: await freePort(), dataFolder: "" },
      environment: {
        DATABASE_URL: `postgres://${username}@localhost/registry_${name}?host=${socketDirectory}`,
        ...{ ROLE: "api", NETWORK: "localnet", RPC_URL: "http://127.0.0.1:9", RPC_GENESIS_HASH: "any" },
      },
    })
    contestants.push({ name, service, millis: [], serviceCpu: [], databaseCpu: [] })
  }
  // Services read all names of a registry that is new to them, the one that started later for longer.
  for (let idle = 0; idle < 3;) {
    const before = database.cpuMillis()
    await setTimeout(2_000)
    idle = database.cpuMillis() - before < 200 ? idle + 1 : 0
  }
  for (let round = -1; round < Number(values.rounds); round++)
    for (const one of round % 2 === 0 ? contestants : contestants.toReversed()) {
      const [startedAt, cpu, databaseCpu] = [performance.now(), one.service.cpuMillis, database.cpuMillis()]
      for (let nth = 0; nth < Number(values.each); nth++) await register(one)
      // The first round warms up.
      if (round < 0) continue
      const perRequest = (millis: number) => millis / Number(values.each)
      one.millis.push(perRequest(performance.now() - startedAt))
      one.serviceCpu.push(perRequest(one.service.cpuMillis - cpu))
      one.databaseCpu.push(perRequest(database.cpuMillis() - databaseCpu))
    }
  say(
    `| ${values.index} | ms of a registration | CPU of the service, ms | CPU of PostgreSQL, ms |\n|---|---:|---:|---:|`,
  )
  for (const { databaseCpu, millis, name, serviceCpu } of contestants)
    say(
      `| ${name} | ${median(millis).toFixed(2)} | ${median(serviceCpu).toFixed(2)} | ${median(databaseCpu).toFixed(2)} |`,
    )
} finally {
  for (const { service } of contestants) await service.stop()
  await database.stop()
}
