import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { tokenBadgeAddress } from "../../src/accounts/DerivedAddresses.ts"
import { DBC_PROGRAM, SYSTEM_PROGRAM, TOKEN_2022_PROGRAM } from "../../src/accounts/Programs.ts"
import { quoteMintOf } from "../../src/accounts/QuoteMint.ts"
import { createConfigInstruction } from "../../src/dbc/ConfigParameters.ts"
import { initializePoolInstruction } from "../../src/dbc/DbcInstructions.ts"
import { completeConfig, LAUNCHPAD_PRESETS } from "../../src/launches/ConfigPreset.ts"
import { configTerms } from "../../src/launches/ConfigTerms.ts"
import { named, SandboxedProgram } from "./SandboxedProgram.ts"

const PROGRAM = fileURLToPath(new URL("../../../../programs/dynamic_bonding_curve.so", import.meta.url))
const [MINT, PAYER] = [named(7), named(8)]

/** Extensions of mints by type, with the length that Token-2022 writes; metadata has no fixed one. */
const LENGTHS: ReadonlyArray<readonly [name: string, type: number, length: number]> = [
  ["transfer fee", 1, 108],
  ["mint close authority", 3, 32],
  ["confidential transfers", 4, 65],
  ["default account state", 6, 1],
  ["non-transferable", 9, 0],
  ["interest bearing", 10, 52],
  ["permanent delegate", 12, 32],
  ["transfer hook", 14, 64],
  ["metadata pointer", 18, 64],
  ["group pointer", 20, 64],
  ["group member pointer", 22, 64],
]

/** A mint of Token-2022 of six decimals with extensions. */
const mintWith = (extensions: ReadonlyArray<readonly [string, number, number]>) => {
  const plain = Buffer.alloc(82)
  plain.set([6, 1], 44)
  if (extensions.length === 0) return Uint8Array.from(plain)
  const data = Buffer.alloc(166 + extensions.reduce((sum, [, , length]) => sum + 4 + length, 0))
  data.set(plain)
  data[165] = 1
  let at = 166
  for (const [, type, length] of extensions) {
    data.writeUInt16LE(type, at)
    data.writeUInt16LE(length, at + 2)
    at += 4 + length
  }
  return Uint8Array.from(data)
}

const accountOf = (data: Uint8Array) => ({ owner: TOKEN_2022_PROGRAM, data, lamports: 1n, executable: false }) as never
const readOf = (data: Uint8Array, badge?: unknown) =>
  quoteMintOf(MINT, accountOf(data), { address: named(9), account: badge as never })

describe("A quote mint of Token-2022", () => {
  it("is refused by the names of the extensions that the program does not take", () => {
    assert.isUndefined(readOf(mintWith([]))?.fault)
    for (const extension of LENGTHS) {
      const [name] = extension
      const fault = readOf(mintWith([extension]))?.fault
      if (name === "metadata pointer") assert.isUndefined(fault)
      else assert.include(fault, `without ${name}:`)
    }
    assert.include(
      readOf(mintWith([LENGTHS[0]!, LENGTHS[8]!, LENGTHS[7]!]))?.fault,
      "without transfer fee, transfer hook:",
    )
    assert.include(readOf(mintWith([["", 99, 3]]))?.fault, "without extension 99")
  })

  it("is taken with a badge of the program, which configuration and pool then name last", async () => {
    const data = mintWith([LENGTHS[0]!])
    const badge = Buffer.concat([Buffer.from("74dbcce5f974ff96", "hex"), Buffer.alloc(160)])
    const taken = readOf(data, { owner: DBC_PROGRAM, data: badge })
    assert.deepInclude(taken, { fault: undefined, badge: named(9) })
    // Anybody can have an account of these bytes, but not of this owner.
    assert.isDefined(readOf(data, { owner: SYSTEM_PROGRAM, data: badge })?.fault)
    assert.isDefined(readOf(data, { owner: DBC_PROGRAM, data: Buffer.alloc(168) })?.fault)
    const tokenBadge = await tokenBadgeAddress(MINT)
    const accounts = {
      ...{ config: named(1), feeClaimer: PAYER, leftoverReceiver: PAYER, quoteMint: MINT, payer: PAYER },
    }
    const config = createConfigInstruction({ ...accounts, tokenBadge }, parametersOf())
    const pool = {
      ...{ pool: named(2), baseVault: named(3), quoteVault: named(4), baseMint: named(5) },
      creator: PAYER,
    }
    const label = { name: "Badge", symbol: "B", uri: "https://example.com/b.json" }
    const created = initializePoolInstruction(
      { ...accounts, ...pool, quoteTokenProgram: TOKEN_2022_PROGRAM, tokenBadge },
      label,
    )
    for (const { accounts: named } of [config, created])
      assert.deepInclude(named!.at(-1), { address: tokenBadge, role: 0 })
  })

  it.skipIf(!existsSync(PROGRAM))("is refused where the real program refuses it, and nowhere else", () => {
    const program = new SandboxedProgram({ [DBC_PROGRAM]: PROGRAM })
    program.put(PAYER, SYSTEM_PROGRAM, new Uint8Array(0))
    for (const [index, extensions] of [[], ...LENGTHS.map((one) => [one])].entries()) {
      const data = mintWith(extensions)
      program.put(MINT, TOKEN_2022_PROGRAM, data)
      const config = named(20 + index)
      program.put(config, SYSTEM_PROGRAM, new Uint8Array(0), 0n)
      const accounts = { config, feeClaimer: PAYER, leftoverReceiver: PAYER, quoteMint: MINT, payer: PAYER }
      const landed = program.send(PAYER, createConfigInstruction(accounts, parametersOf()))
      assert.strictEqual(landed, readOf(data)!.fault === undefined, JSON.stringify(extensions))
    }
  })
})

const parametersOf = () => {
  const built = configTerms(completeConfig(LAUNCHPAD_PRESETS.launchpad_a.config, {}), 6)
  return "issue" in built ? assert.fail(built.issue.message) : built.parameters
}
