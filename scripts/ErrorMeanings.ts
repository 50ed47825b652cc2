import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"

const DOMAIN = join(import.meta.dirname, "..", "packages", "domain", "src")

const DECLARATION =
  /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*export class (\w+) extends Schema\.TaggedError|export class (\w+) extends Schema\.TaggedError/g

/** Paths of the modules that declare errors. */
export const errorModules = (): ReadonlyArray<string> =>
  globSync("**/*.ts", { cwd: DOMAIN })
    .map((file) => join(DOMAIN, file))
    .filter((path) => readFileSync(path, "utf8").includes("extends Schema.TaggedError"))

/** The docstrings of the errors in a module, by the names of their classes. */
export const meaningsIn = (path: string): ReadonlyArray<readonly [name: string, meaning: string]> =>
  [...readFileSync(path, "utf8").matchAll(DECLARATION)].map(([, comment = "", documented, bare]) => [
    (documented ?? bare)!,
    comment
      .replaceAll(/^\s*\*? ?/gm, "")
      .replaceAll(/\s+/g, " ")
      .trim(),
  ])

/** When each declared error is answered, by the name of its class, which is that of its schema. */
export const errorMeanings = (): ReadonlyMap<string, string> => new Map(errorModules().flatMap(meaningsIn))
