import type { Curve } from "../../src/dbc/CurveSnapshot.ts"
import { DBC_POOL_AUTHORITY, DBC_PROGRAM, SYSTEM_PROGRAM, TOKEN_PROGRAM } from "../../src/accounts/Programs.ts"
import type { ClaimableFee } from "../../src/claims/ClaimableFees.ts"
import { claimInstruction } from "../../src/claims/ClaimInstructions.ts"
import { mintData } from "../../src/localnet/TokenAccounts.ts"
import { named, SandboxedProgram } from "./SandboxedProgram.ts"

const [BASE_ACCOUNT, QUOTE_ACCOUNT] = [named(31), named(32)]
/** In each vault. */
const HELD = 2n ** 60n

/** Claims from a pool in any state, of SPL tokens; what the owner got, or `undefined` where the program refused. */
export const claimedOf = (programFile: string, curve: Curve, fee: ClaimableFee) => {
  const program = new SandboxedProgram({ [DBC_PROGRAM]: programFile })
  const { config, pool } = curve
  const wallet = fee.owner!
  program.put(wallet, SYSTEM_PROGRAM, new Uint8Array())
  program.put(curve.address, DBC_PROGRAM, curve.poolBytes)
  program.put(pool.config, DBC_PROGRAM, curve.configBytes)
  for (const mint of [pool.baseMint, config.quoteMint]) program.put(mint, TOKEN_PROGRAM, mintData(4n * HELD - 1n, 6))
  program.hold(pool.baseVault, pool.baseMint, DBC_POOL_AUTHORITY, HELD)
  program.hold(pool.quoteVault, config.quoteMint, DBC_POOL_AUTHORITY, HELD)
  program.hold(BASE_ACCOUNT, pool.baseMint, wallet, 0n)
  program.hold(QUOTE_ACCOUNT, config.quoteMint, wallet, 0n)
  const to = { wallet, baseAccount: BASE_ACCOUNT, quoteAccount: QUOTE_ACCOUNT, leftoverAccount: BASE_ACCOUNT }
  if (!program.send(wallet, claimInstruction(curve, fee, to))) return undefined
  return { base: program.u64(BASE_ACCOUNT), quote: program.u64(QUOTE_ACCOUNT), poolBytes: program.data(curve.address) }
}
