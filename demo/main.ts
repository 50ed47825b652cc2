/** `pnpm demo`: launches, trades and graduations on a local chain, by generated wallets through the API. */
import { parseArgs } from "node:util"
import { Cluster } from "./Cluster.ts"
import { playDemo } from "./Demo.ts"
import { Registry } from "./Registry.ts"

const USAGE = `pnpm demo [options]: launches tokens on the local chain of a running service, and trades them

  --api URL        the service; http://localhost:3001 by default
  --chain URL      the RPC of its local chain; http://127.0.0.1:8899 by default, the start prints it
  --launches N     tokens to launch, 1 to 100; 3 by default
  --graduate N     how many of them complete their curve and migrate; 1 by default
  --wallets N      wallets that trade, 1 to 1000; 10 by default
  --trades N       trades to make, 0 to 100000; 60 by default
  --rate N         trades a second, 0.1 to 100; 2 by default

Where writes need a key, API_KEY has it.
`

const say = (line: string) => void process.stdout.write(`${line}\n`)

/** Ends with a message for the caller. */
const fail = (message: string, code: number): never => {
  process.stderr.write(`${message}\n`)
  process.exit(code)
}

const options = (() => {
  try {
    const text = (fallback: string) => ({ type: "string", default: fallback }) as const
    return parseArgs({
      options: {
        ...{ api: text("http://localhost:3001"), chain: text("http://127.0.0.1:8899"), launches: text("3") },
        ...{ graduate: text("1"), wallets: text("10"), trades: text("60"), rate: text("2") },
        help: { type: "boolean", default: false },
      },
    }).values
  } catch (error) {
    return fail(`${(error as Error).message}\n\n${USAGE}`, 2)
  }
})()
if (options.help) {
  say(USAGE)
  process.exit(0)
}

const number = (name: "launches" | "graduate" | "wallets" | "trades" | "rate", minimum: number, maximum: number) => {
  const value = Number(options[name])
  const isWhole = name === "rate" || Number.isInteger(value)
  return isWhole && value >= minimum && value <= maximum
    ? value
    : fail(`--${name}: expected a number from ${minimum} to ${maximum}\n\n${USAGE}`, 2)
}
const url = (name: "api" | "chain") =>
  URL.canParse(options[name]) ? options[name] : fail(`--${name}: expected a URL\n\n${USAGE}`, 2)

const launches = number("launches", 1, 100)
const play = {
  ...{ launches, graduate: number("graduate", 0, launches), wallets: number("wallets", 1, 1_000) },
  ...{ trades: number("trades", 0, 100_000), rate: number("rate", 0.1, 100), say },
}
const registry = new Registry(url("api"), process.env.API_KEY)
const cluster = new Cluster(url("chain"))

const { network } = await registry
  .read<{ readonly network: string }>("/")
  .catch(() => fail(`No service answers at ${registry.url}: start one with pnpm start, or name it with --api`, 1))
if (network !== "localnet")
  fail(`The service at ${registry.url} is of ${network}: the demo is for local chains alone`, 1)
const executes = await cluster
  .executesDbc()
  .catch(() => fail(`No local chain answers at ${cluster.url}: the service prints its URL, name it with --chain`, 1))
if (!executes)
  fail(
    `The local chain at ${cluster.url} cannot execute DBC transactions: the DBC program is not loaded. ` +
      "Start the service with CLONE_PROGRAMS=<URL of a mainnet RPC>, or put the files into programs/ that docs/operations.md, " +
      "Local mode, names, and start it again",
    1,
  )

try {
  for (const { baseMint, hasGraduated, indexed, symbol, trades } of await playDemo(registry, cluster, play)) {
    say(`${symbol}: ${trades} trades${hasGraduated ? ", graduated" : ""}; ${indexed} of them indexed`)
    say(`  ${registry.url}/t/${baseMint}`)
    if (indexed < Math.min(trades, 1_000)) process.exitCode = 1
  }
  say(`Popular now: ${registry.url}/api/tokens/popular?interval=5m&include=market`)
} catch (error) {
  fail(error instanceof Error ? error.message : String(error), 1)
}
