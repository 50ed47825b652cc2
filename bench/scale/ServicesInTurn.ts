import { join, resolve } from "node:path"
import { freePort } from "../../packages/service/test/RunningService.ts"
import { ServiceProcess } from "../fuzz/ServiceProcess.ts"
import type { BenchAddress } from "../ingest/BenchDatabase.ts"
import { median } from "../ingest/IngestReport.ts"

/** A service over one registry, and how long its answers took. */
export interface TimedService {
  readonly name: string
  readonly checkout: string
  readonly service: ServiceProcess
  /** Milliseconds by kind of request, of each run. */
  readonly runs: Array<Map<string, Array<number>>>
}

export interface RequestKind {
  readonly name: string
  /** Requests of it; each resolves to its milliseconds. */
  readonly requests: ReadonlyArray<(service: TimedService) => Promise<number>>
}

/** Starts the service of `against`, where there is one, and of this checkout, on a registry of this size. */
export const startServices = async (
  address: BenchAddress,
  size: number,
  against: string | undefined,
): Promise<ReadonlyArray<TimedService>> => {
  const services: Array<TimedService> = []
  for (const checkout of [...(against === undefined ? [] : [against]), join(import.meta.dirname, "../..")]) {
    const { database, socketDirectory, username } = address
    const service = await ServiceProcess.start({
      ...{ checkout: resolve(checkout), port: await freePort(), dataFolder: "" },
      environment: {
        DATABASE_URL: `postgres://${username}@localhost/${database}?host=${socketDirectory}`,
        ...{ ROLE: "api", NETWORK: "localnet", RPC_URL: "http://127.0.0.1:9", RPC_GENESIS_HASH: "any" },
      },
    })
    services.push({ name: `${checkout === against ? "before" : "now"}, ${size}`, checkout, service, runs: [] })
  }
  return services
}

const at = (all: ReadonlyArray<number>, share: number) =>
  all.toSorted((a, b) => a - b)[Math.min(all.length - 1, Math.floor(all.length * share))]!

/** `2.0 / 9.5`: the median and the p99. */
export const quantiles = (all: ReadonlyArray<number>) => `${at(all, 0.5).toFixed(1)} / ${at(all, 0.99).toFixed(1)}`

/** In another order each time, so that no kind meets the garbage collections of services and client again and again. */
const shuffled = <A>(all: ReadonlyArray<A>): ReadonlyArray<A> =>
  all
    .map((value) => ({ value, key: Math.random() }))
    .toSorted((a, b) => a.key - b.key)
    .map(({ value }) => value)

/** Requests that take seconds are sent this often in a run. */
const SLOW_REQUESTS = 5
const SLOW_MILLIS = 500

/** Sends requests of all kinds to all services, one at a time; a round sends each once. A round before them warms up. */
export const ask = async (
  services: ReadonlyArray<TimedService>,
  kinds: ReadonlyArray<RequestKind>,
  runs: number,
  rounds: number,
): Promise<void> => {
  const round = async (took: (service: TimedService, kind: string) => Array<number>) => {
    for (const { name, requests } of shuffled(kinds))
      for (const request of requests)
        for (const service of shuffled(services)) {
          const all = took(service, name)
          if (all.length < SLOW_REQUESTS || at(all, 0.5) <= SLOW_MILLIS) all.push(await request(service))
        }
  }
  await round(() => [])
  for (let run = 0; run < runs; run++) {
    for (const service of services) service.runs.push(new Map(kinds.map(({ name }) => [name, []])))
    for (let nth = 0; nth < rounds; nth++) await round((service, kind) => service.runs.at(-1)!.get(kind)!)
  }
}

/** Counts of answers that are not as expected, by service and kind of request. */
export class Notes {
  readonly #counts = new Map<string, Map<string, number>>()

  add({ name }: TimedService, kind: string, what: string): void {
    const key = `${name} ${kind}`
    const counts = this.#counts.get(key) ?? new Map<string, number>()
    this.#counts.set(key, counts.set(what, (counts.get(what) ?? 0) + 1))
  }

  /** ` (3 short pages)`: for the table. */
  readonly of = ({ name }: TimedService, kind: string): string =>
    [...(this.#counts.get(`${name} ${kind}`) ?? [])].map(([what, count]) => ` (${count} ${what})`).join("")
}

const of = ({ runs }: TimedService, kind: string, share: number): ReadonlyArray<number> =>
  runs.map((run) => at(run.get(kind)!, share))

const ratios = (service: TimedService, to: TimedService, kind: string, share: number): ReadonlyArray<number> => {
  const others = of(to, kind, share)
  return of(service, kind, share).map((millis, run) => millis / others[run]!)
}

const digits = (value: number) => value.toFixed(2)

/**
 * Medians of the runs: of each service the median and the p99 in milliseconds, and the ratios of both of the last service to the first one of the
 * same checkout (with one size, to the other checkout) in the same run, with the least and the most of the p99s.
 */
export const table = (
  services: ReadonlyArray<TimedService>,
  kinds: ReadonlyArray<{ readonly name: string }>,
  note: (service: TimedService, kind: string) => string = () => "",
): string => {
  const last = services.at(-1)!
  const first = services.find((service) => service !== last && service.checkout === last.checkout) ?? services[0]!
  const rows = kinds.map(({ name }) => {
    const cells = services.map((service) => {
      const [p50, p99] = [0.5, 0.99].map((share) => median(of(service, name, share)).toFixed(1))
      return `${p50} / ${p99}${note(service, name)}`
    })
    const [p50s, p99s] = [0.5, 0.99].map((share) => ratios(last, first, name, share))
    const spread = [Math.min(...p99s!), Math.max(...p99s!)].map(digits).join(" to ")
    return `| ${[name, ...cells, `${digits(median(p50s!))} / ${digits(median(p99s!))} (${spread})`].join(" | ")} |`
  })
  const header = ["p50 / p99 ms", ...services.map(({ name }) => name), `${last.name} to ${first.name}`]
  return [`| ${header.join(" | ")} |`, `|${header.map(() => "---").join("|")}|`, ...rows].join("\n")
}
