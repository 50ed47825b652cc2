import { createServer } from "node:http"
import { setTimeout as sleep } from "node:timers/promises"
import { empty } from "@launch-registry/migrations/TestDatabase"
import { TestDoor } from "@launch-registry/migrations/TestDoor"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { generateChain } from "../../indexer/fixtures/GenerateTransactions.ts"
import { StandInCluster } from "../../indexer/test/StandInCluster.ts"
import { checkedFetch } from "./ContractCheck.ts"
import { answering, freePort, run } from "./RunningService.ts"

const { blocks } = generateChain({ seed: 7, slots: 20, transactionsPerSlot: 3, isLarge: false })
const [FIRST, HALF, LAST] = [blocks[0]!.slot, blocks[10]!.slot, blocks.at(-1)!.slot]
/** A server that starts: however long that takes, it is waited for. */
const STARTS = "57P03"

/** A node that comes and goes at one address. */
const node = Effect.gen(function* () {
  const cluster = new StandInCluster().put(blocks).finalize(FIRST - 1)
  cluster.confirmedSlot = LAST
  const port = yield* Effect.promise(freePort)
  const server = createServer((request, response) => {
    let text = ""
    request.on("data", (chunk) => (text += chunk))
    request.on("end", () => cluster.answer(JSON.parse(text) as never, response))
  })
  const leave = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  const come = () => new Promise<void>((resolve) => void server.listen(port, "127.0.0.1", resolve))
  yield* Effect.addFinalizer(() => Effect.promise(leave))
  return { cluster, come, leave, url: `http://127.0.0.1:${port}` }
})

// oxlint-disable-next-line typescript/no-explicit-any
const until = async (url: string, holds: (answer: any) => boolean): Promise<void> => {
  while (
    !(await checkedFetch(url).then(
      async (response) => holds(await response.json()),
      () => false,
    ))
  )
    await sleep(50)
}

describe("Database and chain", () => {
  it.live.each(["database", "chain"])("may be late, away and back in any order (the %s comes first)", (first) =>
    Effect.gen(function* () {
      const door = yield* TestDoor.make
      door.shut(STARTS)
      const chain = yield* node
      const database = Redacted.value(door.addressOf(yield* empty).url)
      const port = yield* Effect.promise(freePort)
      const url = `http://127.0.0.1:${port}`
      const service = yield* Effect.acquireRelease(
        Effect.sync(() =>
          run({
            ...{ DATABASE_URL: database, PORT: String(port), RPC_URL: chain.url, RPC_GENESIS_HASH: "any" },
            ...{ INDEXER_SOURCE: "poll", INDEXER_RECONCILE_SECONDS: "1" },
          }),
        ),
        ({ process: child }) => Effect.sync(() => child.kill("SIGKILL")),
      )
      const isProven = (slot: number) =>
        until(`${url}/api/system/indexer`, ({ data }) => data?.watermarkSlot === String(slot))
      const isRefused = async () => {
        for (const refused = door.refused + 3; door.refused < refused;) await sleep(10)
      }
      yield* Effect.promise(async () => {
        if (first === "chain") await chain.come()
        await isRefused()
        door.open()
        await answering(service, url)
        await until(`${url}/readyz`, ({ success }) => success)
        if (first === "database") {
          await until(url, ({ data }) => data.rpc.status === "down")
          await chain.come()
        }
        await until(`${url}/api/system/indexer`, ({ data }) => data?.finalizedSlot === String(FIRST - 1))
        chain.cluster.finalize(HALF)
        await isProven(HALF)

        // Away in the order in which they came, and back in the other.
        const away = [() => door.shut(STARTS), chain.leave]
        for (const leave of first === "chain" ? away.toReversed() : away) await leave()
        await until(`${url}/readyz`, ({ code }) => code === "not_ready")
        chain.cluster.finalize(LAST)
        await isRefused()
        const back = [() => door.open(), chain.come]
        for (const come of first === "chain" ? back : back.toReversed()) await come()
        await isProven(LAST)
        await until(`${url}/readyz`, ({ success }) => success)
        service.process.kill("SIGTERM")
        assert.strictEqual(await service.ended, 0, service.output())
      })
    }).pipe(Effect.scoped),
  )
})
