import { assert } from "@effect/vitest"
import { getBase64Encoder, getTransactionDecoder } from "@solana/kit"
import { Effect } from "effect"
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from "../../src/accounts/Programs.ts"
import { type OneStepLaunch, OneStepLaunches } from "../../src/launches/OneStepLaunches.ts"
import { balanceOf, heldOf, signAndSend, walletWith } from "./Wallet.ts"

/** What is launched. */
export const LABEL = { name: "One Step", symbol: "ONE", uri: "https://example.com/one.json" }
export const SOL = 1_000_000_000n

/** Builds and sends a launch; asserts that it took what was said, and gave what was quoted. */
export const launchAndCheck = Effect.fnUntraced(function* (
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
    assert.isAtMost(size, request.transactionVersion === 1 ? 4_096 : 1_232)
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
    const held = yield* heldOf(wallet.address, built.mintAddress, tokenType === 1 ? TOKEN_2022_PROGRAM : TOKEN_PROGRAM)
    assert.strictEqual(held.toString(), built.quote.expectedAmountOut)
  }
  return { built, wallet }
})
