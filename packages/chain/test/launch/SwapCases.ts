import { DBC_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from "../../src/accounts/Programs.ts"
import { LAMPORTS_PER_BYTE } from "../../src/localnet/SeedAccounts.ts"
import { type AccountState, EXTENSIONS, STRANGER } from "./AccountStates.ts"

/** Of an account on the local chain, at its own price of a byte or another. */
export const rentOf = (bytes: number, lamportsPerByte = LAMPORTS_PER_BYTE) => BigInt(128 + bytes) * lamportsPerByte
export const RENT = rentOf(165)
/** What a byte costs on mainnet after the last step down, since September 2026 and before, and more than ever. */
export const PRICES = [696n, LAMPORTS_PER_BYTE, 6_960n, 13_920n] as const
export const SOL = 1_000_000_000n
const TOKENS = 5_000_000_000n
/** Of either token: for the tokens that are sold, 5,000 of them, and for SOL. */
export const AMOUNT_IN = 1_000_000n

/** A wallet before it swaps. */
export interface Case {
  readonly kind: "spl" | "token2022"
  readonly isSale: boolean
  readonly input?: AccountState
  readonly output?: AccountState
  readonly lamports: bigint
  readonly walletOwner?: string
}

type Code = "insufficient_tokens" | "insufficient_sol" | "account_frozen" | "account_unusable"

export const tokens = (more: Partial<Extract<AccountState, { kind: "tokens" }>> = {}): AccountState => ({
  ...{ kind: "tokens", amount: TOKENS },
  ...more,
})

export const buy = (more: Partial<Case>): Case => ({ kind: "spl", isSale: false, lamports: SOL, ...more })
const sale = (more: Partial<Case>): Case => ({ kind: "spl", isSale: true, lamports: SOL, input: tokens(), ...more })
const of2022 = { kind: "token2022" } as const

/** States of a wallet's accounts, and what is said of a swap then; both directions and programs where they differ. */
export const CASES: ReadonlyArray<readonly [what: string, wallet: Case, codes: ReadonlyArray<Code>]> = [
  ["no accounts", buy({}), []],
  ["no accounts, Token-2022", buy(of2022), []],
  ["tokens to sell", sale({}), []],
  ["tokens to sell, Token-2022", sale(of2022), []],
  ["all accounts", buy({ input: tokens(), output: tokens() }), []],
  ["a delegate", sale({ input: tokens({ delegate: true }) }), []],
  ["wrapped SOL that the wallet itself may close", buy({ input: tokens({ closeAuthority: "self" }) }), []],
  ["tokens that another wallet may close", sale({ input: tokens({ closeAuthority: STRANGER }) }), []],
  [
    "wrapped SOL that another wallet closes",
    buy({ input: tokens({ closeAuthority: STRANGER }) }),
    ["account_unusable"],
  ],
  ["the same, of a sale", sale({ output: tokens({ closeAuthority: STRANGER }) }), ["account_unusable"]],
  ["wrapped SOL of another wallet", buy({ input: tokens({ owner: STRANGER }) }), ["account_unusable"]],
  ["the same, of a sale", sale({ output: tokens({ owner: STRANGER }) }), ["account_unusable"]],
  ["tokens given to another wallet", sale({ input: tokens({ owner: STRANGER }) }), ["account_unusable"]],
  ["an account for tokens given away", buy({ output: tokens({ owner: STRANGER }) }), ["account_unusable"]],
  ["frozen tokens", sale({ input: tokens({ state: 2 }) }), ["account_frozen"]],
  ["a frozen account for tokens", buy({ output: tokens({ state: 2 }) }), ["account_frozen"]],
  ["the same, Token-2022", buy({ ...of2022, output: tokens({ state: 2 }) }), ["account_frozen"]],
  ["an account that is not initialized", buy({ output: tokens({ state: 0 }) }), ["account_unusable"]],
  ["another token", buy({ output: tokens({ mint: STRANGER }) }), ["account_unusable"]],
  [
    "an account of the other token program",
    buy({ output: tokens({ program: TOKEN_2022_PROGRAM }) }),
    ["account_unusable"],
  ],
  ["an account without wrapped SOL", buy({ input: tokens({ isNative: false, amount: 0n }) }), ["account_unusable"]],
  ["the same, of a sale", sale({ output: tokens({ isNative: false, amount: 0n }) }), ["account_unusable"]],
  ["an account of a program", buy({ output: { kind: "other", owner: DBC_PROGRAM, bytes: 165 } }), ["account_unusable"]],
  [
    "data that is no token account",
    buy({ input: { kind: "other", owner: TOKEN_PROGRAM, bytes: 82 } }),
    ["account_unusable"],
  ],
  [
    "lamports alone at both addresses",
    buy({
      input: { kind: "lamports", lamports: 1_000_000n },
      output: { kind: "lamports", lamports: SOL },
    }),
    [],
  ],
  [
    "lamports alone where tokens should be",
    sale({ input: { kind: "lamports", lamports: SOL } }),
    ["insufficient_tokens"],
  ],
  [
    "a memo that transfers need",
    buy({ ...of2022, output: tokens({ extensions: [EXTENSIONS.memo] }) }),
    ["account_unusable"],
  ],
  ["a memo that is not needed to send", sale({ ...of2022, input: tokens({ extensions: [EXTENSIONS.memo] }) }), []],
  ["a memo that transfers do not need", buy({ ...of2022, output: tokens({ extensions: [EXTENSIONS.noMemo] }) }), []],
  ["a CPI guard", sale({ ...of2022, input: tokens({ extensions: [EXTENSIONS.cpiGuard] }) }), ["account_unusable"]],
  ["a CPI guard that does not matter", buy({ ...of2022, output: tokens({ extensions: [EXTENSIONS.cpiGuard] }) }), []],
  ["a CPI guard that is off", sale({ ...of2022, input: tokens({ extensions: [EXTENSIONS.noCpiGuard] }) }), []],
  ["too few tokens", sale({ input: tokens({ amount: AMOUNT_IN - 1n }) }), ["insufficient_tokens"]],
  ["exactly the tokens", sale({ input: tokens({ amount: AMOUNT_IN }) }), []],
  ["nothing", buy({ lamports: 0n }), ["insufficient_sol"]],
  // Two accounts, the amount, and the fees; nothing is left but the rent of the account that is closed.
  ["a lamport too few", buy({ lamports: 2n * RENT + AMOUNT_IN + 7_000n - 1n }), ["insufficient_sol"]],
  ["exactly enough", buy({ lamports: 2n * RENT + AMOUNT_IN + 7_000n }), []],
  [
    "a lamport too few beside lamports at the address",
    buy({
      ...{ lamports: 2n * RENT - 5n + AMOUNT_IN + 7_000n - 1n, output: { kind: "lamports", lamports: 5n } },
    }),
    ["insufficient_sol"],
  ],
  [
    "exactly enough beside lamports at the address",
    buy({
      ...{ lamports: 2n * RENT - 5n + AMOUNT_IN + 7_000n, output: { kind: "lamports", lamports: 5n } },
    }),
    [],
  ],
  ["a signer of a program", buy({ walletOwner: TOKEN_PROGRAM }), ["account_unusable"]],
]

/** Wallets whose accounts are in any state, the same ones for a seed. */
export const randomCases = (seed: number, count: number): ReadonlyArray<Case> => {
  let state = seed * 2_654_435_761 + 1
  const below = (n: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return Math.floor((state / 2 ** 32) * n)
  }
  const pick = <A>(...of: ReadonlyArray<A>): A => of[below(of.length)]!
  const rarely = <A>(value: A): A | undefined => (below(4) === 0 ? value : undefined)
  const stateOf = (): AccountState | undefined => {
    const drawn = below(10)
    if (drawn < 2) return undefined
    if (drawn === 2) return { kind: "lamports", lamports: BigInt(below(5_000_000)) + 1n }
    if (drawn === 3)
      return {
        kind: "other",
        owner: pick<string>(DBC_PROGRAM, TOKEN_PROGRAM, TOKEN_2022_PROGRAM),
        bytes: pick(0, 82, 165, 170),
      }
    const chosen = {
      ...{ owner: rarely(STRANGER), closeAuthority: rarely(pick("self" as const, STRANGER)), delegate: rarely(true) },
      ...{ state: rarely(pick<0 | 1 | 2>(0, 1, 2)), isNative: below(12) === 0 ? pick(true, false) : undefined },
      extensions: rarely([pick(...Object.values(EXTENSIONS))]),
    }
    const given = Object.fromEntries(Object.entries(chosen).filter(([, value]) => value !== undefined))
    return { ...tokens(given), amount: pick(TOKENS, TOKENS, AMOUNT_IN, AMOUNT_IN - 1n, 0n) } as AccountState
  }
  return Array.from({ length: count }, () => {
    const [input, output] = [stateOf(), stateOf()]
    return {
      ...{ kind: pick("spl" as const, "token2022" as const), isSale: pick(true, false) },
      ...(input && { input }),
      ...(output && { output }),
      lamports: pick(SOL, SOL, 2n * RENT + AMOUNT_IN + 7_000n, RENT + AMOUNT_IN + 7_000n, BigInt(below(9_000_000))),
    }
  })
}
