/**
 * Writes `packages/domain/src/text/confusables.json` from `confusables.txt` of the Unicode Security Mechanisms (UTS #39), which is
 * published at https://www.unicode.org/Public/<version>/security/confusables.txt:
 *
 *     node scripts/confusables.ts <path of confusables.txt>
 *
 * Run it with a newer file when Node's own Unicode version (`process.versions.unicode`) has gone up.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const OUT = join(import.meta.dirname, "..", "packages", "domain", "src", "text", "confusables.json")

const [file] = process.argv.slice(2)
if (file === undefined) throw new Error("usage: node scripts/confusables.ts <path of confusables.txt>")
const text = readFileSync(file, "utf8")

const version = /^# Version: (\d+\.\d+\.\d+)$/m.exec(text)?.[1]
if (version === undefined) throw new Error("the file does not name its version")

/** Characters by the prototype that they look like; both in hexadecimal. */
const prototypes = new Map<string, Array<string>>()
for (const line of text.replace("\ufeff", "").split("\n")) {
  const [source, target] = line
    .split("#")[0]!
    .split(";")
    .map((part) => part.trim().toLowerCase())
  if (source === undefined || source === "" || target === undefined) continue
  if (!/^[0-9a-f]{4,6}$/.test(source) || !/^[0-9a-f]{4,6}( [0-9a-f]{4,6})*$/.test(target))
    throw new Error(`not a mapping: ${line}`)
  prototypes.set(target, [...(prototypes.get(target) ?? []), source])
}

const sorted = [...prototypes].sort(([left], [right]) => (left < right ? -1 : 1))
const entries = sorted.map(([target, sources]) => [target, sources.sort().join(" ")])
writeFileSync(OUT, `${JSON.stringify({ version, prototypes: Object.fromEntries(entries) }, null, 2)}\n`)
