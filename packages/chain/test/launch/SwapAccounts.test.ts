import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { examples, SEED } from "../../../../scripts/Laws.ts"
import { solText } from "@launch-registry/domain/amounts/AmountText"
import { associatedTokenAddress } from "../../src/accounts/DerivedAddresses.ts"
import { newKeyPair } from "../../src/build/NewKeyPair.ts"
import {
  DBC_PROGRAM,
  NATIVE_MINT,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from "../../src/accounts/Programs.ts"
import { Swaps } from "../../src/swaps/Swaps.ts"
import type { LedgerOptions } from "../../src/localnet/LedgerOptions.ts"
import { type SeedAccount, SEEDED_MINTS, type SeedStage } from "../../src/localnet/SeedAccounts.ts"
import { accountIn, type AccountState, STRANGER } from "./AccountStates.ts"
import { seededDirectory } from "./CountedChain.ts"
import { hasDammV2Programs, launchServices } from "./RealPrograms.ts"
import { AMOUNT_IN, buy, type Case, CASES, PRICES, randomCases, rentOf, SOL, tokens } from "./SwapCases.ts"

/** A wallet of each case, with the accounts that a chain has to begin with. */
const wallets = Effect.fnUntraced(function* (cases: ReadonlyArray<Case>) {
  const accounts: Array<SeedAccount> = []
  const signers: Array<string> = []
  for (const { input, isSale, kind, lamports, output, walletOwner = SYSTEM_PROGRAM } of cases) {
    const { address: wallet } = yield* Effect.promise(newKeyPair)
    signers.push(wallet)
    const base = { mint: SEEDED_MINTS[kind], program: kind === "spl" ? TOKEN_PROGRAM : TOKEN_2022_PROGRAM }
    const quote = { mint: NATIVE_MINT as string, program: TOKEN_PROGRAM }
    const data = new Uint8Array(walletOwner === SYSTEM_PROGRAM ? 0 : 165)
    if (lamports > 0n) accounts.push({ address: wallet, owner: walletOwner, lamports, data })
    for (const [state, { mint, program }] of [
      [input, isSale ? base : quote],
      [output, isSale ? quote : base],
    ] as const) {
      if (state === undefined) continue
      const address = yield* Effect.promise(() => associatedTokenAddress(wallet, mint, program))
      accounts.push(accountIn(state, { address, mint, program, rentOf, wallet }))
    }
  }
  return { accounts, signers }
})

/** Swaps over a chain that begins with these accounts. */
const servicesOver = (stage: SeedStage, accounts: ReadonlyArray<SeedAccount>, more: Partial<LedgerOptions> = {}) =>
  Layer.fresh(launchServices({ stage, accounts, ...more }, seededDirectory))

/** What is said of the swap of each case, with or without its execution. */
const saidOf = Effect.fnUntraced(function* (cases: ReadonlyArray<Case>, stage: SeedStage, simulate: boolean) {
  const { accounts, signers } = yield* wallets(cases)
  return yield* Effect.flatMap(Swaps, (swaps) =>
    Effect.forEach(cases, ({ isSale, kind }, index) =>
      Effect.map(
        swaps.build(
          {
            ...{ baseMint: SEEDED_MINTS[kind], signer: signers[index]!, amountIn: AMOUNT_IN, slippageBps: 100 },
            swapBaseForQuote: isSale,
          },
          { simulate },
        ),
        ({ simulation }) => simulation,
      ),
    ),
  ).pipe(Effect.provide(servicesOver(stage, accounts)))
})

const shown = (value: unknown) => JSON.stringify(value, (_, one: unknown) => (typeof one === "bigint" ? `${one}` : one))

describe("The accounts of a wallet", () => {
  for (const stage of ["mid", "migrated"] as const)
    it.live(
      `are all looked at before a swap is said to succeed, ${stage === "mid" ? "on a curve" : "on DAMM v2"}`,
      () =>
        Effect.gen(function* () {
          const all = yield* saidOf(
            CASES.map(([, wallet]) => wallet),
            stage,
            false,
          )
          for (const [index, [what, , codes]] of CASES.entries()) {
            const { problems, willSucceed } = all[index]!
            assert.deepStrictEqual(
              problems.map(({ code }) => code),
              [...codes],
              `${what}: ${shown(problems)}`,
            )
            assert.strictEqual(willSucceed, codes.length === 0)
          }
        }),
    )

  it.live("cost what the chain says that rent is, whatever it is", () =>
    Effect.forEach(PRICES, (lamportsPerByte) =>
      Effect.gen(function* () {
        // Two token accounts, of which one is closed, or what is left besides.
        const exact = 2n * rentOf(165, lamportsPerByte) + AMOUNT_IN + 7_000n
        const cases: ReadonlyArray<readonly [lamports: bigint, isEnough: boolean]> = [
          [exact - 1n, false],
          [exact, true],
          [3_000_000n, lamportsPerByte < 5_080n],
          [4_600_000n, lamportsPerByte < 6_960n],
        ]
        const { accounts, signers } = yield* wallets(cases.map(([lamports]) => buy({ lamports })))
        const swap = { baseMint: SEEDED_MINTS.spl, amountIn: AMOUNT_IN, slippageBps: 100, swapBaseForQuote: false }
        const built = yield* Effect.forEach(signers, (signer) =>
          Effect.flatMap(Swaps, (swaps) => swaps.build({ ...swap, signer }, { simulate: hasDammV2Programs })),
        ).pipe(Effect.provide(servicesOver("mid", accounts, { lamportsPerByte })))
        const codes = hasDammV2Programs ? ["insufficient_sol", "simulation_failed"] : ["insufficient_sol"]
        assert.deepStrictEqual(
          built.map(({ simulation }) => simulation.problems.map(({ code }) => code)),
          cases.map(([, isEnough]) => (isEnough ? [] : codes)),
          `${lamportsPerByte} lamports a byte`,
        )
        const alive = `nothing or ${solText(rentOf(0, lamportsPerByte))}`
        assert.include(built[0]!.simulation.problems[0]!.message, alive)
      }),
    ),
  )

  it.live("does not matter to a referral: its account has to take the fee itself", () =>
    Effect.gen(function* () {
      const states: ReadonlyArray<readonly [state: AccountState, isTaken: boolean]> = [
        [tokens({ owner: STRANGER, closeAuthority: STRANGER, delegate: true }), true],
        [tokens({ owner: STRANGER, state: 2 }), false],
        [tokens({ owner: STRANGER, state: 0 }), false],
        [tokens({ owner: STRANGER, mint: STRANGER }), false],
        [tokens({ program: TOKEN_2022_PROGRAM }), false],
        [{ kind: "lamports", lamports: SOL }, false],
        [{ kind: "other", owner: DBC_PROGRAM, bytes: 165 }, false],
      ]
      const { accounts, signers } = yield* wallets([buy({})])
      const placed = yield* Effect.forEach(states, ([state]) =>
        Effect.map(Effect.promise(newKeyPair), ({ address }) =>
          accountIn(state, { address, mint: NATIVE_MINT, program: TOKEN_PROGRAM, rentOf, wallet: STRANGER }),
        ),
      )
      const swap = { baseMint: SEEDED_MINTS.spl, signer: signers[0]!, amountIn: AMOUNT_IN, slippageBps: 100 }
      yield* Effect.gen(function* () {
        const swaps = yield* Swaps
        for (const [index, [state, isTaken]] of states.entries()) {
          const referralTokenAccount = placed[index]!.address
          const said = yield* Effect.result(
            swaps.build({ ...swap, swapBaseForQuote: false, referralTokenAccount }, { simulate: hasDammV2Programs }),
          )
          assert.strictEqual(said._tag === "Success", isTaken, shown(state))
          if (said._tag === "Success") assert.deepStrictEqual(said.success.simulation.problems, [])
          else
            assert.strictEqual(
              said.failure._tag === "InvalidRequest" && said.failure.issues[0]?.path,
              "body.referralTokenAccount",
            )
        }
      }).pipe(Effect.provide(servicesOver("mid", [...accounts, ...placed])))
    }),
  )

  for (const stage of ["mid", "migrated"] as const)
    it.live.skipIf(!hasDammV2Programs)(`let a swap succeed when it is said so, on the real programs, ${stage}`, () =>
      Effect.gen(function* () {
        const cases = [...CASES.map(([, wallet]) => wallet), ...randomCases(SEED, examples(150, 3_000))]
        const all = yield* saidOf(cases, stage, true)
        const wrong: Array<string> = []
        for (const [index, { logs, problems }] of all.entries()) {
          const said = problems.every(({ code }) => code === "simulation_failed")
          const happened = problems.every(({ code }) => code !== "simulation_failed")
          if (said !== happened) wrong.push(`${shown(cases[index])}: ${shown(problems)} ${logs.slice(-6).join("\n")}`)
        }
        assert.deepStrictEqual(wrong, [])
        assert.isAbove(all.filter(({ willSucceed }) => willSucceed).length, 20)
      }),
    )
})
