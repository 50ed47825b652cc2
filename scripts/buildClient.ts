/** Builds `packages/client` as it is published: ES modules with declarations, of it and of the contract that `./effect` derives from. */
import { execFileSync } from "node:child_process"
import { globSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join, relative, sep } from "node:path"
import { fileURLToPath } from "node:url"

const ROOT = join(import.meta.dirname, "..")
const COMPILER = fileURLToPath(import.meta.resolve("typescript/package.json"))

/** Our other packages are not published: their modules are beside the client's. */
const withOurModules = (text: string, file: string, folder: string): string =>
  text.replaceAll(
    /(["'])@launch-registry\/(domain|solana)\/([\w/]+)\1/g,
    (_, quote: string, name: string, path: string) => {
      const target = relative(dirname(file), join(folder, name, "src", `${path}.js`))
        .split(sep)
        .join("/")
      return `${quote}${target.startsWith(".") ? target : `./${target}`}${quote}`
    },
  )

/** Writes the modules into `folder`, which is emptied first. */
export const buildClient = (folder: string): void => {
  rmSync(folder, { recursive: true, force: true })
  const project = join(ROOT, "packages", "client", "tsconfig.build.json")
  const compiler = join(dirname(COMPILER), "bin", "tsc")
  execFileSync(process.execPath, [compiler, "--project", project, "--outDir", folder], { stdio: "inherit" })
  for (const name of globSync("**/*.{js,d.ts}", { cwd: folder })) {
    const file = join(folder, name)
    const text = readFileSync(file, "utf8")
    const rewritten = withOurModules(text, file, folder)
    if (rewritten !== text) writeFileSync(file, rewritten)
  }
}

if (import.meta.main) buildClient(join(ROOT, "packages", "client", "dist"))
