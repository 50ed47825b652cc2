import { execFile } from "node:child_process"
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { Effect } from "effect"

const PAGE = readFileSync(new URL("../../../../docs/access.md", import.meta.url), "utf8")
const [, CODE = ""] = /^```ts sign\.ts\n([\s\S]*?)^```$/m.exec(PAGE) ?? []

/** The TypeScript that the generator of clients has: its library is that of browsers. */
const COMPILER = join(
  dirname(realpathSync(join(import.meta.dirname, "..", "..", "node_modules", "openapi-typescript"))),
  ...["typescript", "bin", "tsc"],
)

export interface Wallet {
  readonly address: string
  readonly signMessage: (message: Uint8Array) => Promise<Uint8Array>
}

export interface Service {
  readonly url: string
  readonly network: string
}

/** What `sign.ts` of docs/access.md exports. */
export interface Signing {
  readonly authorization: (
    service: Service,
    wallet: Wallet,
    method: string,
    path: string,
    body?: Uint8Array,
  ) => Promise<string>
  readonly describeToken: (service: Service, wallet: Wallet, id: string, description: string) => Promise<void>
}

const page = Effect.acquireRelease(
  Effect.sync(() => {
    const folder = mkdtempSync(join(tmpdir(), "registry-signing-"))
    const file = join(folder, "sign.ts")
    writeFileSync(file, CODE)
    return { folder, file }
  }),
  ({ folder }) => Effect.sync(() => rmSync(folder, { recursive: true, force: true })),
)

/** The code of the page, as a module. */
export const signing = Effect.flatMap(page, ({ file }) =>
  Effect.promise(async () => (await import(pathToFileURL(file).href)) as Signing),
)

/** What the compiler says of the code of the page. */
export const compiled = Effect.flatMap(page, ({ file }) =>
  Effect.promise(() =>
    promisify(execFile)(process.execPath, [
      ...[COMPILER, "--noEmit", "--strict", "--noUnusedLocals", "--exactOptionalPropertyTypes"],
      ...["--target", "es2023", "--lib", "es2023,dom", "--module", "esnext", "--moduleResolution", "bundler"],
      ...[file],
    ]).then(
      () => "",
      ({ stderr, stdout }: { readonly stderr: string; readonly stdout: string }) => stdout + stderr,
    ),
  ),
)
