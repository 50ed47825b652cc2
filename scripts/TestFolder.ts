import { spawn } from "node:child_process"
import { once } from "node:events"
import { accessSync, chmodSync, constants, mkdtempSync, statfsSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const TIDY = join(import.meta.dirname, "tidy-test-folder")

/** A file system in memory, of Linux: PostgreSQL makes and deletes some eight hundred files for each database of a test. */
const MEMORY = "/dev/shm"
/** Several times what a run takes there. */
const BYTES_MIN = 4 * 1024 ** 3

/** Where temporary files are fastest. */
const fastest = (): string => {
  try {
    accessSync(MEMORY, constants.W_OK)
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize >= BYTES_MIN ? MEMORY : tmpdir()
  } catch {
    return tmpdir()
  }
}

/**
 * Global set-up of the tests: a folder for all temporary files of a run. Whatever ends the run, a signal or a crash as well, a process of
 * its own then ends the servers that have their files there, and removes the folder.
 */
export default (): (() => Promise<void>) | undefined => {
  // Each project of the runner calls this.
  if (process.env.TEST_FOLDER !== undefined) return undefined
  const folder = mkdtempSync(join(fastest(), "registry-"))
  // PostgreSQL, which refuses to run as root, has its files below.
  chmodSync(folder, 0o711)
  process.env.TEST_FOLDER = folder
  process.env.TMPDIR = folder
  // In a session of its own, Ctrl-C does not reach it. Its input ends with this process.
  const tidying = spawn(TIDY, [folder], { detached: true, stdio: ["pipe", "ignore", "inherit"] })
  return async () => {
    const ended = once(tidying, "exit")
    tidying.stdin.end()
    await ended
  }
}
