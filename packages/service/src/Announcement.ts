import { Console, Context, Effect, Layer } from "effect"
import type { Settings } from "./Settings.ts"

/** What is said once at the start: embedded parts, where their data is, URLs. */
export class Announcement extends Context.Service<
  Announcement,
  {
    readonly add: (part: string, what: string) => void
    readonly parts: ReadonlyArray<readonly [part: string, what: string]>
  }
>()("@launch-registry/service/Announcement") {
  static readonly layer = Layer.sync(Announcement, () => {
    const parts: Array<readonly [string, string]> = []
    return { parts, add: (part, what) => void parts.push([part, what]) }
  })

  /** Says that the service is up, and where: a text for people, in production one line of the log. */
  static readonly print = (settings: Settings, version: string) =>
    Layer.effectDiscard(
      Effect.gen(function* () {
        const { parts } = yield* Announcement
        const isProduction = settings.runMode === "production"
        const announced = [...parts, ...fees(settings), ...uploads(settings)]
        if (isProduction) {
          const { host, network, port, role } = settings
          const facts = { version, role, network, listening: `${host}:${port}`, node: process.version }
          const embedded = Object.fromEntries(announced.map(([part, what]) => [part.toLowerCase(), what]))
          yield* Effect.annotateLogs(Effect.logInfo("Token Launch Registry is up"), { ...facts, ...embedded })
        } else {
          const lines = [...announced, ...routes(settings)].map(([part, what]) => `  ${part.padEnd(11)}${what}`)
          const title = `Token Launch Registry is up (${settings.runMode}, ${settings.network})`
          yield* Console.log([title, ...lines].join("\n"))
        }
        const unnamed = launchpadsWithoutClaimer(settings)
        if (isProduction && unnamed.length > 0) yield* Effect.logWarning(`The ${claimedBySigner(unnamed)}`)
        if (isProduction && isOpenToNetwork(settings))
          yield* Effect.logWarning(
            "Anyone may write, because WRITE_AUTH is not set; WRITE_AUTH=off says that this is meant",
          )
      }),
    )
}

const LOOPBACK = /^(localhost|127\..*|::1)$/i

/** Whether others than this machine may write by default. A process that only indexes takes no writes. */
const isOpenToNetwork = ({ access, host, role }: Settings): boolean =>
  access.isOpenByDefault && role !== "indexer" && !LOOPBACK.test(host)

type Told = ReadonlyArray<readonly [part: string, what: string]>

/** Where people look first. */
const routes = ({ host, port, role }: Settings): Told => {
  const base = `http://${host === "0.0.0.0" ? "localhost" : host}:${port}`
  return role === "indexer"
    ? [["Status", `${base}/`]]
    : [
        ["API", `${base}/`],
        ["Docs", `${base}/docs`],
        ["Console", `${base}/console`],
      ]
}

const uploads = (settings: Settings): Told =>
  settings.role === "indexer" ? [] : [["IPFS", `${whereUploadsGo(settings)}, read at ${settings.gatewayUrl}/<cid>`]]

/** Launchpads without a configured fee claimer; none in a process that builds no launches. */
const launchpadsWithoutClaimer = ({ launchpads, role }: Settings): ReadonlyArray<string> =>
  role === "indexer"
    ? []
    : Object.entries(launchpads).flatMap(([name, { config }]) => (config.feeClaimer === undefined ? [name] : []))

const claimedBySigner = (launchpads: ReadonlyArray<string>): string =>
  `trading fees of ${launchpads.join(", ")} go to the signer, because LAUNCHPADS sets no feeClaimer`

const fees = (settings: Settings): Told => {
  const unnamed = launchpadsWithoutClaimer(settings)
  return unnamed.length === 0 ? [] : [["Fees", claimedBySigner(unnamed)]]
}

const whereUploadsGo = ({ ipfs: { order } }: Settings): string =>
  order.map((name) => (name === "embedded" ? "embedded, in the database" : name)).join(", then ")
