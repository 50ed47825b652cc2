import { assert, describe, it } from "@effect/vitest"
import type { DbcConfig } from "@launch-registry/domain/pools/DbcConfig"
import { getTransferSolInstruction } from "@solana-program/system"
import { getCreateAssociatedTokenIdempotentInstruction } from "@solana-program/token"
import { Effect, Exit } from "effect"
import { associatedTokenAddress } from "../../src/accounts/DerivedAddresses.ts"
import { OneStepLaunches } from "../../src/launches/OneStepLaunches.ts"
import { Pools } from "../../src/pools/Pools.ts"
import { NATIVE_MINT, TOKEN_PROGRAM } from "../../src/accounts/Programs.ts"
import { Rpc } from "../../src/rpc/Rpc.ts"
import { LABEL, launchAndCheck, SOL } from "./LaunchedInOneStep.ts"
import { hasLaunchPrograms, launchServices } from "./RealPrograms.ts"
import { PRICES, RENT, rentOf } from "./SwapCases.ts"
import { balanceOf, heldOf, sendInstruction, signAndSend, transferOut, walletWith } from "./Wallet.ts"

describe.skipIf(!hasLaunchPrograms)("The wallet of a launch on the real program (needs the program files)", () => {
  it.live("is refused exactly when the wallet cannot pay for it, whatever rent is", () =>
    Effect.forEach(PRICES, (lamportsPerByte) =>
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
            total + rentOf(0, lamportsPerByte) - 1n,
            total + rentOf(0, lamportsPerByte),
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
      }).pipe(Effect.provide(launchServices({ lamportsPerByte }))),
    ),
  )

  it.live("leaves wrapped SOL of the wallet alone, and keeps the caller's minimum", () =>
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
      assert.strictEqual(yield* balanceOf(wrapped), RENT)
      const more = { amountIn: SOL, minimumAmountOut: expected + 1n }
      const refused = yield* Effect.flip(launches.build({ ...request, firstBuy: more }))
      assert.strictEqual(refused._tag === "InvalidRequest" && refused.issues[0]?.path, "body.firstBuy.minimumAmountOut")
    }).pipe(Effect.provide(launchServices())),
  )

  it.live("unwraps SOL although somebody has sent lamports to the address for it", () =>
    Effect.gen(function* () {
      const [launches, rpc] = [yield* OneStepLaunches, yield* Rpc]
      const [wallet, stranger] = [yield* walletWith(100n * SOL), yield* walletWith(SOL)]
      const wrapped = yield* Effect.promise(() => associatedTokenAddress(wallet.address, NATIVE_MINT, TOKEN_PROGRAM))
      const sent = 1_000_000n
      yield* Effect.promise(() =>
        sendInstruction(rpc, stranger, (source) =>
          getTransferSolInstruction({ source, destination: wrapped, amount: sent }),
        ),
      )
      const before = yield* balanceOf(wallet.address)
      const built = yield* launches.build({
        ...{ signer: wallet.address, label: LABEL, config: { launchpad: "launchpad_a" as const } },
        ...{ mint: { _tag: "Generated" } as const, firstBuy: { amountIn: SOL } },
      })
      for (const { transaction } of built.transactions) yield* signAndSend(wallet.keyPair, transaction)
      assert.strictEqual(yield* balanceOf(wrapped), 0n)
      assert.strictEqual(before - (yield* balanceOf(wallet.address)), BigInt(built.cost.total) - sent)
    }).pipe(Effect.provide(launchServices())),
  )

  it.live("buys with another token than SOL, up to the whole curve, and names what the wallet lacks of it", () =>
    Effect.gen(function* () {
      const launches = yield* OneStepLaunches
      const { built, wallet } = yield* launchAndCheck({
        ...{ config: { launchpad: "launchpad_a" }, firstBuy: { amountIn: 20n * SOL } },
      })
      const quoteMint = built.mintAddress
      const dbcConfig: DbcConfig = {
        buildCurveParam: { percentageSupplyOnMigration: 20, migrationQuoteThreshold: "85" },
      }
      const ofLaunchpad = { launchpad: "launchpad_b" as const, quoteMint }
      const asked = { signer: wallet.address, label: LABEL, mint: { _tag: "Generated" } as const }
      const inSol = yield* Effect.flip(launches.build({ ...asked, config: ofLaunchpad }))
      assert.deepInclude(inSol, { _tag: "InvalidRequest" })
      const request = { ...asked, config: { ...ofLaunchpad, dbcConfig } }
      const held = yield* heldOf(wallet.address, quoteMint, TOKEN_PROGRAM)
      const lacking = yield* Effect.flip(
        launches.build({ ...request, firstBuy: { amountIn: 10_000_000n }, signer: (yield* walletWith(SOL)).address }),
      )
      assert.deepInclude(lacking, {
        _tag: "InsufficientFunds",
        mintAddress: quoteMint,
        held: "0",
        shortfall: "10000000",
      })
      // 85 whole tokens complete the curve: what is more is refused with what it takes.
      const tooMuch = yield* Effect.flip(launches.build({ ...request, firstBuy: { amountIn: 200_000_000n } }))
      const issue = tooMuch._tag === "InvalidRequest" ? tooMuch.issues[0]! : assert.fail(tooMuch._tag)
      const amountIn = BigInt(issue.maximum!)
      const before = yield* balanceOf(wallet.address)
      const bought = yield* launches.build({ ...request, firstBuy: { amountIn } })
      for (const { transaction } of bought.transactions) yield* signAndSend(wallet.keyPair, transaction)
      assert.strictEqual(before - (yield* balanceOf(wallet.address)), BigInt(bought.cost.total))
      assert.strictEqual(yield* heldOf(wallet.address, quoteMint, TOKEN_PROGRAM), held - amountIn)
      const received = yield* heldOf(wallet.address, bought.mintAddress, TOKEN_PROGRAM)
      assert.strictEqual(received.toString(), bought.quote!.expectedAmountOut)
      const { curve } = { curve: yield* Effect.flatMap(Pools, (pools) => pools.getCurve(bought.mintAddress)) }
      assert.isTrue(curve.pool.quoteReserve >= curve.config.migrationQuoteThreshold)
    }).pipe(Effect.provide(launchServices())),
  )
})
