import { decodeDammV1Pool, decodeDynamicVault } from "../../src/dammV1/DammV1Accounts.ts"
import { dammV1SwapInstruction } from "../../src/dammV1/DammV1Instructions.ts"
import type { DammV1Side, DammV1State } from "../../src/dammV1/DammV1Math.ts"
import {
  DAMM_V1_PROGRAM,
  DYNAMIC_VAULT_PROGRAM,
  NATIVE_MINT,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
} from "../../src/accounts/Programs.ts"
import { mintData } from "../../src/localnet/TokenAccounts.ts"
import type { SeedAccount } from "../../src/localnet/SeedAccounts.ts"
import type { seeded } from "./GeneratedConfigs.ts"
import { PROGRAMS } from "./RealPrograms.ts"
import { named, SandboxedProgram } from "./SandboxedProgram.ts"
import { AT, MIGRATED_DAMM_V1, migratedDammV1Accounts } from "./MigratedDammV1.ts"

const [WALLET, OWN_A, OWN_B] = [named(16), named(17), named(18)]
const HELD = 2n ** 62n
const RENT_LAMPORTS = 2_039_280n

/** What differs between pools: of a token its vault, and the pool's shares of it. */
export interface GeneratedSide {
  readonly totalAmount: bigint
  readonly lpSupply: bigint
  readonly poolLp: bigint
  readonly tokenReserve: bigint
  readonly lockedProfit: bigint
  readonly lastReport: bigint
  readonly degradation: bigint
  readonly isEnabled: boolean
}

/** A swap in a pool at a time (Unix, seconds). */
export interface GeneratedDammV1Swap {
  readonly a: GeneratedSide
  readonly b: GeneratedSide
  /** Over 100,000: the trade fee, and the protocol's part of it. */
  readonly fees: readonly [bigint, bigint]
  readonly isEnabled: boolean
  readonly time: bigint
  readonly isBuy: boolean
  readonly amountIn: bigint
}

/** The same with what the program made of it; `undefined` when it refused. */
export interface DammV1ProgramFill extends GeneratedDammV1Swap {
  readonly result?: { readonly amountOut: bigint; readonly a: GeneratedSide; readonly b: GeneratedSide }
}

const NOW = 1_800_000_000n
const FEE_DENOMINATOR = 100_000n

/** From 0 up to the number. */
const upTo = ({ int }: ReturnType<typeof seeded>, most: bigint): bigint =>
  (most * BigInt(int(0, 1_000_000_000))) / 1_000_000_000n

const sideOf = (random: ReturnType<typeof seeded>): GeneratedSide => {
  const lpSupply = upTo(random, 10n ** random.pick([4n, 9n, 13n, 16n])) + 1n
  const profit = lpSupply / random.pick([1n, 3n, 10n, 1_000_000n])
  const totalAmount = lpSupply + random.pick([0n, 1n, profit])
  return {
    totalAmount,
    lpSupply,
    poolLp: random.pick([lpSupply, lpSupply / 2n, lpSupply / 1_000n + 1n]),
    tokenReserve: random.pick([totalAmount, totalAmount, totalAmount / 2n, totalAmount / 10n]),
    lockedProfit: random.pick([0n, totalAmount / 100n, totalAmount / 2n]),
    lastReport: NOW - random.pick([0n, 1n, 600n, 21_600n, 10_000_000n]),
    degradation: random.pick([46_296_296n, 0n, 10n ** 12n]),
    isEnabled: random.pick([true, true, true, true, true, true, true, false]),
  }
}

/** A swap of any size in a pool with any two vaults. */
export const generatedDammV1Swap = (random: ReturnType<typeof seeded>): GeneratedDammV1Swap => {
  const [a, b, isBuy] = [sideOf(random), sideOf(random), random.pick([true, false])]
  const from = isBuy ? b : a
  return {
    ...{ a, b, isBuy, time: NOW },
    fees: [random.pick([250n, 300n, 1_000n, 6_000n, 0n]), random.pick([20_000n, 20_000n, 0n, 100_000n])],
    isEnabled: random.pick([true, true, true, true, true, true, true, false]),
    amountIn: upTo(random, (from.poolLp * random.pick([1n, 1n, 10n, 100n])) / random.pick([1n, 100n, 10_000n])) + 1n,
  }
}

/** The state that a swap finds, as it is read from the accounts. */
export const stateOf = ({ a, b, time, ...swap }: GeneratedDammV1Swap): DammV1State => {
  const accounts = changedAccounts({ a, b, time, ...swap })
  const side = (vault: number, { lpSupply, poolLp, tokenReserve }: GeneratedSide): DammV1Side => ({
    ...{ vault: decodeDynamicVault(accounts[vault]!.data)!, lpSupply, poolLp, tokenReserve },
  })
  const pool = decodeDammV1Pool(accounts[AT.pool]!.data)!
  return { pool, a: side(AT.vaultA, a), b: side(AT.vaultB, b), lpSupply: 1n, timeSeconds: time }
}

const changedAccounts = ({ a, b, fees, isEnabled }: GeneratedDammV1Swap): ReadonlyArray<SeedAccount> => {
  const accounts = [...migratedDammV1Accounts()]
  const u64 = (at: number, values: Readonly<Record<number, bigint>>) => {
    const { data } = accounts[at]!
    const view = new DataView(data.buffer)
    for (const [offset, value] of Object.entries(values)) view.setBigUint64(Number(offset), value, true)
  }
  u64(AT.pool, { 330: fees[0], 338: FEE_DENOMINATOR, 346: fees[1], 354: FEE_DENOMINATOR })
  accounts[AT.pool]!.data[233] = isEnabled ? 1 : 0
  // Wrapped SOL is moved together with its lamports.
  accounts[AT.tokenVaultB] = { ...accounts[AT.tokenVaultB]!, lamports: HELD }
  for (const [side, vault] of [[a, AT.vaultA] as const, [b, AT.vaultB] as const]) {
    u64(vault, { 11: side.totalAmount, 1203: side.lockedProfit, 1211: side.lastReport, 1219: side.degradation })
    accounts[vault]!.data[8] = side.isEnabled ? 1 : 0
    u64(vault + 1, { 36: side.lpSupply })
    u64(vault + 2, { 64: side.poolLp })
    u64(vault + 3, { 64: side.tokenReserve })
  }
  return accounts
}

/** The programs of DAMM v1 and its vaults themselves, on LiteSVM. */
export class DammV1Program {
  readonly #program = new SandboxedProgram({
    [DAMM_V1_PROGRAM]: `${PROGRAMS}/amm.so`,
    [DYNAMIC_VAULT_PROGRAM]: `${PROGRAMS}/vault.so`,
  })

  /** Swaps as a wallet does that has enough of both tokens. */
  swap(request: GeneratedDammV1Swap): DammV1ProgramFill {
    const { amountIn, isBuy, time } = request
    const accounts = changedAccounts(request)
    const program = this.#program
    for (const { address, data, lamports, owner } of accounts) program.put(address, owner, data, lamports)
    const mint = MIGRATED_DAMM_V1.baseMint
    program.put(mint, TOKEN_PROGRAM, mintData(2n ** 64n - 1n, 6))
    program.hold(OWN_A, mint, WALLET, HELD, RENT_LAMPORTS)
    program.hold(OWN_B, NATIVE_MINT, WALLET, HELD, RENT_LAMPORTS)
    program.put(WALLET, SYSTEM_PROGRAM, new Uint8Array())
    program.setTime(time)
    const [inputTokenAccount, outputTokenAccount] = isBuy ? [OWN_B, OWN_A] : [OWN_A, OWN_B]
    const instruction = dammV1SwapInstruction(MIGRATED_DAMM_V1.pool, stateOf(request), {
      ...{ swapBaseForQuote: !isBuy, payer: WALLET, inputTokenAccount, outputTokenAccount },
      ...{ amountIn, minimumAmountOut: 0n },
    })
    if (!program.send(WALLET, instruction)) return request
    const amountOut = program.u64(outputTokenAccount, 64) - HELD
    const after = (side: GeneratedSide, vault: number): GeneratedSide => ({
      ...side,
      totalAmount: program.u64(accounts[vault]!.address, 11),
      lpSupply: program.u64(accounts[vault + 1]!.address, 36),
      poolLp: program.u64(accounts[vault + 2]!.address, 64),
      tokenReserve: program.u64(accounts[vault + 3]!.address, 64),
    })
    return { ...request, result: { amountOut, a: after(request.a, AT.vaultA), b: after(request.b, AT.vaultB) } }
  }
}
