import { readFileSync } from "node:fs"
import { ConfigProvider, Effect } from "effect"

const valueOf = (node: ConfigProvider.Node | undefined): string | undefined =>
  node === undefined || node.value === "" ? undefined : node.value

/** Reads a setting that is not set from the file that `<NAME>_FILE` names, as the service does. For commands. */
export const fileSettings = ConfigProvider.layer(
  Effect.map(ConfigProvider.ConfigProvider, (environment) =>
    ConfigProvider.make(
      Effect.fnUntraced(function* (path) {
        const node = yield* environment.load(path)
        if (valueOf(node) !== undefined) return node
        const variable = `${path.join("_")}_FILE`
        const file = valueOf(yield* environment.load([variable]))
        if (file === undefined) return node
        return yield* Effect.try({
          try: () => ConfigProvider.makeValue(readFileSync(file, "utf8").trim()),
          catch: () => new ConfigProvider.SourceError({ message: `${variable}: expected a readable file` }),
        })
      }),
    ),
  ),
)
