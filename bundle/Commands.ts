import { readFileSync } from "node:fs"
import { join } from "node:path"

/** The commands of the container image, by the names of their files in the bundle. */
export const COMMANDS = {
  service: "packages/service/src/main.ts",
  migrate: "migrations/src/main.ts",
  indexer: "packages/indexer/src/main.ts",
  keys: "packages/service/src/keys/main.ts",
} as const

/**
 * Packages that stay as they are, beside the bundle: the dependencies of the workspace's root. They are native, under a
 * licence that asks for it, or loaded late and by few processes.
 */
export const packagesBeside = (): ReadonlyArray<string> => {
  const { dependencies, optionalDependencies } = JSON.parse(
    readFileSync(join(import.meta.dirname, "..", "package.json"), "utf8"),
  )
  return Object.keys({ ...dependencies, ...optionalDependencies })
}
