import { join } from "node:path"
import { bundle } from "./Bundle.ts"

/** `pnpm bundle [folder]`: what the container image runs. */
const folder = process.argv[2] ?? join(import.meta.dirname, "..", "dist")
const { bytes, modules } = await bundle(folder)
process.stdout.write(`${modules.length} modules, ${(bytes / 1e6).toFixed(1)} MB, in ${folder}\n`)
