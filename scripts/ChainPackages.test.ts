import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest"
import { chainNews } from "./ChainPackages.ts"

const folder = mkdtempSync(join(tmpdir(), "registry-chain-packages-"))
const nameOf = (url: string) => decodeURIComponent(url.slice(1))

const program = (name: string, more: object = {}) => ({
  address: "11111111111111111111111111111111",
  metadata: { name, version: "0.1.0" },
  instructions: [
    { name: "swap", docs: ["Swaps"], discriminator: [1, 2, 3, 4, 5, 6, 7, 8], accounts: [{ name: "pool" }], args: [] },
  ],
  events: [{ name: "EvtSwap", discriminator: [8, 7, 6, 5, 4, 3, 2, 1] }],
  errors: [{ code: 6000, name: "TooLittle", msg: "Too little" }],
  types: [{ name: "EvtSwap", type: { kind: "struct", fields: [{ name: "amount", type: "u64" }] } }],
  ...more,
})
const BEFORE = program("cp_amm")
const AFTER = program("cp_amm", {
  instructions: [
    { ...BEFORE.instructions[0]!, docs: ["Swaps, they say"] },
    { name: "swap3", discriminator: [222, 173, 190, 239, 0, 0, 0, 1], accounts: [], args: [] },
    { name: "known", discriminator: [171, 171, 171, 171, 171, 171, 171, 171], accounts: [], args: [] },
  ],
  events: [],
  errors: [...BEFORE.errors, { code: 6001, name: "TooMuch" }, { code: 6002, name: "NamedHere" }],
  types: [{ name: "EvtSwap", type: { kind: "struct", fields: [{ name: "amount", type: "u128" }] } }],
})

/** A script that would leave a file if it was run. */
const script = (idl: object) =>
  `require("node:fs").writeFileSync(${JSON.stringify(join(folder, "ran"))}, "")\nvar idl_default = ${JSON.stringify(idl)};\n`
/** As old compilers of Anchor write them, in an older form. */
const oldScript = (items: string) => `exports.IDL = { version: '0.5.3', name: 'amm', instructions: [${items}] }\n`

const PACKAGES: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>> = {
  "@made-up/sdk": {
    "1.0.0": { "dist/index.js": script(BEFORE), "dist/vault.json": JSON.stringify(program("vault")) },
    "1.1.0": { "dist/index.js": script(AFTER) },
  },
  "@made-up/old-sdk": {
    "2.0.0": {
      "dist/idl.js": oldScript("{ name: 'swap', args: [-1] }"),
      "dist/other.json": JSON.stringify(program("other")),
    },
    "2.0.1": {
      "dist/idl.js": oldScript("{ name: 'swap', args: [-1] }"),
      "dist/other.json": JSON.stringify(AFTER.types),
    },
  },
  "made-up-client": { "1.9.0": {}, "1.10.0": {}, "2.0.0": {} },
}

const tarball = (name: string, version: string): Buffer => {
  const source = mkdtempSync(join(folder, "source-"))
  const scripts = { prepare: `touch ${join(folder, "ran")}`, prepack: `touch ${join(folder, "ran")}` }
  const files = { "package.json": JSON.stringify({ name, version, scripts }), ...PACKAGES[name]![version] }
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(join(source, "package", file, ".."), { recursive: true })
    writeFileSync(join(source, "package", file), text)
  }
  return execFileSync("tar", ["-czf", "-", "-C", source, "package"])
}

const asked: Array<string> = []
const tarballs = new Map<string, Buffer>()
const registry = createServer((request, response) => {
  const path = nameOf(request.url!)
  asked.push(path)
  const file = tarballs.get(path)
  if (file !== undefined) return void response.end(file)
  const versions = PACKAGES[path]
  if (versions === undefined) return void response.writeHead(404).end("{}")
  const described = Object.keys(versions).map((version) => {
    const file = `files/${path}/${version}.tgz`
    // Packed once: two archives of the same files differ in their times, and npm compares hashes.
    const packed = tarballs.get(file) ?? tarball(path, version)
    tarballs.set(file, packed)
    const dist = {
      tarball: `http://127.0.0.1:${port()}/${file}`,
      integrity: `sha512-${createHash("sha512").update(packed).digest("base64")}`,
    }
    return [version, { name: path, version, dist }] as const
  })
  const latest = Object.keys(versions).at(-1)
  response.setHeader("content-type", "application/json")
  response.end(JSON.stringify({ name: path, "dist-tags": { latest }, versions: Object.fromEntries(described) }))
})
const port = () => (registry.address() as AddressInfo).port

const LOCKFILE = "packages:\n\n  '@made-up/sdk@1.0.0':\n    x: 1\n\n  made-up-client@1.9.0:\n    x: 1\n"
const CODE = 'const KNOWN = "abababababababab"\nconst ERRORS = ["NamedHere"]'
const options = () => ({ code: CODE, folder: mkdtempSync(join(folder, "news-")), lockfile: LOCKFILE })

describe("What the registry has of packages that know the chain", () => {
  beforeAll(async () => {
    await new Promise<void>((resolve) => registry.listen(0, "127.0.0.1", resolve))
    vi.stubEnv("npm_config_registry", `http://127.0.0.1:${port()}/`)
    vi.stubEnv("npm_config_cache", join(folder, "cache"))
    vi.stubEnv("npm_config_fetch_retries", "0")
  })
  afterAll(() => {
    vi.unstubAllEnvs()
    registry.closeAllConnections()
    registry.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it("is told with what their IDLs have that is not known here, and nothing of them is run", async () => {
    const news = await chainNews(
      [
        { name: "@made-up/sdk", reviewed: "1.0.0" },
        { name: "@made-up/old-sdk", reviewed: "2.0.0" },
        { name: "made-up-client", range: "1", reviewed: "1.10.0" },
      ],
      options(),
    )
    assert.deepStrictEqual(news, [
      {
        ...{ name: "@made-up/sdk", ours: "1.0.0", newest: "1.1.0" },
        unknown: [
          "vault: no IDL any more",
          "cp_amm: new in instructions: swap3",
          "cp_amm: gone in events: EvtSwap",
          "cp_amm: new in errors: TooMuch",
          "cp_amm: different in types: EvtSwap",
        ],
      },
      { name: "@made-up/old-sdk", ours: undefined, newest: "2.0.1", unknown: [] },
      { name: "made-up-client", ours: "1.9.0", newest: "1.10.0", unknown: [] },
    ])
    assert.isFalse(existsSync(join(folder, "ran")))
    // Nothing is packed of what was reviewed.
    assert.sameMembers(
      asked.filter((path) => path.startsWith("files/")),
      ["sdk/1.0.0", "sdk/1.1.0", "old-sdk/2.0.0", "old-sdk/2.0.1"].map((path) => `files/@made-up/${path}.tgz`),
    )
  })

  it("fails without an answer", async () => {
    const said = await chainNews([{ name: "made-up-absent" }], options()).catch((error: Error) => error.message)
    assert.match(String(said), /E404/)
  })
})
