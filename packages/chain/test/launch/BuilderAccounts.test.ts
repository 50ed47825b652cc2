import { assert, describe, it } from "@effect/vitest"
import type { InvalidIssue } from "@launch-registry/domain/http/ErrorEnvelope"
import type { Base64EncodedWireTransaction } from "@solana/kit"
import { Effect, Layer } from "effect"
import { Claims } from "../../src/claims/Claims.ts"
import { associatedTokenAddress } from "../../src/accounts/DerivedAddresses.ts"
import { LaunchTransactions } from "../../src/launches/LaunchTransactions.ts"
import { newKeyPair } from "../../src/build/NewKeyPair.ts"
import { OneStepLaunches } from "../../src/launches/OneStepLaunches.ts"
import { PositionDirectory } from "../../src/claims/PositionDirectory.ts"
import {
  DBC_PROGRAM,
  NATIVE_MINT,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from "../../src/accounts/Programs.ts"
import { type SeedAccount, SEEDED_MINTS, SEEDED_POOLS } from "../../src/localnet/SeedAccounts.ts"
import { Rpc } from "../../src/rpc/Rpc.ts"
import { accountIn, type AccountState, EXTENSIONS, STRANGER } from "./AccountStates.ts"
import { seededDirectory } from "./CountedChain.ts"
import { hasLaunchPrograms, launchServices } from "./RealPrograms.ts"
import { rentOf } from "./SwapCases.ts"

const SOL = 1_000_000_000n

/** The builders, over a chain that begins with these accounts. */
const over = (accounts: ReadonlyArray<SeedAccount>) =>
  Claims.layer.pipe(
    Layer.provide(PositionDirectory.layerEmpty),
    Layer.provideMerge(launchServices({ accounts }, seededDirectory)),
    Layer.fresh,
  )

/** Whether transactions that were built on another chain fail on this one. */
const fails = Effect.fnUntraced(function* (transaction: string) {
  const rpc = yield* Rpc
  const { value } = yield* rpc.call((kit) =>
    kit.simulateTransaction(transaction as Base64EncodedWireTransaction, {
      ...{ encoding: "base64", commitment: "confirmed", sigVerify: false, replaceRecentBlockhash: true },
    }),
  )
  return value.err !== null
})

const lamportsOf = (address: string, owner: string = SYSTEM_PROGRAM): SeedAccount => ({
  ...{ address, owner, lamports: 100n * SOL, data: new Uint8Array(owner === SYSTEM_PROGRAM ? 0 : 165) },
})

type Placed = readonly [mint: string, program: string, state: AccountState]

const placed = (wallet: string, states: ReadonlyArray<Placed>) =>
  Effect.forEach(states, ([mint, program, state]) =>
    Effect.promise(async () => {
      const address = await associatedTokenAddress(wallet, mint, program)
      return accountIn(state, { address, mint, program, rentOf, wallet })
    }),
  )

const tokens = (more: Partial<Extract<AccountState, { kind: "tokens" }>> = {}): AccountState => ({
  ...{ kind: "tokens", amount: 5n },
  ...more,
})
const wrapped = (state: AccountState): Placed => [NATIVE_MINT, TOKEN_PROGRAM, state]

const base = (state: AccountState): Placed => [SEEDED_MINTS.spl, TOKEN_PROGRAM, state]
const base2022 = (state: AccountState): Placed => [SEEDED_MINTS.token2022, TOKEN_2022_PROGRAM, state]

/** What a creator's accounts are, and whether its claim is refused then. */
const CLAIMS: ReadonlyArray<readonly [what: string, states: ReadonlyArray<Placed>, isRefused: boolean]> = [
  ["none", [], false],
  ["lamports alone", [wrapped({ kind: "lamports", lamports: 5n }), base({ kind: "lamports", lamports: SOL })], false],
  ["accounts of its own", [wrapped(tokens({ closeAuthority: "self" })), base(tokens({ delegate: true }))], false],
  ["wrapped SOL that another wallet closes", [wrapped(tokens({ closeAuthority: STRANGER }))], true],
  ["wrapped SOL of another wallet", [wrapped(tokens({ owner: STRANGER }))], true],
  ["tokens of another wallet", [base(tokens({ owner: STRANGER })), base2022(tokens({ owner: STRANGER }))], true],
  ["a frozen account", [base(tokens({ state: 2 })), base2022(tokens({ state: 2 }))], true],
  [
    "something else",
    [base({ kind: "other", owner: DBC_PROGRAM, bytes: 9 }), base2022({ kind: "other", owner: DBC_PROGRAM, bytes: 9 })],
    true,
  ],
]

describe("The accounts of a wallet", () => {
  for (const { baseMint, creator } of SEEDED_POOLS)
    it.live(`can receive what it claims of ${baseMint.slice(0, 4)}, or the claim is refused`, () =>
      Effect.gen(function* () {
        const claim = { wallet: creator, baseMint }
        const build = Effect.flatMap(Claims, (claims) => claims.build(claim))
        const built = yield* Effect.provide(build, over([lamportsOf(creator)]))
        assert.lengthOf(built.transactions, 1)
        const { transaction } = built.transactions[0]!
        const of2022 =
          baseMint === SEEDED_MINTS.token2022
            ? [
                ["a memo that transfers need", [base2022(tokens({ extensions: [EXTENSIONS.memo] }))], true] as const,
                ["a CPI guard", [base2022(tokens({ extensions: [EXTENSIONS.cpiGuard] }))], false] as const,
              ]
            : []
        for (const [what, states, isRefused] of [...CLAIMS, ...of2022])
          yield* Effect.gen(function* () {
            const said = yield* Effect.result(build)
            if (said._tag === "Failure") {
              assert.isTrue(isRefused, `${what}: ${JSON.stringify(said.failure)}`)
              assert.strictEqual(
                said.failure._tag === "InvalidRequest" && said.failure.issues[0]?.path,
                "body.walletAddress",
              )
            } else {
              assert.isFalse(isRefused, what)
              // What was said of the wallet's SOL holds: to the lamport what creating the accounts takes.
              assert.isTrue(said.success.wallet.sufficient)
            }
            if (hasLaunchPrograms) assert.strictEqual(yield* fails(transaction), isRefused, what)
          }).pipe(Effect.provide(over([lamportsOf(creator), ...(yield* placed(creator, states))])))
        const ofProgram = yield* Effect.flip(Effect.provide(build, over([lamportsOf(creator, TOKEN_PROGRAM)])))
        assert.strictEqual(ofProgram._tag, "InvalidRequest")
      }),
    )

  it.live("can pay for a first buy, or the launch is refused", () =>
    Effect.gen(function* () {
      const { address: signer } = yield* Effect.promise(newKeyPair)
      const launch = {
        ...{ signer, label: { name: "N", symbol: "S", uri: "https://example.com/n.json" } },
        ...{
          config: SEEDED_POOLS[0]!.config,
          mint: { _tag: "Generated" } as const,
          firstBuy: { amountIn: 1_000_000n },
        },
      }
      const build = Effect.flatMap(OneStepLaunches, (launches) => launches.build(launch))
      const built = yield* Effect.provide(build, over([lamportsOf(signer)]))
      assert.lengthOf(built.transactions, 1)
      for (const [what, state, isRefused] of [
        ["lamports alone", { kind: "lamports", lamports: 5n }, false],
        ["wrapped SOL", tokens(), false],
        ["wrapped SOL that another wallet closes: it stays open", tokens({ closeAuthority: STRANGER }), false],
        ["wrapped SOL of another wallet", tokens({ owner: STRANGER }), true],
        ["an account without wrapped SOL", tokens({ isNative: false, amount: 0n }), true],
        ["something else", { kind: "other", owner: DBC_PROGRAM, bytes: 165 }, true],
        ["an account that is not initialized", tokens({ state: 0 }), true],
      ] as const)
        yield* Effect.gen(function* () {
          const said = yield* Effect.result(build)
          assert.strictEqual(said._tag === "Failure", isRefused, what)
          if (said._tag === "Failure")
            assert.strictEqual(said.failure._tag === "InvalidRequest" && said.failure.issues[0]?.path, "body.signer")
          if (!hasLaunchPrograms) return
          const transaction =
            said._tag === "Success" ? said.success.transactions[0]!.transaction : built.transactions[0]!.transaction
          assert.strictEqual(yield* fails(transaction), isRefused, what)
        }).pipe(Effect.provide(over([lamportsOf(signer), ...(yield* placed(signer, [wrapped(state)]))])))
    }),
  )

  it.live("pay for a configuration and a pool, or they are refused: no account of a program does", () =>
    Effect.gen(function* () {
      const { address: signer } = yield* Effect.promise(newKeyPair)
      const transactions = yield* LaunchTransactions
      const label = { name: "N", symbol: "S", uri: "https://example.com/n.json" }
      const { config } = SEEDED_POOLS[0]!
      const facts = yield* transactions.getConfigFacts(config)
      const pathOf = (error: object) =>
        "issues" in error ? (error.issues as ReadonlyArray<InvalidIssue>)[0]?.path : ""
      const existing = yield* Effect.flip(
        transactions.buildPool({ signer, config, facts, label, baseMint: SEEDED_MINTS.spl }),
      )
      assert.strictEqual(pathOf(existing), "body.mintAddress")
      const ofConfig = yield* Effect.flip(
        transactions.buildConfig({ signer: PROGRAM_WALLET, launchpad: "launchpad_a" }),
      )
      const ofPool = yield* Effect.flip(transactions.buildPool({ signer: PROGRAM_WALLET, config, facts, label }))
      for (const error of [ofConfig, ofPool]) assert.strictEqual(pathOf(error), "body.signer")
    }).pipe(Effect.provide(over([lamportsOf(PROGRAM_WALLET, TOKEN_PROGRAM)]))),
  )
})

const PROGRAM_WALLET = STRANGER
