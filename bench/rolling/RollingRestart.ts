import { cpus } from "node:os"
import { parseArgs } from "node:util"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Effect, Logger } from "effect"
import { rollingRound } from "../../packages/service/test/rolling/RollingRound.ts"

/**
 * Restarts two replicas in turn behind a balancer of TCP connections, under steady reads and writes of a client that tries
 * nothing twice. Exits with 1 when a request failed.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "3" },
    workers: { type: "string", default: "16" },
    pause: { type: "string", default: "20" },
    delay: { type: "string", default: "5" },
    check: { type: "string", default: "500" },
    between: { type: "string", default: "500" },
  },
})
const [rounds, workers, pauseMillis, delaySeconds, checkMillis, requestsBetween] = [
  ...[values.rounds, values.workers, values.pause, values.delay, values.check, values.between],
].map(Number) as [number, number, number, number, number, number]

const say = (text: string) => void process.stdout.write(`${text}\n`)
const rounded = (all: ReadonlyArray<number>) => all.map((millis) => `${(millis / 1000).toFixed(1)} s`).join(", ")

const main = Effect.gen(function* () {
  say(
    `${rounds} rounds, ${workers} workers, ${pauseMillis} ms between their requests, ${delaySeconds} s of notice, readiness ` +
      `asked every ${checkMillis} ms; ${cpus().length} cores, Node ${process.version}.`,
  )
  const figures = yield* rollingRound({
    ...{ rounds, workers, pauseMillis, delaySeconds, checkMillis, requestsBetween },
  })
  const { connections, exitCodes, failures, millis, requests, rows, startMillis, stopMillis, targets, writes } = figures
  const failed = [...failures.values()].reduce((sum, times) => sum + times, 0)
  const at = (share: number) => `${millis[Math.floor((millis.length - 1) * share)]!.toFixed(1)} ms`
  say(`requests ${requests}, of which ${failed} failed; writes acknowledged ${writes}, found ${rows}`)
  say(
    `p50 ${at(0.5)}, p99 ${at(0.99)}, slowest ${at(1)}; ${connections} connections, by replica ${targets.join(" and ")}`,
  )
  say(`stops ${rounded(stopMillis)}; starts until ready ${rounded(startMillis)}; exit codes ${exitCodes.join(", ")}`)
  for (const [failure, times] of failures) say(`failed ${times} times: ${failure}`)
  if (failed > 0 || rows < writes || exitCodes.some((code) => code !== 0)) process.exitCode = 1
})

NodeRuntime.runMain(Effect.scoped(main).pipe(Effect.provide(Logger.layer([]))))
