import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"

/** A process; its start time distinguishes it from a later one with the same id, where the system provides it. */
interface Owner {
  readonly pid: number
  readonly startedAt: string
}

/** When a process started, in ticks since boot; empty where /proc does not exist, `undefined` when there is no such process. */
const startOf = (pid: number): string | undefined => {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return undefined
  }
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    // State Z: killed and not yet collected by its parent.
    return fields[0] === "Z" ? undefined : fields[19]!
  } catch {
    return ""
  }
}

const fileOf = (folder: string): string => join(folder, "owner.json")

/**
 * Makes this process the owner of `folder`. Returns the pid of the living process that owns it instead, if any: two
 * services must not share one embedded server, because the first to stop would take it away from the other.
 */
export const claimFolder = (folder: string): number | undefined => {
  const own: Owner = { pid: process.pid, startedAt: startOf(process.pid) ?? "" }
  for (;;) {
    try {
      writeFileSync(fileOf(folder), JSON.stringify(own), { flag: "wx" })
      return undefined
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error
    }
    const other = readOwner(folder)
    if (other !== undefined && other.pid !== process.pid && startOf(other.pid) === other.startedAt) return other.pid
    rmSync(fileOf(folder), { force: true })
  }
}

export const releaseFolder = (folder: string): void => {
  if (readOwner(folder)?.pid === process.pid) rmSync(fileOf(folder), { force: true })
}

const readOwner = (folder: string): Owner | undefined => {
  try {
    return JSON.parse(readFileSync(fileOf(folder), "utf8")) as Owner
  } catch {
    return undefined
  }
}

/** Whether a process with this number is running. */
export const isRunning = (pid: number): boolean => startOf(pid) !== undefined
