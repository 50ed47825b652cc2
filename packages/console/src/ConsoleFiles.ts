import { existsSync, globSync, readFileSync, realpathSync } from "node:fs"
import nodeModule from "node:module"
import { dirname, join } from "node:path"

interface Vendor {
  readonly file: string
  /** With the text of its licence. */
  readonly folder: string
  /** What goes in front of that text. */
  readonly notice?: string
}

/** Modules of packages that the console imports by name. */
const VENDOR: Readonly<Record<string, Vendor>> = {
  htm: { file: "htm/dist/htm.module.js", folder: "htm" },
  "lightweight-charts": {
    file: "lightweight-charts/dist/lightweight-charts.standalone.production.mjs",
    folder: "lightweight-charts",
    // Of its repository; the package does not have it.
    notice:
      "TradingView Lightweight Charts™\nCopyright (c) 2025 TradingView, Inc. https://www.tradingview.com/\n\nContains fancy-canvas, MIT License, by TradingView, Inc.",
  },
  preact: { file: "preact/dist/preact.mjs", folder: "preact" },
  "preact/hooks": { file: "preact/hooks/dist/hooks.mjs", folder: "preact" },
}

/** The page, which names the others. */
export const PAGE = "console.html"

/** Our own package that the console imports by name: its entry, and where its modules are served. */
const CLIENT = { name: "@launch-registry/client", entry: "Client.js", folder: "client" } as const

const SOURCES = join(import.meta.dirname, "browser")
const PACKAGES = join(import.meta.dirname, "../node_modules")
/** Beside the bundle. */
const BUNDLED = "console"

const vendorFile = (name: string): string => `vendor/${name.replace("/", "-")}.js`

/** Packages whose code is in a file of another one: it lies beside that one. */
const WITHIN = [{ folder: "lightweight-charts", module: "fancy-canvas/index.mjs" }] as const

/** Files of packages whose code the console has, for their notices. */
export const vendorModules = (): ReadonlyArray<string> => [
  ...Object.values(VENDOR).map(({ file }) => join(PACKAGES, file)),
  ...WITHIN.map(({ folder, module }) => join(realpathSync(join(PACKAGES, folder)), "..", module)),
]

/** Imports as a browser resolves them: of our modules by their served names, of packages by where they are served. */
const withServedImports = (text: string, path: string): string => {
  const root = path.includes("/") ? "../".repeat(path.split("/").length - 1) : "./"
  return text.replaceAll(/(\bfrom\s*|\bimport\s*\(?\s*)"([^"]+)"/g, (whole, before: string, specifier: string) => {
    if (specifier.startsWith(".")) return `${before}"${specifier.replace(/\.ts$/, ".js")}"`
    if (specifier === CLIENT.name) return `${before}"${root}${CLIENT.folder}/${CLIENT.entry}"`
    return specifier in VENDOR ? `${before}"${root}${vendorFile(specifier)}"` : whole
  })
}

/** Node warns that this is experimental, which is no news to who starts the service from its sources. */
const stripped = (text: string): string => {
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    return nodeModule.stripTypeScriptTypes(text)
  } finally {
    process.emitWarning = emitWarning
  }
}

/**
 * The modules that a module imports before it runs, itself included, by their served paths. What is imported by a call is not among
 * them: it is loaded when it is needed.
 */
export const importedBefore = (files: ReadonlyMap<string, string>, entry: string): ReadonlyArray<string> => {
  const found = new Set([entry])
  for (const path of found)
    for (const [, specifier = ""] of (files.get(path) ?? "").matchAll(/\b(?:from|import)\s*"(\.[^"]+)"/g))
      found.add(join(dirname(path), specifier))
  return [...found]
}

/** With the text of its licence, which goes where the code goes. */
const licensed = ({ file, folder, notice }: Vendor): string => {
  const { version } = JSON.parse(readFileSync(join(PACKAGES, folder, "package.json"), "utf8"))
  const licence = readFileSync(join(PACKAGES, folder, "LICENSE"), "utf8")
    .trim()
    .replaceAll("*/", "* /")
  const code = readFileSync(join(PACKAGES, file), "utf8").replaceAll(/^\/\/# sourceMappingURL=.*$/gm, "")
  const heading = notice === undefined ? `${folder} ${version}` : `${folder} ${version}\n\n${notice}`
  return `/*!\n${heading}\n\n${licence}\n*/\n${code}`
}

/** The modules that the client's entry imports, itself included; what is imported for its types alone is not among them. */
const clientModules = (folder: string): ReadonlyArray<string> => {
  const found = new Set(["Client.ts"])
  for (const path of found) {
    const code = stripped(readFileSync(join(folder, path), "utf8"))
    for (const [, other = ""] of code.matchAll(/\bfrom\s*"(\.[^"]+)"/g)) found.add(join(dirname(path), other))
  }
  return [...found]
}

const fromSources = (): ReadonlyMap<string, string> => {
  const files = new Map<string, string>()
  for (const path of globSync("**/*.{ts,css,html}", { cwd: SOURCES }).sort()) {
    const text = readFileSync(join(SOURCES, path), "utf8")
    if (path.endsWith(".ts")) files.set(path.replace(/\.ts$/, ".js"), withServedImports(stripped(text), path))
    else files.set(path, text)
  }
  const client = join(PACKAGES, CLIENT.name, "src")
  for (const path of clientModules(client)) {
    const served = `${CLIENT.folder}/${path.replace(/\.ts$/, ".js")}`
    files.set(served, withServedImports(stripped(readFileSync(join(client, path), "utf8")), served))
  }
  for (const [name, origin] of Object.entries(VENDOR)) {
    const path = vendorFile(name)
    files.set(path, withServedImports(licensed(origin), path))
  }
  return files
}

const bundledFolder = (folder: string = import.meta.dirname): string => {
  if (existsSync(join(folder, BUNDLED, PAGE))) return join(folder, BUNDLED)
  if (folder === dirname(folder)) throw new Error("There is no console beside the service")
  return bundledFolder(dirname(folder))
}

/**
 * The console as browsers get it, by paths within it. In a checkout types are stripped from its sources; a bundle has
 * the result beside it.
 */
export const consoleFiles = (): ReadonlyMap<string, string> => {
  if (existsSync(SOURCES)) return fromSources()
  const folder = bundledFolder()
  return new Map(
    globSync("**/*.{js,css,html}", { cwd: folder }).map((path) => [path, readFileSync(join(folder, path), "utf8")]),
  )
}
