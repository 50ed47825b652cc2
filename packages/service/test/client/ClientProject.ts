import { execFile } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { Effect } from "effect"

const PAGE = readFileSync(new URL("../../../../docs/client.md", import.meta.url), "utf8")
const PACKAGES = join(import.meta.dirname, "..", "..", "node_modules")

/** The files on a page: every block of code whose fence names one, in order. */
const filesIn = (page: string): ReadonlyMap<string, string> => {
  const files = new Map<string, string>()
  for (const [, name = "", code = ""] of page.matchAll(/^```\w+ (\S+)\n([\s\S]*?)^```$/gm))
    files.set(name, `${files.get(name) ?? ""}${code}\n`)
  return files
}

/** The files in `docs/client.md`. */
export const CLIENT_FILES = filesIn(PAGE)

const exec = promisify(execFile)

/** A folder with the files of the page and the packages that it installs, for the lifetime of the scope. */
export const clientProject = Effect.fnUntraced(function* (openApi: string) {
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "registry-client-"))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true })),
  )
  const generator = realpathSync(join(PACKAGES, "openapi-typescript"))
  mkdirSync(join(folder, "node_modules"))
  for (const [name, path] of [
    ["openapi-fetch", realpathSync(join(PACKAGES, "openapi-fetch"))],
    ["openapi-typescript", generator],
    // The generator has its own: the workspace has another version.
    ["typescript", join(dirname(generator), "typescript")],
  ] as const)
    symlinkSync(path, join(folder, "node_modules", name))
  writeFileSync(join(folder, "openapi.json"), openApi)
  for (const [name, code] of CLIENT_FILES) writeFileSync(join(folder, name), code)

  /** Runs Node in the folder; returns its output, whether or not it succeeded. */
  const node = (...args: ReadonlyArray<string>) =>
    Effect.promise(() =>
      exec(process.execPath, args, { cwd: folder }).then(
        ({ stderr, stdout }) => ({ isDone: true, text: stdout + stderr }),
        ({ stderr, stdout }: { readonly stderr: string; readonly stdout: string }) => ({
          isDone: false,
          text: stdout + stderr,
        }),
      ),
    )
  return {
    generate: node("generate.mjs"),
    compile: node(join("node_modules", "typescript", "bin", "tsc")),
    run: (name: string) => node(name),
    load: Effect.promise(() => import(pathToFileURL(join(folder, "dapp.ts")).href)),
    write: (name: string, code: string) => Effect.sync(() => writeFileSync(join(folder, name), code)),
  }
})
