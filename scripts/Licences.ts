import { existsSync, globSync, readFileSync, realpathSync } from "node:fs"
import { dirname, join } from "node:path"
import { CONFUSABLES_VERSION } from "../packages/domain/src/text/Skeleton.ts"

const ROOT = join(import.meta.dirname, "..")

/** Deployed packages: the service, and the migration command. */
const DEPLOYED = ["packages/service", "migrations"]

/** Licences that require only a notice. */
const PERMISSIVE = new Set([
  ...["0BSD", "Apache-2.0", "BlueOak-1.0.0", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "ISC", "MIT", "MIT-0"],
  // Of a font: it may be in software of any licence, under its own name.
  "OFL-1.1",
  ...["PostgreSQL", "Python-2.0", "Unlicense", "WTFPL", "Zlib"],
])

/** A package of the production dependency closure. */
export interface LicensedPackage {
  /** One name for all platforms, such as `@img/sharp-*`. */
  readonly name: string
  readonly version: string
  readonly licence: string
  /** The shortest dependency path to it, from a deployed package. */
  readonly broughtBy: ReadonlyArray<string>
}

export interface Manifest {
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

/** The folder of a package by Node's resolution; packages of other platforms are not installed. */
const installed = (name: string, from: string): string | undefined => {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, "node_modules", name)
    if (existsSync(join(candidate, "package.json"))) return realpathSync(candidate)
    if (folder === dirname(folder)) return undefined
  }
}

const manifestIn = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))

/** First words of licences, for packages with only the text. */
const BY_TEXT: ReadonlyArray<readonly [text: string, licence: string]> = [
  ["Permission is hereby granted, free of charge", "MIT"],
  ["free and unencumbered software released into the public domain", "Unlicense"],
]

export const licenceOf = ({ license, licenses, name }: Manifest, folder: string): string => {
  const said = typeof license === "string" ? license : (license?.type ?? licenses?.map(({ type }) => type).join(" OR "))
  if (said !== undefined && said !== "") return said
  for (const file of globSync("LICEN[CS]E*", { cwd: folder })) {
    const text = readFileSync(join(folder, file), "utf8").replaceAll(/\s+/g, " ")
    const known = BY_TEXT.find(([beginning]) => text.includes(beginning))
    if (known !== undefined) return known[1]
  }
  throw new Error(`${name} does not state its licence`)
}

/**
 * Whether an SPDX expression can be satisfied with a notice. Nested expressions are not parsed and count as not
 * permissive, so they need a note.
 */
export const isPermissive = (licence: string): boolean =>
  licence
    .replace(/^\(([^()]*)\)$/, "$1")
    .split(" OR ")
    .some((alternative) => alternative.split(" AND ").every((each) => PERMISSIVE.has(each)))

/**
 * Every package of a production install, on any platform. Only installed peer dependencies count; our own packages are
 * skipped.
 */
export const productionClosure = (): ReadonlyArray<LicensedPackage> => {
  const found = new Map<string, LicensedPackage>()
  const seen = new Set<string>()
  let level = DEPLOYED.map((folder) => ({ folder: join(ROOT, folder), broughtBy: [] as ReadonlyArray<string> }))
  // Breadth first: the first path to a package is a shortest one.
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
      // Those of ours are optional: they come with the dApp that installs the client, not with the service.
      const peers = isOurs ? {} : manifest.peerDependencies
      const wanted = { ...manifest.dependencies, ...manifest.optionalDependencies, ...peers }
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

/** Why packages with non-permissive licences are used. */
const NOTES: Readonly<Record<string, string>> = {
  "@img/sharp-libvips-*":
    "decodes uploaded images. A shared library, loaded by sharp with the first image; one per platform.",
  "rpc-websockets":
    "required by web3.js v1 on load: `Connection`, which the SDK needs, extends one of its classes, so launches and quotes cannot be built without it. No connection is ever opened with it.",
}

/** `licences.md` of a release: the packages of a production install. */
export const licencesText = (): string => {
  const packages = productionClosure()
  const others = packages.filter(({ licence }) => !isPermissive(licence))
  const noted = others.map(({ broughtBy, licence, name, version }) => {
    const note = NOTES[name]
    if (note === undefined) throw new Error(`${name} is under ${licence}: add a note to scripts/Licences.ts`)
    return `- \`${name}\` ${version}, ${licence}, through ${broughtBy.map((each) => `\`${each}\``).join(" → ")}: ${note}`
  })
  const counted = new Map<string, number>()
  for (const { licence } of packages) counted.set(licence, (counted.get(licence) ?? 0) + 1)
  const counts = [...counted].sort(([a, many], [b, more]) => more - many || (a < b ? -1 : 1))
  return `${INTRODUCTION}
## Not permissive

${noted.join("\n")}

They are installed unmodified, in their own folders, and are loaded from there at run time: another version can be used by
replacing the folder, as the LGPL requires. This also holds for the container image: its bundle leaves them out, and \`pnpm bundle\` fails for
a package that asks for more than a notice. The licences of what is in the bundle are in its \`licences.txt\`. The README of libvips lists its parts and their licences.

## Data

\`packages/domain/src/text/confusables.json\` is made from \`confusables.txt\` of the Unicode Security Mechanisms, version ${CONFUSABLES_VERSION}, by
\`scripts/confusables.ts\`. © Unicode, Inc., under the Unicode License V3 (\`bundle/Unicode-3.0.txt\`), which is permissive.

## All packages

${counts.map(([licence, count]) => `${count} under ${licence}`).join(", ")}.

| package | version | licence |
| --- | --- | --- |
${packages.map(({ licence, name, version }) => `| \`${name}\` | ${version} | ${licence} |`).join("\n")}
`
}

const INTRODUCTION = `# Licences

Packages of a production install: all dependencies of \`packages/service\` and \`migrations\`, including optional ones, without those of tests and
benchmarks. A \`*\` stands for the platform. The service itself is under MIT (\`LICENSE\`).
`

// `node scripts/Licences.ts` prints it.
if (import.meta.main) process.stdout.write(licencesText())
