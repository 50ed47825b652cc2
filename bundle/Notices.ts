import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { isPermissive, licenceOf } from "../scripts/Licences.ts"

/** Its text is asked for with every copy, and some packages under it have none. */
const APACHE = join(import.meta.dirname, "Apache-2.0.txt")
/** Of the table of confusable characters, which our own sources have. */
const UNICODE = join(import.meta.dirname, "Unicode-3.0.txt")

/** Package folders of bundled modules; what rolldown adds itself and our own sources have none. */
const packageFolders = (modules: ReadonlyArray<string>): ReadonlyArray<string> => {
  const folders = new Set<string>()
  for (const module of modules) {
    const [, folder] = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(module) ?? []
    if (folder !== undefined) folders.add(folder)
  }
  return [...folders]
}

/** Whose it is, where a package has no text of its licence. */
const withoutText = ({ author, homepage, repository }: Origin): string => {
  const by = typeof author === "string" ? author : author?.name
  const at = homepage ?? (typeof repository === "string" ? repository : repository?.url)
  return `The package has no text of it.${by === undefined ? "" : ` By ${by}.`}${at === undefined ? "" : ` ${at}`}`
}

interface Origin {
  readonly author?: string | { readonly name: string }
  readonly homepage?: string
  readonly repository?: string | { readonly url: string }
}

/**
 * Names, licences and their texts of the packages whose code is in a bundle. Throws for a licence that asks for more than
 * a notice: such a package stays beside the bundle.
 */
export const noticesOf = (modules: ReadonlyArray<string>): string => {
  const notices = new Map<string, string>()
  for (const folder of packageFolders(modules)) {
    const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
    const licence = licenceOf(manifest, folder)
    const title = `${manifest.name} ${manifest.version}, ${licence}`
    if (!isPermissive(licence)) throw new Error(`${title}: it cannot be bundled; make it a dependency of the root`)
    const texts = globSync("{LICEN[CS]E,licen[cs]e,NOTICE,COPYING}*", { cwd: folder })
      .sort()
      .map((file) => readFileSync(join(folder, file), "utf8").trim())
    if (texts.length === 0) texts.push(withoutText(manifest))
    notices.set(title, [`${title}\n${"=".repeat(title.length)}`, ...texts].join("\n\n"))
  }
  const texts = [...notices].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text)
  return `${[...texts, ...[APACHE, UNICODE].map((file) => readFileSync(file, "utf8").trim())].join("\n\n\n")}\n`
}
