import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { createSolanaRpc, generateKeyPairSigner, type KeyPairSigner, lamports, type Signature } from "@solana/kit"
import { encodeBase58 } from "@launch-registry/domain/solana/Base58"
import { Context, Effect, Layer } from "effect"
import type { RawTransaction } from "../../src/transactions/RawTransaction.ts"
import { DBC_PROGRAM } from "../../src/accounts/Programs.ts"
import { rentOf, SYSVAR_RENT } from "../../src/accounts/Rent.ts"
import type { LedgerOptions } from "../../src/localnet/LedgerOptions.ts"
import { LocalChain } from "../../src/localnet/LocalChain.ts"
import { transferOf } from "./Transfer.ts"

const SOL = 1_000_000_000n

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "registry-chain-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true })),
)
const fileIn = (path: string) => join(path, "ledger.jsonl")

/** A chain until the test ends, while earlier ones still run: as after a kill, they write nothing at their end. */
const started = (options: Partial<LedgerOptions>) =>
  Effect.map(Layer.build(LocalChain.layer(options)), (context) => createSolanaRpc(Context.get(context, LocalChain).url))

type Chain = Effect.Success<ReturnType<typeof started>>

const seen = (chain: Chain, wallet: string, signatures: ReadonlyArray<string>) =>
  Effect.promise(async () => ({
    genesisHash: await chain.getGenesisHash().send(),
    balance: (await chain.getBalance(wallet as never).send()).value,
    statuses: (await chain.getSignatureStatuses(signatures as ReadonlyArray<Signature>).send()).value,
    history: await chain.getSignaturesForAddress(wallet as never).send(),
    transactions: await Promise.all(
      signatures.map((signature) =>
        chain
          .getTransaction(signature as Signature, {
            encoding: "json",
            maxSupportedTransactionVersion: 0,
          })
          .send(),
      ),
    ),
  }))

const send = (chain: Chain, wallet: KeyPairSigner, amount: bigint) =>
  Effect.promise(async () => {
    const { value: latest } = await chain.getLatestBlockhash().send()
    const { address } = await generateKeyPairSigner()
    const wire = await transferOf(wallet, address, amount, latest)
    return chain.sendTransaction(wire, { encoding: "base64", skipPreflight: true }).send()
  })

const funded = (chain: Chain) =>
  Effect.promise(async () => {
    const wallet = await generateKeyPairSigner()
    const airdrop = await chain.requestAirdrop(wallet.address, lamports(10n * SOL)).send()
    return { wallet, airdrop }
  })

describe("A local chain with a folder", () => {
  it.live(
    "answers a transaction whose fee payer cannot pay like a node: not executed, without fee, logs or calls",
    () =>
      Effect.gen(function* () {
        const chain = yield* started({ folder: yield* folder })
        const wallet = yield* Effect.promise(() => generateKeyPairSigner())
        const signature = yield* send(chain, wallet, SOL)
        const { statuses, transactions } = yield* seen(chain, wallet.address, [signature])
        assert.strictEqual(statuses[0]!.err, "AccountNotFound")
        assert.deepInclude(transactions[0]!.meta, { fee: lamports(0n), logMessages: null, innerInstructions: null })
      }).pipe(Effect.scoped),
  )

  it.live("is restored after a restart: accounts, airdrops, successes and failures, and slots continue", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const first = yield* started({ folder: path })
      const { airdrop, wallet } = yield* funded(first)
      const landed = yield* send(first, wallet, SOL)
      const failed = yield* send(first, wallet, 100n * SOL)
      const signatures = [airdrop, landed, failed]
      const before = yield* seen(first, wallet.address, signatures)
      assert.strictEqual(before.balance, 9n * SOL - 10_000n)
      assert.deepStrictEqual(
        before.statuses.map((status) => status?.err === null),
        [true, true, false],
      )
      const { value: latest } = yield* Effect.promise(() => first.getLatestBlockhash().send())
      const slot = yield* Effect.promise(() => first.getSlot({ commitment: "confirmed" }).send())

      for (let restarts = 0; restarts < 2; restarts++) {
        const again = yield* started({ folder: path })
        assert.deepStrictEqual(yield* seen(again, wallet.address, signatures), before)
        assert.isTrue((yield* Effect.promise(() => again.getSlot({ commitment: "confirmed" }).send())) >= slot)
        // A transaction signed before the restart can still land, once.
        assert.isTrue((yield* Effect.promise(() => again.isBlockhashValid(latest.blockhash).send())).value)
      }
      const last = yield* started({ folder: path })
      yield* send(last, wallet, SOL)
      const end = yield* started({ folder: path })
      assert.strictEqual((yield* seen(end, wallet.address, [])).balance, 8n * SOL - 15_000n)
    }).pipe(Effect.scoped),
  )

  it.live("has the rent that it is started with: in the sysvar, in answers, and for transactions", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const { wallet } = yield* Effect.flatMap(started({ folder: path }), funded)
      for (const [options, price] of [
        [{}, 5_080n],
        [{ lamportsPerByte: 696n }, 696n],
        [{ lamportsPerByte: 13_920n }, 13_920n],
      ] as const) {
        const chain = yield* started({ folder: path, ...options })
        const least = 128n * price
        const answered = yield* Effect.promise(() => chain.getMinimumBalanceForRentExemption(0n).send())
        assert.strictEqual(BigInt(answered), least)
        const { value } = yield* Effect.promise(() =>
          chain.getAccountInfo(SYSVAR_RENT as never, { encoding: "base64" }).send(),
        )
        const data = Uint8Array.from(Buffer.from(value!.data[0], "base64"))
        const rent = yield* rentOf({ owner: value!.owner, lamports: value!.lamports, data })
        assert.deepStrictEqual([rent(0), rent(165)], [least, 293n * price])
        const sent = [yield* send(chain, wallet, least - 1n), yield* send(chain, wallet, least)]
        const { statuses } = yield* seen(chain, wallet.address, sent)
        assert.deepStrictEqual(
          statuses.map((status) => status?.err ?? "landed"),
          [{ InsufficientFundsForRent: { account_index: 1n } }, "landed"] as never,
        )
      }
    }).pipe(Effect.scoped),
  )

  it.live("skips a truncated last line, and continues after it", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const { airdrop, wallet } = yield* Effect.flatMap(started({ folder: path }), funded)
      for (const torn of ['{"outcome":{"signature":"x', "\0\0\0\0\n"]) {
        appendFileSync(fileIn(path), torn)
        const again = yield* started({ folder: path })
        const { balance, genesisHash, statuses } = yield* seen(again, wallet.address, [airdrop])
        assert.isNull(statuses[0]!.err)
        yield* send(again, wallet, SOL)
        const after = yield* seen(yield* started({ folder: path }), wallet.address, [airdrop])
        assert.deepStrictEqual([after.genesisHash, after.balance], [genesisHash, balance - SOL - 5_000n] as never)
      }
    }).pipe(Effect.scoped),
  )

  it.live("fails when its file is damaged, instead of starting over", () =>
    Effect.gen(function* () {
      const path = yield* folder
      yield* Effect.flatMap(started({ folder: path }), funded)
      const text = readFileSync(fileIn(path), "utf8")
      for (const [damaged, line] of [
        [text.replace("{", "x"), 1],
        [text.replace('"version":2', '"version":1'), 1],
        [text.replace("\n{", "\nx"), 2],
        ["", 1],
      ] as const) {
        writeFileSync(fileIn(path), damaged === "" ? "" : `${damaged}{}\n`)
        const { _tag, message } = yield* Effect.flip(started({ folder: path }))
        assert.strictEqual(_tag, "LedgerDamaged")
        assert.include(message, `${fileIn(path)} is damaged in line ${line}:`)
      }
    }).pipe(Effect.scoped),
  )

  it.live("does not grow with restarts, and stores each account once", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const chain = yield* started({ folder: path })
      const { wallet } = yield* funded(chain)
      for (let transfers = 0; transfers < 5; transfers++) yield* send(chain, wallet, 1_000_000n)
      const grown = readFileSync(fileIn(path)).length
      yield* started({ folder: path })
      const lines = readFileSync(fileIn(path), "utf8").trim().split("\n")
      assert.isBelow(lines.join("\n").length, grown)
      // The header; the faucet, the wallet and five receivers; an airdrop and five transfers.
      assert.lengthOf(lines, 1 + 7 + 6)
    }).pipe(Effect.scoped),
  )

  it.live("remembers a bounded number of outcomes, and every account", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const chain = yield* started({ folder: path, historyMax: 4 })
      const { airdrop, wallet } = yield* funded(chain)
      for (let transfers = 0; transfers < 30; transfers++) yield* send(chain, wallet, 1_000_000n)
      assert.isBelow(readFileSync(fileIn(path), "utf8").split("\n").length, 1 + 31 + 4 + 8)
      const before = yield* seen(chain, wallet.address, [airdrop])
      assert.lengthOf(before.history, 4)
      assert.isNull(before.statuses[0]!)
      const again = yield* started({ folder: path, historyMax: 4 })
      assert.deepStrictEqual(yield* seen(again, wallet.address, [airdrop]), before)
      const oldest = before.history.at(-1)!.slot
      assert.isTrue((yield* Effect.promise(() => again.getFirstAvailableBlock().send())) <= oldest + 1n)
    }).pipe(Effect.scoped),
  )

  it.live("has what was captured before its start as finalized history, and keeps all of it", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const captured = [2, 3, 3].map((slot, index): RawTransaction => {
        const message = { accountKeys: ["1".repeat(32), DBC_PROGRAM], instructions: [] }
        const signatures = [encodeBase58(new Uint8Array(64).fill(index + 1))]
        return {
          ...{ slot: 300_000_000 + slot, blockTime: 1_795_225_849, indexWithinBlock: index },
          ...{ meta: { err: null, innerInstructions: [] }, transaction: { message, signatures } },
        }
      })
      const signatures = captured.map(({ transaction }) => transaction.signatures[0]! as Signature)
      for (let starts = 0; starts < 2; starts++) {
        const chain = yield* started({ folder: path, captured })
        yield* funded(chain)
        const [listed, statuses, block, first, raw] = yield* Effect.promise(() =>
          Promise.all([
            chain.getSignaturesForAddress(DBC_PROGRAM).send(),
            chain.getSignatureStatuses(signatures, { searchTransactionHistory: true }).send(),
            chain.getBlock(300_000_003n, { transactionDetails: "signatures", rewards: false }).send(),
            chain.getFirstAvailableBlock().send(),
            chain.getTransaction(signatures[0]!, { encoding: "json", maxSupportedTransactionVersion: 0 }).send(),
          ]),
        )
        assert.deepStrictEqual(
          listed.map(({ signature }) => signature),
          signatures.toReversed(),
        )
        assert.deepStrictEqual(
          statuses.value.map((status) => status?.confirmationStatus),
          captured.map(() => "finalized" as const),
        )
        assert.deepStrictEqual(block!.signatures, signatures.slice(1))
        assert.strictEqual(first, 300_000_002n)
        assert.deepEqual([raw!.slot, raw!.blockTime], [300_000_002n, 1_795_225_849n] as never)
      }
    }).pipe(Effect.scoped),
  )
})
