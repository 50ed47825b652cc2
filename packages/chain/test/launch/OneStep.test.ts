import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import type { BuiltLaunch } from "@launch-registry/domain/launch/CreateLaunch"
import type { DbcConfig } from "@launch-registry/domain/launch/DbcConfig"
import { getCreateAssociatedTokenIdempotentInstruction } from "@solana-program/token"
import { type Address, getBase64Encoder, getTransactionDecoder, lamports } from "@solana/kit"
import { Effect, Exit, Layer, Redacted } from "effect"
import { AccountReader } from "../../src/launch/AccountReader.ts"
import { associatedTokenAddress } from "../../src/launch/DerivedAddresses.ts"
import { TokenMetadataBytes } from "../../src/launch/LaunchCosts.ts"
import { newKeyPair } from "../../src/launch/NewKeyPair.ts"
import { type OneStepLaunch, OneStepLaunches } from "../../src/launch/OneStepLaunches.ts"
import { PoolDirectory } from "../../src/launch/PoolDirectory.ts"
import { Pools } from "../../src/launch/Pools.ts"
import { metadataAccounts, poolMetadata } from "../../src/launch/PoolViews.ts"
import { NATIVE_MINT, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from "../../src/launch/Programs.ts"
import { Swaps } from "../../src/launch/Swaps.ts"
import { LocalChain } from "../../src/localnet/LocalChain.ts"
import { Rpc } from "../../src/rpc/Rpc.ts"
import { rpcOver } from "./CountedChain.ts"
import { sendInstruction, signAndSend, transferOut } from "./Wallet.ts"

/** Program files are under a licence that keeps them out of the repository; see CONTRIBUTING. */
const PROGRAMS = fileURLToPath(new URL("../../../../programs", import.meta.url))
const hasPrograms = existsSync(`${PROGRAMS}/dynamic_bonding_curve.so`) && existsSync(`${PROGRAMS}/metaplex.so`)

/** The public fixture of the Token Metadata program is of before its accounts became smaller. */
const metadataBytes = Layer.succeed(TokenMetadataBytes, 679)
const services = Layer.mergeAll(OneStepLaunches.layer(), Swaps.layer).pipe(
  Layer.provideMerge(Layer.provide(Pools.layer, PoolDirectory.layerEmpty)),
  Layer.provideMerge(Layer.unwrap(Effect.map(LocalChain, ({ url }) => rpcOver(url)))),
  Layer.provideMerge(LocalChain.layer({ programsFolder: PROGRAMS })),
  Layer.provideMerge(metadataBytes),
)

const LABEL = { name: "One Step", symbol: "ONE", uri: "https://example.com/one.json" }
const LONG_LABEL = { name: "N".repeat(32), symbol: "S".repeat(10), uri: "https://example.com/".padEnd(200, "x") }
const SOL = 1_000_000_000n

const walletWith = Effect.fnUntraced(function* (amount: bigint) {
  const rpc = yield* Rpc
  const wallet = yield* Effect.promise(newKeyPair)
  yield* rpc.call((kit) => kit.requestAirdrop(wallet.address as Address, lamports(amount)))
  return wallet
})

const balanceOf = Effect.fnUntraced(function* (address: string) {
  const rpc = yield* Rpc
  const { value } = yield* rpc.call((kit) => kit.getBalance(address as Address))
  return BigInt(value)
})

const heldOf = Effect.fnUntraced(function* (owner: string, mint: string, program: string) {
  const pools = yield* Pools
  const address = yield* Effect.promise(() => associatedTokenAddress(owner, mint, program))
  const [account] = (yield* pools.readAccounts([address])).accounts
  return account === undefined ? 0n : new AccountReader(account.data).u64(64)
})

/** Builds and sends a launch; asserts that it took what was said, and gave what was quoted. */
const launchAndCheck = Effect.fnUntraced(function* (
  request: Omit<OneStepLaunch, "signer" | "mint" | "label"> & Partial<OneStepLaunch>,
  tokenType = 0,
) {
  const launches = yield* OneStepLaunches
  const wallet = yield* walletWith(1_000n * SOL)
  const before = yield* balanceOf(wallet.address)
  const built = yield* launches.build({ label: LABEL, mint: { _tag: "Generated" }, signer: wallet.address, ...request })
  const total = built.cost.parts.reduce((sum, part) => sum + BigInt(part.lamports), 0n)
  assert.strictEqual(built.cost.total, total.toString())
  for (const [index, { requires, signers, size, transaction }] of built.transactions.entries()) {
    const bytes = getBase64Encoder().encode(transaction)
    assert.strictEqual(size, bytes.length)
    assert.isAtMost(size, 1232)
    assert.isTrue(requires.every((other) => other < index))
    const { signatures } = getTransactionDecoder().decode(bytes)
    assert.deepStrictEqual(
      signers.map(({ address, hasSigned }) => [address, hasSigned]),
      Object.entries(signatures).map(([address, signature]) => [address, signature !== null]),
    )
    yield* signAndSend(wallet.keyPair, transaction)
  }
  assert.strictEqual(before - (yield* balanceOf(wallet.address)), total)
  if (built.quote !== undefined) {
    const held = yield* heldOf(wallet.address, built.baseMint, tokenType === 1 ? TOKEN_2022_PROGRAM : TOKEN_PROGRAM)
    assert.strictEqual(held.toString(), built.quote.expectedAmountOut)
  }
  return { built, wallet }
})

const SNIPED = { startingFeeBps: 5000, endingFeeBps: 100, numberOfPeriod: 10, totalDuration: 600 }
const WEIGHTS = Array.from({ length: 16 }, (_, index) => 1.1 ** index)
const SIXTEEN: DbcConfig = {
  buildCurveMode: 3,
  buildCurveParam: { initialMarketCap: "30", migrationMarketCap: "400", liquidityWeights: WEIGHTS },
}

const CONFIGURATIONS: ReadonlyArray<readonly [what: string, dbcConfig: DbcConfig]> = [
  ["the preset", {}],
  ["Token-2022", { tokenType: 1 }],
  ["a fee against snipers", { baseFeeParams: { baseFeeMode: 0, feeSchedulerParam: SNIPED } }],
  ["an exponential fee against snipers", { baseFeeParams: { baseFeeMode: 1, feeSchedulerParam: SNIPED } }],
  [
    "a fee against snipers that the creator does not pay",
    { enableFirstSwapWithMinFee: true, baseFeeParams: { baseFeeMode: 0, feeSchedulerParam: SNIPED } },
  ],
  ["a fee for creating the pool", { poolCreationFee: "0.5" }],
  ["the fee on the output", { collectFeeMode: 1 }],
  ["activation by slot", { activationType: 0 }],
  ["sixteen points", SIXTEEN],
  ["sixteen points and Token-2022", { ...SIXTEEN, tokenType: 1 }],
]

const purposesOf = ({ built }: { readonly built: { readonly transactions: BuiltLaunch["transactions"] } }) =>
  built.transactions.map(({ purposes }) => purposes)

const named = (what: string) => Effect.mapError((error: unknown) => new Error(what, { cause: error }))

describe(`A launch in one step on the real program${hasPrograms ? "" : " (skipped: no program files in programs/)"}`, () => {
  it.live.skipIf(!hasPrograms)("takes what it costs to the lamport, and the first buy gives what was quoted", () =>
    Effect.gen(function* () {
      for (const launchpad of ["launchpad_a", "launchpad_b"] as const)
        for (const [what, dbcConfig] of CONFIGURATIONS) {
          const request = { config: { launchpad, dbcConfig }, firstBuy: { amountIn: SOL } }
          const launched = yield* launchAndCheck(request, dbcConfig.tokenType).pipe(named(`${launchpad}, ${what}`))
          // The configuration alone takes half a packet; the pool is never without the buy.
          assert.deepStrictEqual(purposesOf(launched), [["config"], ["pool", "first_buy"]])
          assert.deepStrictEqual(
            launched.built.transactions.map(({ requires }) => requires),
            [[], [0]],
          )
        }
    }).pipe(Effect.provide(services)),
  )

  it.live.skipIf(!hasPrograms)(
    "is one transaction with an existing configuration, and with a configuration of its own without a buy",
    () =>
      Effect.gen(function* () {
        const preset = { launchpad: "launchpad_a" } as const
        const first = yield* launchAndCheck({ config: preset, label: { name: "A", symbol: "B", uri: "https://a.b/c" } })
        assert.deepStrictEqual(purposesOf(first), [["config", "pool"]])
        const config = first.built.config
        for (const label of [LABEL, LONG_LABEL]) {
          const bought = yield* launchAndCheck({
            config,
            label,
            firstBuy: { amountIn: 3n * SOL },
            priorityFee: 123_456n,
          })
          assert.deepStrictEqual(purposesOf(bought), [["pool", "first_buy"]])
          assert.strictEqual(bought.built.transactions[0]!.priorityFeeLamports, "123456")
          assert.isUndefined(bought.built.created)
          assert.deepStrictEqual(purposesOf(yield* launchAndCheck({ config, label, priorityFee: "none" })), [["pool"]])
        }
        const texts = { name: "One", website: "https://example.com", logo: "https://example.com/logo.png" }
        const all = yield* launchAndCheck({ config, poolMetadata: texts, firstBuy: { amountIn: SOL } })
        assert.deepStrictEqual(purposesOf(all), [["pool", "first_buy", "pool_metadata"]])
        const request = { config, label: LONG_LABEL, poolMetadata: texts, firstBuy: { amountIn: SOL } }
        const told = yield* launchAndCheck(request)
        assert.deepStrictEqual(purposesOf(told), [["pool", "first_buy"], ["pool_metadata"]])
        const { accounts, curve } = yield* Effect.flatMap(Pools, (pools) =>
          pools.getCurveWith(told.built.baseMint, metadataAccounts),
        )
        assert.deepStrictEqual(poolMetadata(curve, accounts).pool, texts)
      }).pipe(Effect.provide(services)),
  )

  it.live.skipIf(!hasPrograms)(
    "creates the caller's own mint, which the caller or the service signs for, and refuses one that exists",
    () =>
      Effect.gen(function* () {
        const launches = yield* OneStepLaunches
        const config = { launchpad: "launchpad_a" } as const
        const given = yield* Effect.promise(newKeyPair)
        const secretKey = Redacted.make(given.secretKey)
        const signedHere = yield* launchAndCheck({ config, mint: { _tag: "KeyPair", secretKey } })
        assert.strictEqual(signedHere.built.baseMint, given.address)

        const ground = yield* Effect.promise(newKeyPair)
        const wallet = yield* walletWith(10n * SOL)
        const request = { label: LABEL, signer: wallet.address, config: signedHere.built.config }
        const mint = { _tag: "Address", address: ground.address } as const
        const built = yield* launches.build({ ...request, mint, firstBuy: { amountIn: SOL } })
        const [transaction] = built.transactions
        assert.deepInclude(transaction!.signers, { address: ground.address, role: "base_mint", hasSigned: false })
        yield* signAndSend([wallet.keyPair, ground.keyPair], transaction!.transaction)
        assert.isAbove(Number(yield* heldOf(wallet.address, ground.address, TOKEN_PROGRAM)), 0)

        const again = yield* Effect.flip(launches.build({ ...request, mint }))
        assert.strictEqual(again._tag === "InvalidLaunch" && again.issues[0]?.path, "body.baseMint")
        const mixed = Redacted.make(
          Uint8Array.from([...given.secretKey.subarray(0, 32), ...ground.secretKey.subarray(32)]),
        )
        const forged = yield* Effect.flip(launches.build({ ...request, mint: { _tag: "KeyPair", secretKey: mixed } }))
        assert.strictEqual(forged._tag === "InvalidLaunch" && forged.issues[0]?.path, "body.baseMintKeypair")
      }).pipe(Effect.provide(services)),
  )

  it.live.skipIf(!hasPrograms)("is refused exactly when the wallet cannot pay for it", () =>
    Effect.gen(function* () {
      const [launches, rpc] = [yield* OneStepLaunches, yield* Rpc]
      const { built } = yield* launchAndCheck({ config: { launchpad: "launchpad_a" } })
      const request = { label: LABEL, config: built.config, mint: { _tag: "Generated" } as const }
      for (const firstBuy of [undefined, { amountIn: SOL }]) {
        const rich = yield* walletWith(10n * SOL)
        const { cost, wallet } = yield* launches.build({
          ...request,
          signer: rich.address,
          ...(firstBuy && { firstBuy }),
        })
        const [total, required] = [BigInt(cost.total), BigInt(wallet.required)]
        const held = [
          total - 1n,
          total,
          total + 1n,
          total + 890_879n,
          total + 890_880n,
          required - 1n,
          required,
          required + 1n,
        ]
        for (const amount of held) {
          const { address: signer, keyPair } = yield* walletWith(amount)
          const asked = { ...request, signer, ...(firstBuy && { firstBuy }) }
          const said = yield* Effect.result(launches.build(asked))
          if (said._tag === "Success") {
            yield* signAndSend(keyPair, said.success.transactions[0]!.transaction)
            assert.strictEqual(yield* balanceOf(signer), amount - total)
            continue
          }
          const error = said.failure
          assert.strictEqual(error._tag, "InsufficientFunds")
          if (error._tag !== "InsufficientFunds") continue
          assert.deepInclude(error, { held: amount.toString(), required: required.toString() })
          assert.strictEqual(error.shortfall, (required - amount).toString())
          // What was built for a wallet that can pay fails for this one.
          const tight = yield* walletWith(10n * SOL)
          const unpaid = yield* launches.build({ ...asked, signer: tight.address })
          yield* Effect.promise(() => transferOut(rpc, tight, 10n * SOL - amount - 5_000n))
          const sent = yield* Effect.exit(signAndSend(tight.keyPair, unpaid.transactions[0]!.transaction))
          assert.isTrue(Exit.isFailure(sent), `${amount} of ${total}`)
        }
      }
    }).pipe(Effect.provide(services)),
  )

  it.live.skipIf(!hasPrograms)("leaves wrapped SOL of the wallet alone, and keeps the caller's minimum", () =>
    Effect.gen(function* () {
      const launches = yield* OneStepLaunches
      const wallet = yield* walletWith(100n * SOL)
      const wrapped = yield* Effect.promise(() => associatedTokenAddress(wallet.address, NATIVE_MINT, TOKEN_PROGRAM))
      const rpc = yield* Rpc
      yield* Effect.promise(() =>
        sendInstruction(rpc, wallet, (payer) =>
          getCreateAssociatedTokenIdempotentInstruction({
            ...{ payer, ata: wrapped, owner: payer.address, mint: NATIVE_MINT, tokenProgram: TOKEN_PROGRAM },
          }),
        ),
      )
      const request = {
        ...{ signer: wallet.address, label: LABEL, config: { launchpad: "launchpad_b" as const } },
        mint: { _tag: "Generated" } as const,
      }
      const { quote } = yield* launches.build({ ...request, firstBuy: { amountIn: SOL } })
      const expected = BigInt(quote!.expectedAmountOut)
      assert.strictEqual(BigInt(quote!.minimumAmountOut), (expected * 9_900n) / 10_000n)
      const exact = { amountIn: SOL, minimumAmountOut: expected }
      const before = yield* balanceOf(wallet.address)
      const built = yield* launches.build({ ...request, firstBuy: exact })
      assert.deepInclude(built.quote, { minimumAmountOut: expected.toString(), slippageBps: 0 })
      for (const { transaction } of built.transactions) yield* signAndSend(wallet.keyPair, transaction)
      assert.strictEqual(before - (yield* balanceOf(wallet.address)), BigInt(built.cost.total))
      assert.strictEqual(yield* balanceOf(wrapped), 2_039_280n)
      const more = { amountIn: SOL, minimumAmountOut: expected + 1n }
      const refused = yield* Effect.flip(launches.build({ ...request, firstBuy: more }))
      assert.strictEqual(refused._tag === "InvalidLaunch" && refused.issues[0]?.path, "body.firstBuy.minimumAmountOut")
    }).pipe(Effect.provide(services)),
  )

  it.live.skipIf(!hasPrograms)(
    "buys with another token than SOL, up to the whole curve, and names what the wallet lacks of it",
    () =>
      Effect.gen(function* () {
        const launches = yield* OneStepLaunches
        const { built, wallet } = yield* launchAndCheck({
          ...{ config: { launchpad: "launchpad_a" }, firstBuy: { amountIn: 20n * SOL } },
        })
        const quoteMint = built.baseMint
        const dbcConfig: DbcConfig = { tokenQuoteDecimal: 6 }
        const request = {
          ...{ signer: wallet.address, label: LABEL, mint: { _tag: "Generated" } as const },
          config: { launchpad: "launchpad_b" as const, quoteMint, dbcConfig },
        }
        const held = yield* heldOf(wallet.address, quoteMint, TOKEN_PROGRAM)
        const lacking = yield* Effect.flip(
          launches.build({ ...request, firstBuy: { amountIn: 10_000_000n }, signer: (yield* walletWith(SOL)).address }),
        )
        assert.deepInclude(lacking, { _tag: "InsufficientFunds", mint: quoteMint, held: "0", shortfall: "10000000" })
        // 85 whole tokens complete the curve: what is more is refused with what it takes.
        const tooMuch = yield* Effect.flip(launches.build({ ...request, firstBuy: { amountIn: 200_000_000n } }))
        const issue = tooMuch._tag === "InvalidLaunch" ? tooMuch.issues[0]! : assert.fail(tooMuch._tag)
        const amountIn = BigInt(/^expected at most (\d+): the curve/.exec(issue.message)![1]!)
        const before = yield* balanceOf(wallet.address)
        const bought = yield* launches.build({ ...request, firstBuy: { amountIn } })
        for (const { transaction } of bought.transactions) yield* signAndSend(wallet.keyPair, transaction)
        assert.strictEqual(before - (yield* balanceOf(wallet.address)), BigInt(bought.cost.total))
        assert.strictEqual(yield* heldOf(wallet.address, quoteMint, TOKEN_PROGRAM), held - amountIn)
        const received = yield* heldOf(wallet.address, bought.baseMint, TOKEN_PROGRAM)
        assert.strictEqual(received.toString(), bought.quote!.expectedAmountOut)
        const { curve } = { curve: yield* Effect.flatMap(Pools, (pools) => pools.getCurve(bought.baseMint)) }
        assert.isTrue(curve.pool.quoteReserve >= curve.config.migrationQuoteThreshold)
      }).pipe(Effect.provide(services)),
  )
})
