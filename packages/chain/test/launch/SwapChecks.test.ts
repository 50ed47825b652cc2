import { assert, layer } from "@effect/vitest"
import { type Address, lamports } from "@solana/kit"
import { Effect, Layer } from "effect"
import { associatedTokenAddress } from "../../src/accounts/DerivedAddresses.ts"
import { newKeyPair } from "../../src/build/NewKeyPair.ts"
import { Pools } from "../../src/pools/Pools.ts"
import { NATIVE_MINT, TOKEN_PROGRAM } from "../../src/accounts/Programs.ts"
import { Swaps } from "../../src/swaps/Swaps.ts"
import { LocalChain } from "../../src/localnet/LocalChain.ts"
import { SEEDED_MINTS } from "../../src/localnet/SeedAccounts.ts"
import { Rpc } from "../../src/rpc/Rpc.ts"
import { rpcOver, seededDirectory } from "./CountedChain.ts"

const chain = Layer.unwrap(Effect.map(LocalChain, ({ url }) => rpcOver(url))).pipe(Layer.provide(LocalChain.layer({})))
const services = Swaps.layer.pipe(
  Layer.provideMerge(Layer.provide(Pools.layer, seededDirectory)),
  Layer.provideMerge(chain),
)
const CREATOR = "2gPJHzn5khcuAjvLQxyVVyLDTAyvj1Xx8chWb4PPg1CR"

const wallet = Effect.fn(function* (balance: bigint) {
  const { address } = yield* Effect.promise(newKeyPair)
  if (balance > 0n)
    yield* Effect.flatMap(Rpc, ({ call }) => call((kit) => kit.requestAirdrop(address as Address, lamports(balance))))
  return address
})

const swapOf = (signer: string, more: object = {}) => ({
  baseMint: SEEDED_MINTS.spl,
  signer,
  amountIn: 1_000_000_000n,
  slippageBps: 100,
  swapBaseForQuote: false,
  ...more,
})

const codesOf = ({
  simulation,
}: {
  readonly simulation: { readonly problems: ReadonlyArray<{ readonly code: string }> }
}) => simulation.problems.map(({ code }) => code)

layer(services, { excludeTestServices: true })("A swap reports beforehand what the wallet lacks", (it) => {
  it.effect("SOL for the amount, the accounts and the fees", () =>
    Effect.gen(function* () {
      const swaps = yield* Swaps
      for (const [balance, codes] of [
        [0n, ["insufficient_sol"]],
        [1_000_000_000n, ["insufficient_sol"]],
        [1_100_000_000n, []],
      ] as const) {
        const built = yield* swaps.build(swapOf(yield* wallet(balance)))
        assert.deepStrictEqual(codesOf(built), [...codes], String(balance))
        assert.strictEqual(built.simulation.willSucceed, codes.length === 0)
        assert.isFalse(built.simulation.isSimulated)
      }
    }),
  )

  it.effect("tokens for a sell", () =>
    Effect.gen(function* () {
      const swaps = yield* Swaps
      const signer = yield* wallet(1_000_000_000n)
      const built = yield* swaps.build(swapOf(signer, { swapBaseForQuote: true }))
      assert.deepStrictEqual(codesOf(built), ["insufficient_tokens"])
      assert.match(built.simulation.problems[0]!.message, /holds 0 of .* sends 1000000000/)
    }),
  )

  it.effect("and refuses a referral account that cannot take the fee", () =>
    Effect.gen(function* () {
      const swaps = yield* Swaps
      const signer = yield* wallet(2_000_000_000n)
      const absent = yield* Effect.promise(() => associatedTokenAddress(signer, NATIVE_MINT, TOKEN_PROGRAM))
      const ofBase = yield* Effect.promise(() => associatedTokenAddress(CREATOR, SEEDED_MINTS.spl, TOKEN_PROGRAM))
      for (const referralTokenAccount of [absent, ofBase, signer, SEEDED_MINTS.spl]) {
        const error = yield* Effect.flip(swaps.build(swapOf(signer, { referralTokenAccount })))
        assert.strictEqual(error._tag, "InvalidRequest")
        if (error._tag === "InvalidRequest") assert.strictEqual(error.issues[0]!.path, "body.referralTokenAccount")
      }
    }),
  )
})
