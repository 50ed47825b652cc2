import type { ChildProcess, Serializable } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"

/** The next message of a process; it fails when the process ends first. */
export const answerOf = <A>(child: ChildProcess): Promise<A> =>
  new Promise((resolve, reject) => {
    const ended = (code: number | null) => reject(new Error(`${child.spawnargs.join(" ")} ended with ${code}`))
    child.once("exit", ended)
    child.once("message", (message) => {
      child.off("exit", ended)
      resolve(message as A)
    })
  })

/** The reply of a process to a message. */
export const ask = <A>(child: ChildProcess, message: Serializable): Promise<A> => {
  const answer = answerOf<A>(child)
  child.send(message)
  return answer
}

/** Linux counts processor time in hundredths of a second, whatever the machine. */
const TICK_MILLIS = 10

/** Fields of /proc/<pid>/stat from the state on: the name before may contain anything. */
const statOf = (pid: string): ReadonlyArray<string> | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  } catch {
    return undefined
  }
}

const sumOf = (fields: ReadonlyArray<string>, from: number, to: number): number =>
  fields.slice(from, to).reduce((sum, ticks) => sum + Number(ticks), 0)

/** CPU time of a process so far, user and system, in milliseconds. */
export const cpuMillisOf = (pid: number): number => sumOf(statOf(String(pid)) ?? [], 11, 13) * TICK_MILLIS

const processIds = (): ReadonlyArray<string> => readdirSync("/proc").filter((name) => /^\d+$/.test(name))

/** The processes of a session, which a process that is started detached begins (Linux only). */
export const processesOf = (session: number): ReadonlyArray<number> =>
  processIds()
    .filter((pid) => statOf(pid)?.[3] === String(session))
    .map(Number)

/** The parent process of `pid`; empty where there is no /proc. */
export const parentOf = (pid: string): string => statOf(pid)?.[1] ?? ""

/**
 * Processor time in milliseconds of a PostgreSQL server: its postmaster and all its current and former children.
 * `undefined` where there is no /proc.
 */
export const databaseCpuMillis = (postmaster: string): number | undefined => {
  // State is the first of these, so its parent's is 1, utime and stime are 11 and 12, those of ended children 13 and 14.
  const own = statOf(postmaster)
  if (own === undefined) return undefined
  let ticks = sumOf(own, 11, 15)
  for (const pid of processIds()) {
    const fields = statOf(pid)
    if (fields?.[1] === postmaster) ticks += sumOf(fields, 11, 13)
  }
  return ticks * TICK_MILLIS
}

/** Resident memory of a process, now or at its peak, in MiB (Linux only). */
export const residentMibOf = (pid: number, field: "VmRSS" | "VmHWM" = "VmRSS"): number => {
  const status = readFileSync(`/proc/${pid}/status`, "utf8")
  return Math.round(Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024)
}

/** Memory of a PostgreSQL server in MiB, what its processes share counted once (Linux only). */
export const databaseMib = (postmaster: string): number => {
  let kib = 0
  for (const pid of processIds()) {
    if (pid !== postmaster && parentOf(pid) !== postmaster) continue
    try {
      kib += Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1] ?? 0)
    } catch {
      // It has ended meanwhile.
    }
  }
  return Math.round(kib / 1024)
}
