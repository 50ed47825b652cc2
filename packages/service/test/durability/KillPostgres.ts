import { spawnSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { isRunning } from "@launch-registry/postgres/embedded/FolderOwner"

const LOOK_MILLIS = 2

/** All processes with their parents. */
const parents = (): ReadonlyArray<readonly [pid: number, parent: number]> => {
  if (!existsSync("/proc/self/stat")) {
    const { stdout } = spawnSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" })
    return stdout
      .trim()
      .split("\n")
      .map((line) => line.trim().split(/\s+/).map(Number) as [number, number])
  }
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        // The name, in brackets, may contain anything; state and parent follow it.
        const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
        return [[Number(pid), Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1])]]
      } catch {
        return []
      }
    })
}

const signal = (pid: number, name: NodeJS.Signals): void => {
  try {
    process.kill(pid, name)
  } catch {
    // It has ended meanwhile.
  }
}

/** Sends a signal to the postmaster of an embedded server, and then to its children. */
export const signalPostgres = (folder: string, name: NodeJS.Signals): void => {
  const pid = Number(readFileSync(join(folder, "postgres", "data", "postmaster.pid"), "utf8").split("\n")[0])
  signal(pid, name)
  for (const [child, parent] of parents()) if (parent === pid) signal(child, name)
}

/** `kill -9` of an embedded server: of the postmaster and all its children, at once. Resolves when they have ended. */
export const killPostgres = async (folder: string, abort: AbortSignal): Promise<void> => {
  const file = join(folder, "postgres", "data", "postmaster.pid")
  const postmaster = () => (existsSync(file) ? Number(readFileSync(file, "utf8").split("\n")[0]) : 0)
  let pid = postmaster()
  // A process that has not started yet cannot be killed.
  for (; pid === 0 || !isRunning(pid); pid = postmaster()) {
    abort.throwIfAborted()
    await sleep(LOOK_MILLIS)
  }
  // While stopped, it neither forks nor reaps its children.
  signal(pid, "SIGSTOP")
  const all = [pid, ...parents().flatMap(([child, parent]) => (parent === pid ? [child] : []))]
  for (const one of all) signal(one, "SIGKILL")
  while (all.some(isRunning)) await sleep(LOOK_MILLIS)
}
