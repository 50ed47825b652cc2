import { copyFileSync, globSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { consoleFiles } from "@launch-registry/console/ConsoleFiles"
import { FONT_FILE, fontFile } from "@launch-registry/server/sharing/FontFile"
import { type OutputChunk, rolldown } from "rolldown"
import { generateClient } from "../scripts/generateClient.ts"
import { COMMANDS, packagesBeside } from "./Commands.ts"
import { noticesOf } from "./Notices.ts"

const ROOT = join(import.meta.dirname, "..")

/** Embedded parts: no production install has them, and the service says so where they are asked for. */
const EMBEDDED = ["litesvm"]

/** What was bundled. */
export interface Bundled {
  /** Files of our own and of packages, by their paths. */
  readonly modules: ReadonlyArray<string>
  readonly bytes: number
}

/**
 * Writes the service and its commands to `folder`, each with the chunks that it imports, `openapi.json`, the
 * migrations, the files of the console, the font of pictures, and the notices of the packages within. Nothing is renamed or put on one line: minified, a process at rest takes 2 MB less, and stack
 * traces name nothing. Comments are left out, and what is not ASCII is escaped: V8 holds such a text in two bytes for
 * each character.
 */
export const bundle = async (folder: string): Promise<Bundled> => {
  const outside = [...packagesBeside(), ...EMBEDDED]
  const build = await rolldown({
    input: Object.fromEntries(Object.entries(COMMANDS).map(([name, path]) => [name, join(ROOT, path)])),
    cwd: ROOT,
    platform: "node",
    external: outside.map((name) => new RegExp(`^${name}(/|$)`)),
    onLog: (level, { message }) => {
      if (level === "warn") throw new Error(message)
    },
  })
  rmSync(folder, { recursive: true, force: true })
  const { output } = await build.write({
    ...{ dir: folder, format: "esm", entryFileNames: "[name].mjs", chunkFileNames: "chunks/[name]-[hash].mjs" },
    ...{ charset: "ascii", comments: { legal: false, annotation: false, jsdoc: false } },
  })
  await build.close()
  const chunks = output.filter((one): one is OutputChunk => one.type === "chunk")
  const modules = chunks.flatMap((chunk) => Object.keys(chunk.modules))
  copyFileSync(join(ROOT, "openapi.json"), join(folder, "openapi.json"))
  copyFileSync(fontFile(), join(folder, FONT_FILE))
  mkdirSync(join(folder, "migrations"))
  for (const path of globSync("migrations/*.sql", { cwd: ROOT })) copyFileSync(join(ROOT, path), join(folder, path))
  writeFileSync(join(folder, "licences.txt"), noticesOf([...modules, fontFile()]))
  generateClient()
  for (const [path, text] of await consoleFiles()) {
    const file = join(folder, "console", path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  return { modules, bytes: chunks.reduce((sum, { code }) => sum + code.length, 0) }
}
