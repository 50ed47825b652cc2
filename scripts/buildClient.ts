/**
 * Builds `packages/client` as it is published, and packs it. The tarball is the last line of the output.
 * Modules are ES modules with declarations, of the client and of the contract that `./effect` derives from.
 */
import { execFileSync } from "node:child_process"
import { copyFileSync, globSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join, relative, sep } from "node:path"
import { fileURLToPath } from "node:url"
import { generateClient } from "./generateClient.ts"

const ROOT = join(import.meta.dirname, "..")
const PACKAGE = join(ROOT, "packages", "client")
const COMPILER = fileURLToPath(import.meta.resolve("typescript/package.json"))

/** Our other packages are not published: their modules are beside the client's. */
const withOurModules = (text: string, file: string, folder: string): string =>
  text.replaceAll(/(["'])@launch-registry\/domain\/([\w/]+)\1/g, (_, quote: string, path: string) => {
    const target = relative(dirname(file), join(folder, "domain", "src", `${path}.js`))
      .split(sep)
      .join("/")
    return `${quote}${target.startsWith(".") ? target : `./${target}`}${quote}`
  })

/** The package's own, with modules in place of sources, and without what only this workspace can install. */
const publishedManifest = () => {
  const {
    devDependencies: _,
    exports,
    private: __,
    ...manifest
  } = JSON.parse(readFileSync(join(PACKAGE, "package.json"), "utf8")) as {
    devDependencies: unknown
    exports: Record<string, string>
    private: unknown
  }
  const built = Object.entries(exports).map(([name, source]) => {
    const module = source.replace("./src/", "./client/src/").replace(/\.ts$/, "")
    return [name, { types: `${module}.d.ts`, default: `${module}.js` }] as const
  })
  return { ...manifest, exports: Object.fromEntries(built) }
}

/** Writes the package into `folder`, which is emptied first. */
export const buildClient = (folder: string): void => {
  generateClient()
  rmSync(folder, { recursive: true, force: true })
  const project = join(PACKAGE, "tsconfig.build.json")
  const compiler = join(dirname(COMPILER), "bin", "tsc")
  execFileSync(process.execPath, [compiler, "--checkers", "1", "--project", project, "--outDir", folder], {
    stdio: "inherit",
  })
  for (const name of globSync("**/*.{js,d.ts}", { cwd: folder })) {
    const file = join(folder, name)
    const text = readFileSync(file, "utf8")
    const rewritten = withOurModules(text, file, folder)
    if (rewritten !== text) writeFileSync(file, rewritten)
  }
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(publishedManifest(), null, 2)}\n`)
  copyFileSync(join(PACKAGE, "README.md"), join(folder, "README.md"))
  copyFileSync(join(ROOT, "LICENSE"), join(folder, "LICENSE"))
}

/** Packs the package that is in `folder` into `destination`, and answers the path of the tarball. */
export const packClient = (folder: string, destination: string): string => {
  const args = ["pack", "--silent", "--pack-destination", destination]
  const packed = execFileSync("npm", args, { cwd: folder, encoding: "utf8" })
  const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { readonly version: string }
  const tarball = join(destination, `token-launch-client-${version}.tgz`)
  renameSync(join(destination, packed.trim()), tarball)
  return tarball
}

if (import.meta.main) {
  const dist = join(PACKAGE, "dist")
  rmSync(dist, { recursive: true, force: true })
  const folder = join(dist, "package")
  buildClient(folder)
  process.stdout.write(`${packClient(folder, dist)}\n`)
}
