import { existsSync, globSync, readFileSync, realpathSync } from "node:fs"
import { dirname, join } from "node:path"

const ROOT = join(import.meta.dirname, "..")

/** What runs in production: the process, and the command that migrates. */
const DEPLOYED = ["packages/service", "migrations"]

/** Licences that ask for no more than a notice. */
const PERMISSIVE = new Set([
  ...["0BSD", "Apache-2.0", "BlueOak-1.0.0", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "ISC", "MIT", "MIT-0"],
  ...["PostgreSQL", "Python-2.0", "Unlicense", "WTFPL", "Zlib"],
])

/** A package of the production closure. */
export interface LicensedPackage {
  /** One name for all platforms, as `@img/sharp-*`. */
  readonly name: string
  readonly version: string
  readonly licence: string
  /** The shortest way to it, from the package of ours that is deployed. */
  readonly broughtBy: ReadonlyArray<string>
}

interface Manifest {
  readonly name: string
  readonly version?: string
  readonly license?: string | { readonly type: string }
  readonly licenses?: ReadonlyArray<{ readonly type: string }>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly os?: ReadonlyArray<string>
  readonly cpu?: ReadonlyArray<string>
}

const PLATFORM =
  /(android|darwin|freebsd|linux|linuxmusl|openharmony|win32)-(x64|arm64|arm|ia32|ppc64|riscv64|s390x).*$/

/** The folder of a package as Node would find it from another one; packages of other platforms are not installed. */
const installed = (name: string, from: string): string | undefined => {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, "node_modules", name)
    if (existsSync(join(candidate, "package.json"))) return realpathSync(candidate)
    if (folder === dirname(folder)) return undefined
  }
}

const manifestIn = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))

/** How licences begin, for packages that bring the text alone. */
const BY_TEXT: ReadonlyArray<readonly [text: string, licence: string]> = [
  ["Permission is hereby granted, free of charge", "MIT"],
  ["free and unencumbered software released into the public domain", "Unlicense"],
]

const licenceOf = ({ license, licenses, name }: Manifest, folder: string): string => {
  const said = typeof license === "string" ? license : (license?.type ?? licenses?.map(({ type }) => type).join(" OR "))
  if (said !== undefined && said !== "") return said
  for (const file of globSync("LICEN[CS]E*", { cwd: folder })) {
    const text = readFileSync(join(folder, file), "utf8").replaceAll(/\s+/g, " ")
    const known = BY_TEXT.find(([beginning]) => text.includes(beginning))
    if (known !== undefined) return known[1]
  }
  throw new Error(`${name} does not say its licence`)
}

/**
 * Whether a licence, an SPDX expression, can be met with a notice. One that is nested is not read, and counts
 * as one that asks for more: it has to be noted.
 */
export const isPermissive = (licence: string): boolean =>
  licence
    .replace(/^\(([^()]*)\)$/, "$1")
    .split(" OR ")
    .some((alternative) => alternative.split(" AND ").every((each) => PERMISSIVE.has(each)))

/**
 * Every package that a production install holds, whichever platform it is for. Of peers only those count that are
 * installed; a package of ours is passed through.
 */
export const productionClosure = (): ReadonlyArray<LicensedPackage> => {
  const found = new Map<string, LicensedPackage>()
  const seen = new Set<string>()
  let level = DEPLOYED.map((folder) => ({ folder: join(ROOT, folder), broughtBy: [] as ReadonlyArray<string> }))
  // Level by level: the first way to a package is a shortest one.
  while (level.length > 0) {
    const next: typeof level = []
    for (const { broughtBy, folder } of level) {
      if (seen.has(folder)) continue
      seen.add(folder)
      const manifest = manifestIn(folder)
      const isOurs = !folder.includes("node_modules")
      const isOfPlatform = manifest.os !== undefined || manifest.cpu !== undefined
      const name = isOfPlatform ? manifest.name.replace(PLATFORM, "*") : manifest.name
      const version = manifest.version ?? ""
      if (!isOurs && !found.has(`${name}@${version}`))
        found.set(`${name}@${version}`, { name, version, licence: licenceOf(manifest, folder), broughtBy })
      const wanted = { ...manifest.dependencies, ...manifest.optionalDependencies, ...manifest.peerDependencies }
      for (const dependency of Object.keys(wanted).sort()) {
        const at = installed(dependency, folder)
        if (at === undefined) {
          if (
            manifest.dependencies?.[dependency] !== undefined &&
            manifest.optionalDependencies?.[dependency] === undefined
          )
            throw new Error(`${dependency} of ${name} is not installed`)
          continue
        }
        next.push({ folder: at, broughtBy: [...broughtBy, name] })
      }
    }
    level = next
  }
  return [...found.values()].sort((a, b) => (`${a.name} ${a.version}` < `${b.name} ${b.version}` ? -1 : 1))
}

/** Why a package is there whose licence asks for more than a notice. */
const NOTES: Readonly<Record<string, string>> = {
  "@img/sharp-libvips-*":
    "decodes the images that are uploaded. A shared library, loaded by sharp when the first image comes; one for the platform.",
  "rpc-websockets":
    "web3.js v1 requires it when it is loaded, and its `Connection`, which the SDK asks for, extends a class of it: the builders of launches and quotes do not load without it. No connection is ever opened with it.",
}

/** `docs/licences.md`: what a production install holds. */
export const licencesText = (): string => {
  const packages = productionClosure()
  const others = packages.filter(({ licence }) => !isPermissive(licence))
  const noted = others.map(({ broughtBy, licence, name, version }) => {
    const note = NOTES[name]
    if (note === undefined) throw new Error(`${name} is under ${licence}: say in scripts/Licences.ts why it is there`)
    return `- \`${name}\` ${version}, ${licence}, through ${broughtBy.map((each) => `\`${each}\``).join(" → ")}: ${note}`
  })
  const counted = new Map<string, number>()
  for (const { licence } of packages) counted.set(licence, (counted.get(licence) ?? 0) + 1)
  const counts = [...counted].sort(([a, many], [b, more]) => more - many || (a < b ? -1 : 1))
  return `${INTRODUCTION}
## More than a notice

${noted.join("\n")}

They are installed as they were published, unchanged, in folders of their own, and are loaded from there when the service runs: another version is put in
their place by replacing the folder, which is what the LGPL asks for. A container image passes them on, and so does not change that;
a bundle that puts them into one file with the service would. What libvips is built of, and under which licences, its README lists.

## All of them

${counts.map(([licence, count]) => `${count} under ${licence}`).join(", ")}.

| package | version | licence |
| --- | --- | --- |
${packages.map(({ licence, name, version }) => `| \`${name}\` | ${version} | ${licence} |`).join("\n")}
`
}

const INTRODUCTION = `# Licences

Written by \`pnpm generate\` from the packages that are installed; do not edit.

What a production install holds: everything that \`packages/service\` and \`migrations\` depend on, optional packages included, for tests and benchmarks
nothing. A \`*\` stands for the platform. The service itself is under MIT (\`LICENSE\`).
`
