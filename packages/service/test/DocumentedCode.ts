import { execFile } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { Effect } from "effect"

const ROOT = join(import.meta.dirname, "..", "..", "..")

const COMPILER = join(ROOT, "node_modules", "typescript", "bin", "tsc")

/** The code of a page of the documentation that is marked with a file's name. */
export const documentedCode = (page: string, name: string) => {
  const text = readFileSync(join(ROOT, page), "utf8")
  const [, code] = new RegExp(`^\`\`\`ts ${name.replace(".", "\\.")}\\n([\\s\\S]*?)^\`\`\`$`, "m").exec(text) ?? []
  if (code === undefined) throw new Error(`${page} has no ${name}`)

  const file = Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "registry-documented-"))),
      (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true })),
    ),
    (folder) => {
      writeFileSync(join(folder, name), code)
      return join(folder, name)
    },
  )
  return {
    /** What it exports. */
    module: Effect.flatMap(file, (path) =>
      Effect.promise(async () => (await import(pathToFileURL(path).href)) as unknown),
    ),
    /** What the compiler says of it with strict settings. */
    compiled: (options: ReadonlyArray<string>) =>
      Effect.flatMap(file, (path) =>
        Effect.promise(() =>
          promisify(execFile)(process.execPath, [
            ...[
              COMPILER,
              "--singleThreaded",
              "--ignoreConfig",
              "--noEmit",
              "--strict",
              "--noUnusedLocals",
              "--exactOptionalPropertyTypes",
            ],
            ...["--target", "es2023", "--module", "esnext", "--moduleResolution", "bundler"],
            ...options,
            path,
          ]).then(
            () => "",
            ({ stderr, stdout }: { readonly stderr: string; readonly stdout: string }) => stdout + stderr,
          ),
        ),
      ),
  }
}

/** Where `@types` are. */
export const TYPE_ROOTS = join(ROOT, "node_modules", "@types")
