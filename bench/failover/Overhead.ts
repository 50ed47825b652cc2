import { contenderOf } from "./Contenders.ts"
import { GENESIS } from "./Scenarios.ts"
import { StandIn } from "./StandIn.ts"

/**
 * The failover's overhead per call without faults: the same call through kit alone and through the failover, alternately,
 * in one process, to the same node.
 */
const ROUNDS = 4_000
const WARM_UP = 500
const CONCURRENCY = [1, 16] as const

const nodes = [new StandIn(1), new StandIn(2)] as const
for (const node of nodes) await node.start(GENESIS)
for (const node of nodes) node.behave("instant")
const urls = nodes.map(({ url }) => url)
const contenders = (["single", "ours"] as const).map((name) => ({
  name,
  contender: contenderOf(name, urls, GENESIS),
  millis: new Array<number>(),
}))

const quantile = (sorted: ReadonlyArray<number>, share: number) => sorted[Math.ceil(sorted.length * share) - 1]!

let n = 0
process.stdout.write("| calls at once | through | p50 | p99 |\n|---|---|---|---|\n")
for (const atOnce of CONCURRENCY) {
  for (const each of contenders) each.millis.length = 0
  for (let round = 0; round < ROUNDS / atOnce + WARM_UP; round++) {
    for (const { contender, millis } of contenders) {
      await Promise.all(
        Array.from({ length: atOnce }, async () => {
          const from = performance.now()
          await contender.read(++n)
          if (round >= WARM_UP) millis.push(performance.now() - from)
        }),
      )
    }
  }
  for (const { millis, name } of contenders) {
    const sorted = millis.toSorted((left, right) => left - right)
    const through = name === "ours" ? "the failover" : "kit alone"
    process.stdout.write(
      `| ${atOnce} | ${through} | ${quantile(sorted, 0.5).toFixed(3)} ms | ${quantile(sorted, 0.99).toFixed(3)} ms |\n`,
    )
  }
}
for (const { contender } of contenders) await contender.close()
for (const node of nodes) node.stop()
process.exit()
