import { Console, Context, Effect, Layer } from "effect"
import type { Settings } from "./Settings.ts"

/** What is said once at the start: what is embedded, where its data lie, what to open. */
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
          ...[...parts, ["IPFS", `${whereUploadsGo(settings)}, read at ${settings.gatewayUrl}/<cid>`] as const].map(
            ([part, what]) => `  ${part.padEnd(11)}${what}`,
          ),
          `  API        ${base}/`,
          `  Docs       ${base}/docs`,
        ]
        yield* Console.log(lines.join("\n"))
      }),
    )
}

const whereUploadsGo = ({ ipfs: { order } }: Settings): string =>
  order.map((name) => (name === "embedded" ? "embedded, in the database" : name)).join(", then ")
