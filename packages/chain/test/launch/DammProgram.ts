import { SYSTEM_PROGRAM, DAMM_V2_POOL_AUTHORITY, DAMM_V2_PROGRAM, TOKEN_PROGRAM } from "../../src/accounts/Programs.ts"
import { dammSwapInstruction } from "../../src/dammV2/DammInstructions.ts"
import { dammReserves } from "../../src/dammV2/DammMath.ts"
import { decodeDammPool } from "../../src/dammV2/DammPoolAccount.ts"
import { mintData } from "../../src/localnet/TokenAccounts.ts"
import type { seeded } from "./GeneratedConfigs.ts"
import { generatedDammPool } from "./GeneratedDammPools.ts"
import { named, SandboxedProgram } from "./SandboxedProgram.ts"

const [POOL, MINT_A, MINT_B, VAULT_A, VAULT_B] = [named(11), named(12), named(13), named(14), named(15)]
const [WALLET, OWN_A, OWN_B, REFERRAL_A, REFERRAL_B] = [named(16), named(17), named(18), named(19), named(20)]
/** In the wallet and in each vault: whatever is sent fits into a u64. */
const HELD = 2n ** 62n

/** A swap in a pool at a time, with what the program made of it; amounts in smallest units. */
export interface ProgramFill {
  readonly pool: Uint8Array
  /** Unix time in seconds. */
  readonly at: bigint
  readonly amountIn: bigint
  readonly isBuy: boolean
  readonly hasReferral: boolean
  /** `undefined` when the program refused it. */
  readonly result: { readonly amountOut: bigint; readonly sent: bigint; readonly pool: Uint8Array } | undefined
}

/** A pool with any fee and price whose reserves fit into its vaults, as bytes, and when it is swapped in. */
export const fillablePool = (random: ReturnType<typeof seeded>) => {
  for (;;) {
    const generated = generatedDammPool(random, { a: MINT_A, b: MINT_B })
    const data = Buffer.from(generated.bytes)
    data.set(Buffer.from(new Uint8Array(32).fill(14)), 232)
    data.set(Buffer.from(new Uint8Array(32).fill(15)), 264)
    const pool = decodeDammPool(data)!
    const reserves = pool.collectFeeMode === 2 ? dammReserves(pool) : dammReserves({ ...pool, reserves: undefined })
    if (reserves.a < 1_000n || reserves.b < 1_000n || reserves.a > HELD / 2n || reserves.b > HELD / 2n) continue
    // The program rounds up what a position pays in.
    data.writeBigUInt64LE(reserves.a + 1n, 680)
    data.writeBigUInt64LE(reserves.b + 1n, 688)
    return { ...generated, bytes: Uint8Array.from(data) }
  }
}

/** The DAMM v2 program itself, on LiteSVM. */
export class DammProgram {
  readonly #program: SandboxedProgram

  constructor(programFile: string) {
    this.#program = new SandboxedProgram({ [DAMM_V2_PROGRAM]: programFile })
  }

  /** Swaps as a wallet does that has enough of both tokens. */
  swap(request: Omit<ProgramFill, "result">): ProgramFill {
    const { amountIn, at, hasReferral, isBuy, pool } = request
    this.#program.put(POOL, DAMM_V2_PROGRAM, pool)
    for (const mint of [MINT_A, MINT_B]) this.#program.put(mint, TOKEN_PROGRAM, mintData(4n * HELD - 1n, 6))
    const holdings = [
      ...[[VAULT_A, MINT_A, DAMM_V2_POOL_AUTHORITY] as const, [VAULT_B, MINT_B, DAMM_V2_POOL_AUTHORITY] as const],
      ...[[OWN_A, MINT_A, WALLET] as const, [OWN_B, MINT_B, WALLET] as const],
    ]
    for (const [address, mint, owner] of holdings) this.#program.hold(address, mint, owner, HELD)
    this.#program.hold(REFERRAL_A, MINT_A, MINT_A, 0n)
    this.#program.hold(REFERRAL_B, MINT_B, MINT_A, 0n)
    this.#program.put(WALLET, SYSTEM_PROGRAM, new Uint8Array())
    this.#program.setTime(at)

    const decoded = decodeDammPool(pool)!
    const isFeeInA = isBuy && decoded.collectFeeMode === 0
    const [from, to, vault] = isBuy ? [OWN_B, OWN_A, VAULT_A] : [OWN_A, OWN_B, VAULT_B]
    const referral = isFeeInA ? REFERRAL_A : REFERRAL_B
    const pair = {
      base: { mint: MINT_A, program: TOKEN_PROGRAM, decimals: 6 },
      quote: { mint: MINT_B, program: TOKEN_PROGRAM, decimals: 9 },
    }
    const instruction = dammSwapInstruction(
      { address: POOL, pair, pool: decoded },
      {
        ...{ inputTokenAccount: from, outputTokenAccount: to, payer: WALLET, swapBaseForQuote: !isBuy },
        ...{ amountIn, minimumAmountOut: 0n, referralTokenAccount: hasReferral ? referral : undefined },
      },
    )
    if (!this.#program.send(WALLET, instruction)) return { ...request, result: undefined }
    const [received, sent] = [this.#program.u64(to) - HELD, HELD - this.#program.u64(from)]
    const left =
      HELD - this.#program.u64(vault) - (isFeeInA === isBuy && hasReferral ? this.#program.u64(referral) : 0n)
    // What the vault has lost is what the wallet and, where the fee is in that token, the referrer have got.
    if (left !== received) throw new Error(`the vault lost ${left}, the wallet got ${received}`)
    return { ...request, result: { amountOut: received, sent, pool: this.#program.data(POOL) } }
  }
}
