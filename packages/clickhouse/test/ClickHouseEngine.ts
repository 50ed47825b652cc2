import { execFile } from "node:child_process"
import { chmod, copyFile, mkdir, mkdtemp, open, readFile, rename, rm } from "node:fs/promises"
import { existsSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { promisify } from "node:util"

const ENGINE = join(import.meta.dirname, "engine")
/** Shared by all checkouts of an account. */
const DATA = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "token-launch-registry")
const LOCK = join(DATA, "lock")
const POLL_MILLIS = 200

/**
 * The folder in which `require("chdb")` gives the engine. The first caller installs it (half a gigabyte; npm has to be there);
 * others, also of other processes, wait for it.
 */
export const installedEngine = async (): Promise<string> => {
  const { dependencies } = JSON.parse(await readFile(join(ENGINE, "package.json"), "utf8"))
  const folder = join(DATA, `chdb-${dependencies.chdb}`)
  await mkdir(DATA, { recursive: true })
  while (!existsSync(folder)) {
    if (await isLocked()) {
      try {
        if (!existsSync(folder)) await install(folder)
      } finally {
        await rm(LOCK, { force: true })
      }
    } else {
      await setTimeout(POLL_MILLIS)
    }
  }
  return folder
}

/** Whether the lock is ours now. That of a process that has ended is removed. */
const isLocked = async (): Promise<boolean> => {
  try {
    const file = await open(LOCK, "wx")
    await file.writeFile(`${process.pid}`)
    await file.close()
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error
  }
  const owner = await readFile(LOCK, "utf8").catch(() => "")
  if (owner !== "" && !isRunning(Number(owner))) await rm(LOCK, { force: true })
  return false
}

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"
  }
}

/** Beside its place first, so that a folder that is there is whole. */
const install = async (folder: string): Promise<void> => {
  const beside = await mkdtemp(join(DATA, "install-"))
  try {
    for (const file of ["package.json", "package-lock.json"]) await copyFile(join(ENGINE, file), join(beside, file))
    // Not `npm ci`: the lock file may lack engines of other platforms, and that of this one is checked against it all the same.
    await promisify(execFile)("npm", ["install", "--no-audit", "--no-fund", "--prefix", beside], { cwd: beside })
    await chmod(beside, 0o755)
    await rename(beside, folder)
  } catch (error) {
    // Two that removed the lock of a process that had ended have both installed it.
    if (!existsSync(folder)) throw error
  } finally {
    await rm(beside, { recursive: true, force: true })
  }
}
