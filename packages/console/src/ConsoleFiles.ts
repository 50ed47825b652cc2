import { execFile } from "node:child_process"
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { promisify } from "node:util"

/** The page, whose references begin with `./`. */
export const PAGE = "index.html"

const SOURCES = join(import.meta.dirname, "../../../apps/launchpad")
/** Beside the bundle. */
const BUNDLED = "console"

/** Text files below a folder, by their paths in it. */
const textsIn = (folder: string): ReadonlyArray<readonly [string, string]> =>
  globSync("**/*.{js,css,html,svg,md}", { cwd: folder }).map((path) => [path, readFileSync(join(folder, path), "utf8")])

/** The app as Vite builds it, in a process of its own: this one stays without the compiler. */
const fromSources = async (): Promise<ReadonlyMap<string, string>> => {
  const vite = join(dirname(createRequire(join(SOURCES, PAGE)).resolve("vite/package.json")), "bin/vite.js")
  const folder = mkdtempSync(join(tmpdir(), "launchpad-"))
  try {
    const options = ["build", "--outDir", folder, "--emptyOutDir", "--logLevel", "error", "--configLoader", "native"]
    await promisify(execFile)(process.execPath, [vite, ...options], { cwd: SOURCES, env: { NODE_ENV: "production" } })
    return new Map(textsIn(folder))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const bundledFolder = (folder: string = import.meta.dirname): string => {
  if (existsSync(join(folder, BUNDLED, PAGE))) return join(folder, BUNDLED)
  if (folder === dirname(folder)) throw new Error("There is no console beside the service")
  return bundledFolder(dirname(folder))
}

let made: Promise<ReadonlyMap<string, string>> | undefined

/**
 * The app of `apps/launchpad` as browsers get it, by paths within it. A checkout builds it when it is first asked for; a bundle has the
 * result beside it.
 */
export const consoleFiles = (): Promise<ReadonlyMap<string, string>> => {
  made ??= (existsSync(join(SOURCES, PAGE)) ? fromSources() : Promise.resolve(new Map(textsIn(bundledFolder())))).catch(
    (error: unknown) => {
      // What could not be built now is built for the next request.
      made = undefined
      throw error
    },
  )
  return made
}
