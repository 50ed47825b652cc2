import { DBC_PROGRAM, SYSTEM_PROGRAM } from "../../src/accounts/Programs.ts"
import { type ConfigParameters, createConfigInstruction } from "../../src/dbc/ConfigParameters.ts"
import { CONFIG_UNITS } from "../../src/launches/ConfigStep.ts"
import { PROGRAMS } from "./RealPrograms.ts"
import { named, SandboxedProgram } from "./SandboxedProgram.ts"

const PAYER = named(8)
export const QUOTE_MINT = named(7)

export const accountsOf = (config: string) => ({
  ...{ config, quoteMint: QUOTE_MINT, feeClaimer: PAYER, leftoverReceiver: PAYER, payer: PAYER },
})

/** The DBC program, with a wallet that pays, and the compute units that a configuration is built with. */
export const curveProgram = (): SandboxedProgram => {
  const program = new SandboxedProgram({ [DBC_PROGRAM]: `${PROGRAMS}/dynamic_bonding_curve.so` }, CONFIG_UNITS)
  program.put(PAYER, SYSTEM_PROGRAM, new Uint8Array(0))
  return program
}

/** Whether the program creates this configuration, at an address where nothing is left of another one. */
export const creates = (program: SandboxedProgram, address: string, parameters: ConfigParameters): boolean => {
  program.put(address, SYSTEM_PROGRAM, new Uint8Array(0), 0n)
  return program.send(PAYER, createConfigInstruction(accountsOf(address), parameters))
}
