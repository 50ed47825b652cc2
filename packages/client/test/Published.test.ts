import { execFile, execFileSync } from "node:child_process"
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { gzipSync } from "node:zlib"
import { rolldown } from "rolldown"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { buildClient, packClient } from "../../../scripts/buildClient.ts"
import { standIn, success } from "./StandIn.ts"

const PACKAGE = join(import.meta.dirname, "..")
const ROOT = join(PACKAGE, "..", "..")
const README = readFileSync(join(PACKAGE, "README.md"), "utf8")
/** Goal of the package: what a page loads of it, compressed. */
const BYTES_MAX = 6_000
const COMPILER = join(dirname(fileURLToPath(import.meta.resolve("typescript/package.json"))), "bin", "tsc")

const EXAMPLES = [...README.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = ""]) => code)

const run = (args: ReadonlyArray<string>, cwd: string) =>
  promisify(execFile)(process.execPath, args, { cwd }).then(
    ({ stderr, stdout }) => stdout + stderr,
    ({ stderr, stdout }: { readonly stderr: string; readonly stdout: string }) => `failed: ${stdout}${stderr}`,
  )

describe("The published package", () => {
  const folder = mkdtempSync(join(tmpdir(), "registry-published-"))
  const installed = join(folder, "node_modules", "@launch-registry", "client")

  beforeAll(() => {
    const built = join(folder, "built")
    buildClient(built)
    writeFileSync(join(folder, "package.json"), '{"type":"module"}')
    // Without a registry: it depends on nothing.
    execFileSync("npm", ["install", "--offline", "--no-audit", "--no-fund", packClient(built, folder)], { cwd: folder })
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const compilerOptions = {
    ...{ target: "ES2023", lib: ["ES2023", "DOM", "DOM.Iterable", "DOM.AsyncIterable"], types: [] },
    ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, noEmit: true },
    noPropertyAccessFromIndexSignature: true,
  }
  const compiled = async (files: ReadonlyArray<string>, options: object) => {
    writeFileSync(
      join(folder, "tsconfig.json"),
      JSON.stringify({ compilerOptions: { ...compilerOptions, ...options }, files }),
    )
    return run([COMPILER, "--singleThreaded"], folder)
  }

  it("is whole when npm has installed its tarball: it depends on nothing, and has each file that its manifest names", () => {
    const {
      devDependencies,
      dependencies,
      exports,
      private: isPrivate,
    } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"))
    assert.deepStrictEqual([dependencies, devDependencies, isPrivate], [undefined, undefined, undefined])
    assert.deepStrictEqual(readdirSync(join(folder, "node_modules", "@launch-registry")), ["client"])
    assert.sameMembers(Object.keys(exports), [".", "./effect", "./react"])
    for (const named of Object.values<Record<string, string>>(exports))
      for (const path of Object.values(named)) assert.isTrue(existsSync(join(installed, path)), path)
  })

  it("compiles where it is used, with strict settings, and runs in Node.js without anything else installed", async () => {
    await using registry = await standIn(() =>
      success([{ name: "One" }], { pagination: { limit: 1, nextCursor: null } }),
    )
    writeFileSync(join(folder, "example.ts"), EXAMPLES[0]!.replace("http://localhost:3001", registry.url))
    for (const options of [
      { module: "NodeNext", moduleResolution: "NodeNext" },
      { module: "ESNext", moduleResolution: "Bundler" },
    ])
      assert.strictEqual(await compiled(["example.ts"], options), "")
    assert.strictEqual(await run(["example.ts"], folder), "One\n")
    assert.strictEqual(registry.asked.length, 1)
  })

  it("is used as README.md shows, also with what it names beside it", async () => {
    mkdirSync(join(folder, "node_modules", "@solana"))
    mkdirSync(join(folder, "node_modules", "@tanstack"))
    mkdirSync(join(folder, "node_modules", "@types"))
    for (const name of ["effect", "react", "@solana/kit", "@tanstack/react-query", "@types/react"])
      symlinkSync(realpathSync(join(PACKAGE, "node_modules", name)), join(folder, "node_modules", name))
    const files = EXAMPLES.map((code, index) => {
      writeFileSync(join(folder, `example${index}.ts`), code)
      return `example${index}.ts`
    })
    assert.isAbove(files.length, 5)
    // Those of effect and of the kit name types of Node.js.
    const options = { skipLibCheck: true, types: ["node"], typeRoots: [join(ROOT, "node_modules", "@types")] }
    assert.strictEqual(await compiled(files, { ...options, module: "NodeNext", moduleResolution: "NodeNext" }), "")
    writeFileSync(
      join(folder, "live.ts"),
      `import { Effect } from "effect"\nimport { isLive } from "./example${files.length - 1}.ts"\nconsole.log(Effect.isEffect(isLive))\n`,
    )
    assert.strictEqual(await run(["live.ts"], folder), "true\n")
  })

  it(`is less than ${BYTES_MAX} bytes compressed, all of it`, async () => {
    const bundle = await rolldown({ input: join(installed, "client", "src", "Client.js") })
    const { output } = await bundle.generate({ format: "esm", minify: true })
    assert.strictEqual(output.length, 1)
    assert.notMatch(output[0].code, /\bfrom\s*["']|\bprocess\b|\brequire\(|\bBuffer\b/)
    assert.isBelow(gzipSync(output[0].code, { level: 9 }).length, BYTES_MAX)
  })
})
