import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { Effect } from "effect"
import { commandOutput } from "./CommandOutput.ts"
import { temporaryFolder } from "./TemporaryFolder.ts"

export const ROOT = join(import.meta.dirname, "..", "..", "..")

/** The files on a page: every block of code whose fence names one, in order. */
export const filesOn = (page: string): ReadonlyMap<string, string> => {
  const files = new Map<string, string>()
  for (const [, name = "", code = ""] of readFileSync(join(ROOT, page), "utf8").matchAll(
    /^```\w+ (\S+)\n([\s\S]*?)^```$/gm,
  ))
    files.set(name, `${files.get(name) ?? ""}${code}\n`)
  return files
}

/** A folder with files of a page, for the lifetime of the scope. */
export const documentedProject = Effect.fnUntraced(function* (files: ReadonlyMap<string, string>) {
  const folder = yield* temporaryFolder
  const write = (name: string, text: string) => Effect.sync(() => writeFileSync(join(folder, name), text))
  for (const [name, code] of files) yield* write(name, code)
  return {
    folder,
    write,
    /** What Node says in the folder, whether or not it succeeded. */
    node: (file: string, ...args: ReadonlyArray<string>) =>
      Effect.map(
        Effect.promise(() => commandOutput(file, args, {}, folder)),
        ({ code, err, out }) => ({ isDone: code === 0, text: out + err }),
      ),
    /** What a file exports. */
    load: (name: string) =>
      Effect.promise(async () => (await import(pathToFileURL(join(folder, name)).href)) as unknown),
  }
})
