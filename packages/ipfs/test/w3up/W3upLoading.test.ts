import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { assert, describe, it } from "vitest"

const source = (path: string) => JSON.stringify(new URL(`../../src/${path}.ts`, import.meta.url).href)

/** The output of a module, in a process of its own, that counts how often w3up packages are loaded. */
const run = async (script: string) => {
  const counting = `
    import { registerHooks } from "node:module"
    let asked = 0
    let isMissing = false
    registerHooks({
      resolve(specifier, context, next) {
        if (!/@web3-storage|@ucanto/.test(specifier)) return next(specifier, context)
        asked += 1
        if (!isMissing) return next(specifier, context)
        throw Object.assign(new Error("Cannot find package " + specifier), { code: "ERR_MODULE_NOT_FOUND" })
      },
    })
    ${script}`
  const { stderr, stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", counting], {
    cwd: fileURLToPath(new URL("../..", import.meta.url)),
  })
  assert.strictEqual(stderr, "")
  return JSON.parse(stdout) as unknown
}

const makeBackend = `
  const { w3upBackend } = await import(${source("w3up/W3upBackend")})
  const { Effect, Redacted } = await import("effect")
  const before = asked
  const fault = await Effect.runPromise(
    Effect.flip(w3upBackend({ key: Redacted.make("secret"), proof: Redacted.make("secret") })))
  console.log(JSON.stringify({ before, isAsked: asked > 0, tag: fault._tag, message: fault.message }))`

describe("The client of w3up", () => {
  it("is not loaded by the server, nor by the interface of backends", async () => {
    const asked = await run(`
      await import(${source("../../service/src/ApiServer")})
      await import(${source("backends/IpfsBackend")})
      console.log(asked)`)
    assert.strictEqual(asked, 0)
  })

  it("causes a readable error when it is not installed", async () => {
    const { message, tag } = (await run(`isMissing = true\n${makeBackend}`)) as Record<string, unknown>
    assert.strictEqual(tag, "InvalidW3upSetting")
    assert.strictEqual(
      message,
      "IPFS_BACKEND: expected w3up only where the optional package @web3-storage/w3up-client can be loaded",
    )
  })
})
