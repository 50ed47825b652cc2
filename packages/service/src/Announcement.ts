import { Console, Context, Effect, Layer } from "effect"
import type { Settings } from "./Settings.ts"

/** Lines printed once at the start: embedded parts, where their data is, URLs. */
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

  static readonly print = (settings: Settings) =>
    Layer.effectDiscard(
      Effect.gen(function* () {
        const { parts } = yield* Announcement
        const base = `http://${settings.host === "0.0.0.0" ? "localhost" : settings.host}:${settings.port}`
        const lines = [
          `Token Launch Registry is up (${settings.runMode}, ${settings.network})`,
          ...[
            ...parts,
            ...fees(settings),
            ["IPFS", `${whereUploadsGo(settings)}, read at ${settings.gatewayUrl}/<cid>`] as const,
          ].map(([part, what]) => `  ${part.padEnd(11)}${what}`),
          `  API        ${base}/`,
          `  Docs       ${base}/docs`,
        ]
        yield* Console.log(lines.join("\n"))
        const unnamed = launchpadsWithoutClaimer(settings)
        if (settings.runMode === "production" && unnamed.length > 0)
          yield* Effect.logWarning(`The ${claimedBySigner(unnamed)}`)
      }),
    )
}

/** Launchpads without a configured fee claimer; none in a process that builds no launches. */
const launchpadsWithoutClaimer = ({ launchpads, role }: Settings): ReadonlyArray<string> =>
  role === "indexer"
    ? []
    : Object.entries(launchpads).flatMap(([name, { config }]) => (config.feeClaimer === undefined ? [name] : []))

const claimedBySigner = (launchpads: ReadonlyArray<string>): string =>
  `trading fees of ${launchpads.join(", ")} go to the signer, because LAUNCHPADS sets no feeClaimer`

const fees = (settings: Settings): ReadonlyArray<readonly [part: string, what: string]> => {
  const unnamed = launchpadsWithoutClaimer(settings)
  return unnamed.length === 0 ? [] : [["Fees", claimedBySigner(unnamed)]]
}

const whereUploadsGo = ({ ipfs: { order } }: Settings): string =>
  order.map((name) => (name === "embedded" ? "embedded, in the database" : name)).join(", then ")
