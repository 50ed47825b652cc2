import { execFile } from "node:child_process"
import { globSync, mkdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { parseAst } from "vite"

/** A package that knows the chain. Those with IDLs have the version whose IDLs the code in `packages/chain` was written by. */
export interface ChainPackage {
  readonly name: string
  /** Of the versions that count, where the newest of all is another product. */
  readonly range?: string
  readonly reviewed?: string
}

export const CHAIN_PACKAGES: ReadonlyArray<ChainPackage> = [
  { name: "@solana/kit" },
  // What the SDKs use; 2.0.0 was the beginning of kit.
  { name: "@solana/web3.js", range: "1" },
  { name: "litesvm" },
  { name: "@meteora-ag/dynamic-bonding-curve-sdk", reviewed: "1.5.12" },
  { name: "@meteora-ag/cp-amm-sdk", reviewed: "1.5.0" },
  { name: "@meteora-ag/dynamic-amm-sdk", reviewed: "1.4.1" },
  { name: "@meteora-ag/vault-sdk", reviewed: "2.3.1" },
]

/** DBC, DAMM v2, DAMM v1 and its vaults; packages have IDLs of other programs too. */
const PROGRAMS: ReadonlySet<string> = new Set(["dynamic_bonding_curve", "cp_amm", "amm", "vault"])
const KINDS = ["instructions", "accounts", "events", "errors", "types"] as const

type Idl = Readonly<Partial<Record<(typeof KINDS)[number], ReadonlyArray<IdlItem>>>> & { readonly name: string }
interface IdlItem {
  readonly name: string
  readonly discriminator?: ReadonlyArray<number>
}
/** Older ones have no metadata. */
type WrittenIdl = Idl & { readonly metadata?: { readonly name?: string } }

export interface PackageNews {
  readonly name: string
  /** Absent where it is not installed. */
  readonly ours: string | undefined
  readonly newest: string
  /** What its IDLs have that is not known here, in words. */
  readonly unknown: ReadonlyArray<string>
}

/** What the registry that npm is configured with has of the packages. Fails where npm does. */
export const chainNews = (
  packages: ReadonlyArray<ChainPackage>,
  { code, folder, lockfile }: { readonly code: string; readonly folder: string; readonly lockfile: string },
): Promise<ReadonlyArray<PackageNews>> =>
  Promise.all(
    packages.map(async ({ name, range, reviewed }) => {
      const viewed = JSON.parse(await npm("view", range === undefined ? name : `${name}@${range}`, "version", "--json"))
      const newest = String([viewed].flat().at(-1))
      const ours = new RegExp(`^  '?${name}@(\\d[^'(:]*)'?:$`, "m").exec(lockfile)?.[1]
      if (reviewed === undefined || reviewed === newest) return { name, ours, newest, unknown: [] }
      const [before, after] = await Promise.all(
        [reviewed, newest].map(async (version) => idlsIn(await unpacked(`${name}@${version}`, folder))),
      )
      const gone = [...before!.keys()].filter((program) => !after!.has(program))
      const unknown = [
        ...gone.map((program) => `${program}: no IDL any more`),
        ...[...after!].flatMap(([program, idl]) => changes(program, before!.get(program), idl, code)),
      ]
      return { name, ours, newest, unknown }
    }),
  )

const npm = async (...args: ReadonlyArray<string>): Promise<string> =>
  (await promisify(execFile)("npm", [...args, "--ignore-scripts"], { timeout: 600_000, maxBuffer: 2 ** 26 })).stdout

/** The folder with the files of a version. Nothing of it is run. */
const unpacked = async (version: string, folder: string): Promise<string> => {
  const into = join(folder, version.replaceAll("/", "+"))
  mkdirSync(into)
  const file = (await npm("pack", version, "--silent", "--pack-destination", into)).trim()
  await promisify(execFile)("tar", ["-xzf", join(into, file), "-C", into])
  return into
}

/** The IDLs in its files by program: JSON, or literals in scripts. */
const idlsIn = (folder: string): ReadonlyMap<string, Idl> => {
  const idls = new Map<string, Idl>()
  for (const file of globSync("**/*.{js,json}", { cwd: folder })) {
    const text = readFileSync(join(folder, file), "utf8")
    if (!/\binstructions["']?:/.test(text)) continue
    const roots: ReadonlyArray<object> = file.endsWith(".json") ? [JSON.parse(text)] : literalsIn(parseAst(text))
    for (const idl of roots as ReadonlyArray<WrittenIdl>) {
      const name = idl.metadata?.name ?? idl.name
      if (PROGRAMS.has(name)) idls.set(name, idl)
    }
  }
  return idls
}

/** Of a syntax tree, as ESTree has it. */
interface Node {
  readonly type: string
  readonly elements: ReadonlyArray<Node>
  readonly properties: ReadonlyArray<Node>
  readonly key: { readonly name?: string; readonly value?: unknown }
  readonly value: unknown
}

/** The object literals of a script that have instructions. */
const literalsIn = (node: unknown): ReadonlyArray<object> => {
  if (typeof node !== "object" || node === null) return []
  const value = (node as Node).type === "ObjectExpression" ? (valueOf(node as Node) as object) : {}
  return "instructions" in value ? [value] : Object.values(node).flatMap(literalsIn)
}

const valueOf = ({ elements, properties, type, value }: Node): unknown => {
  if (type === "Literal") return value
  if (type === "ArrayExpression") return elements.map(valueOf)
  if (type !== "ObjectExpression") return undefined
  const entries = properties.filter((one) => one.type === "Property")
  return Object.fromEntries(entries.map(({ key, value }) => [key.name ?? key.value, valueOf(value as Node)]))
}

/**
 * What of a program is new, different or gone. What is new is known where `code` has its discriminator, or the name of the error; new types
 * are of something that is new or different as well.
 */
const changes = (program: string, before: Idl | undefined, after: Idl, code: string): ReadonlyArray<string> =>
  KINDS.flatMap((kind) => {
    const [old, now] = [before?.[kind] ?? [], after[kind] ?? []]
    const shapes = new Map(old.map((item) => [item.name, shapeOf(item)]))
    const names = new Set(now.map(({ name }) => name))
    const isKnown = ({ discriminator, name }: IdlItem) =>
      kind === "types" ||
      code.includes(`"${discriminator === undefined ? name : Buffer.from(discriminator).toString("hex")}"`)
    const what = (change: string, name: string) => `${program}: ${change} in ${kind}: ${name}`
    return [
      ...now.filter((item) => !shapes.has(item.name) && !isKnown(item)).map(({ name }) => what("new", name)),
      ...now
        .filter((item) => shapes.has(item.name) && shapes.get(item.name) !== shapeOf(item))
        .map(({ name }) => what("different", name)),
      ...old.filter(({ name }) => !names.has(name)).map(({ name }) => what("gone", name)),
    ]
  })

/** Without words for people, and without how addresses are derived, which SDKs come to leave out. */
const shapeOf = (item: IdlItem): string =>
  JSON.stringify(item, (key, value: unknown) => (["docs", "msg", "pda"].includes(key) ? undefined : value))
