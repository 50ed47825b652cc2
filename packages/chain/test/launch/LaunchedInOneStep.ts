import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert } from "@effect/vitest"
import { type Address, getBase64Encoder, getTransactionDecoder, lamports } from "@solana/kit"
import { Effect, Layer } from "effect"
import { AccountReader } from "../../src/accounts/AccountReader.ts"
import { associatedTokenAddress } from "../../src/accounts/DerivedAddresses.ts"
import { TokenMetadataBytes } from "../../src/build/LaunchCosts.ts"
import { newKeyPair } from "../../src/build/NewKeyPair.ts"
import { type OneStepLaunch, OneStepLaunches } from "../../src/launches/OneStepLaunches.ts"
import { PoolDirectory } from "../../src/pools/PoolDirectory.ts"
import { Pools } from "../../src/pools/Pools.ts"
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from "../../src/accounts/Programs.ts"
import type { LedgerOptions } from "../../src/localnet/LedgerOptions.ts"
import { LocalChain } from "../../src/localnet/LocalChain.ts"
import { Rpc } from "../../src/rpc/Rpc.ts"
import { rpcOver } from "./CountedChain.ts"
import { signAndSend } from "./Wallet.ts"

/** Program files are under a licence that keeps them out of the repository; see CONTRIBUTING. */
const PROGRAMS = fileURLToPath(new URL("../../../../programs", import.meta.url))
export const hasPrograms = existsSync(`${PROGRAMS}/dynamic_bonding_curve.so`) && existsSync(`${PROGRAMS}/metaplex.so`)

/** The public fixture of the Token Metadata program is of before its accounts became smaller. */
const metadataBytes = Layer.succeed(TokenMetadataBytes, 679)
export const servicesOn = (options: Partial<LedgerOptions>) =>
  OneStepLaunches.layer().pipe(
    Layer.provideMerge(Layer.provide(Pools.layer, PoolDirectory.layerEmpty)),
    Layer.provideMerge(Layer.unwrap(Effect.map(LocalChain, ({ url }) => rpcOver(url)))),
    Layer.provideMerge(LocalChain.layer({ programsFolder: PROGRAMS, ...options })),
    Layer.provideMerge(metadataBytes),
  )
export const services = servicesOn({})

/** What is launched. */
export const LABEL = { name: "One Step", symbol: "ONE", uri: "https://example.com/one.json" }
export const LONG_LABEL = { name: "N".repeat(32), symbol: "S".repeat(10), uri: "https://example.com/".padEnd(200, "x") }
export const SOL = 1_000_000_000n

/** A new wallet with so many lamports. */
export const walletWith = Effect.fnUntraced(function* (amount: bigint) {
  const rpc = yield* Rpc
  const wallet = yield* Effect.promise(newKeyPair)
  yield* rpc.call((kit) => kit.requestAirdrop(wallet.address as Address, lamports(amount)))
  return wallet
})

export const balanceOf = Effect.fnUntraced(function* (address: string) {
  const rpc = yield* Rpc
  const { value } = yield* rpc.call((kit) => kit.getBalance(address as Address))
  return BigInt(value)
})

/** Tokens of a mint that a wallet has, in smallest units. */
export const heldOf = Effect.fnUntraced(function* (owner: string, mint: string, program: string) {
  const pools = yield* Pools
  const address = yield* Effect.promise(() => associatedTokenAddress(owner, mint, program))
  const [account] = (yield* pools.readAccounts([address])).accounts
  return account === undefined ? 0n : new AccountReader(account.data).u64(64)
})

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
    const held = yield* heldOf(wallet.address, built.baseMint, tokenType === 1 ? TOKEN_2022_PROGRAM : TOKEN_PROGRAM)
    assert.strictEqual(held.toString(), built.quote.expectedAmountOut)
  }
  return { built, wallet }
})
