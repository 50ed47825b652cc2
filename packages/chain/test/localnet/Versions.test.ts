import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import {
  address,
  type Base64EncodedWireTransaction,
  compressTransactionMessageUsingAddressLookupTables,
  generateKeyPairSigner,
  getAddressEncoder,
  getBase64Encoder,
  getTransactionDecoder,
  lamports,
  setTransactionMessageComputeUnitLimit,
  setTransactionMessageComputeUnitPrice,
  type TransactionMessage,
  type TransactionVersion,
} from "@solana/kit"
import { Context, Effect, Layer } from "effect"
import { SYSTEM_PROGRAM } from "../../src/accounts/Programs.ts"
import { LocalChain } from "../../src/localnet/LocalChain.ts"
import { transferOf } from "./Transfer.ts"

const TABLE = address("37g9o1WbsndZUP9ytYBQ29C2KdoP25nzG5UY6KgwN21e")
const TABLE_PROGRAM = "AddressLookupTab1e1111111111111111111111111"
const SOL = 1_000_000_000n

/** A lookup table that has always been there (its header: kind, slot of its end, slot of its last extension, no authority). */
const tableOf = (addresses: ReadonlyArray<string>) => {
  const data = Buffer.alloc(56 + 32 * addresses.length)
  data.writeUInt32LE(1, 0)
  data.writeBigUInt64LE(2n ** 64n - 1n, 4)
  for (const [index, one] of addresses.entries()) data.set(getAddressEncoder().encode(address(one)), 56 + 32 * index)
  return { address: TABLE, owner: TABLE_PROGRAM, lamports: SOL, data: Uint8Array.from(data) }
}

interface Answer<A> {
  readonly result: A
  readonly error?: { readonly code: number; readonly message: string }
}

interface Landed {
  readonly version: unknown
  readonly meta: {
    readonly loadedAddresses: unknown
    readonly fee: number
    readonly preBalances: ReadonlyArray<number>
    readonly postBalances: ReadonlyArray<number>
  }
  readonly transaction: {
    readonly message: {
      readonly header: unknown
      readonly accountKeys: ReadonlyArray<string>
      readonly instructions: ReadonlyArray<object>
      readonly addressTableLookups?: unknown
      readonly transactionConfig?: unknown
    }
  }
}

const chainWith = (options: Parameters<typeof LocalChain.layer>[0]) =>
  Effect.map(Layer.build(LocalChain.layer(options)), (context) => {
    const { url } = Context.get(context, LocalChain)
    return <A>(method: string, ...params: ReadonlyArray<unknown>): Promise<Answer<A>> =>
      fetch(url, { method: "POST", body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }) }).then(
        (response) => response.json() as Promise<Answer<A>>,
      )
  })

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "registry-chain-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true })),
)

describe("A transaction of any version on the local chain", () => {
  it.live("executes, and is answered as nodes answer it, also after a restart", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const [sender, receiver] = yield* Effect.promise(() =>
        Promise.all([generateKeyPairSigner(), generateKeyPairSigner()]),
      )
      const table = { [TABLE]: [address(SYSTEM_PROGRAM), receiver.address] }
      const accounts = [tableOf([SYSTEM_PROGRAM, receiver.address])]
      const call = yield* chainWith({ folder: path, accounts })
      const send = (wire: Base64EncodedWireTransaction) => call<string>("sendTransaction", wire, { encoding: "base64" })
      const transfer = async (...how: [TransactionVersion, ((message: TransactionMessage) => TransactionMessage)?]) => {
        const { value } = (await call<{ readonly value: Parameters<typeof transferOf>[3] }>("getLatestBlockhash"))
          .result
        const wire = await transferOf(sender, receiver.address, SOL, value, ...how)
        const { error, result } = await send(wire)
        assert.isUndefined(error, error?.message)
        return result
      }
      const signatures = yield* Effect.promise(async () => {
        await call("requestAirdrop", sender.address, Number(10n * lamports(SOL)))
        return [
          await transfer("legacy"),
          await transfer(0),
          await transfer(0, (message) =>
            message.version === 0 ? compressTransactionMessageUsingAddressLookupTables(message, table) : message,
          ),
          await transfer(1),
        ]
      })
      const look = (ask: typeof call, maxSupportedTransactionVersion?: number) =>
        Effect.promise(() =>
          Promise.all(
            signatures.map((signature) =>
              ask<Landed>("getTransaction", signature, {
                encoding: "json",
                ...(maxSupportedTransactionVersion !== undefined && { maxSupportedTransactionVersion }),
              }),
            ),
          ),
        )
      const [legacy, plain, looked, one] = (yield* look(call, 1)).map(({ result }) => result) as [
        Landed,
        Landed,
        Landed,
        Landed,
      ]
      const fixed = [sender.address, receiver.address, SYSTEM_PROGRAM]
      for (const [landed, version] of [
        [legacy, "legacy"],
        [plain, 0],
        [one, 1],
      ] as const) {
        const { message } = landed.transaction
        assert.strictEqual(landed.version, version)
        assert.deepStrictEqual(message.accountKeys, fixed)
        assert.deepInclude(message.instructions[0]!, { programIdIndex: 2, accounts: [0, 1] })
        assert.deepStrictEqual(landed.meta.loadedAddresses, { writable: [], readonly: [] })
        assert.deepStrictEqual(message.header, {
          ...{ numRequiredSignatures: 1, numReadonlySignedAccounts: 0, numReadonlyUnsignedAccounts: 1 },
        })
      }
      assert.deepStrictEqual(one.transaction.message.instructions, legacy.transaction.message.instructions)
      assert.deepStrictEqual(one.transaction.message.transactionConfig, {
        ...{ computeUnitLimit: 300_000, heapSize: null, loadedAccountsDataSizeLimit: 67_108_864, priorityFee: 777 },
      })
      assert.notProperty(legacy.transaction.message, "addressTableLookups")
      assert.deepStrictEqual(plain.transaction.message.addressTableLookups, [])
      assert.strictEqual(looked.version, 0)
      assert.deepStrictEqual(looked.transaction.message.accountKeys, [sender.address, SYSTEM_PROGRAM])
      assert.deepStrictEqual(looked.meta.loadedAddresses, { writable: [receiver.address], readonly: [] })
      assert.deepStrictEqual(looked.transaction.message.addressTableLookups, [
        { accountKey: TABLE, writableIndexes: [1], readonlyIndexes: [] },
      ])
      const { result: listed } = yield* Effect.promise(() =>
        call<ReadonlyArray<{ readonly signature: string }>>("getSignaturesForAddress", receiver.address),
      )
      assert.deepStrictEqual(
        listed.map(({ signature }) => signature),
        signatures.toReversed(),
      )
      // The priority fee is what the message says, once.
      const { result: balance } = yield* Effect.promise(() =>
        call<{ readonly value: number }>("getBalance", sender.address),
      )
      assert.strictEqual(BigInt(balance.value), 6n * SOL - 4n * 5_000n - 777n)

      for (const [landed, fee] of [
        [legacy, 5_000],
        [looked, 5_000],
        [one, 5_777],
      ] as const) {
        const { postBalances, preBalances } = landed.meta
        const receiverIndex = landed === looked ? 2 : 1
        assert.strictEqual(landed.meta.fee, fee)
        assert.strictEqual(preBalances[0]! - postBalances[0]!, Number(SOL) + fee)
        assert.strictEqual(postBalances[receiverIndex]! - preBalances[receiverIndex]!, Number(SOL))
      }

      const feeOf = async (
        version: TransactionVersion,
        complete?: (message: TransactionMessage) => TransactionMessage,
      ) => {
        const { value: latest } = (
          await call<{ readonly value: Parameters<typeof transferOf>[3] }>("getLatestBlockhash")
        ).result
        const wire = await transferOf(sender, receiver.address, 1n, latest, version, complete)
        const { messageBytes } = getTransactionDecoder().decode(getBase64Encoder().encode(wire))
        const asked = await call<{ readonly value: number }>(
          "getFeeForMessage",
          Buffer.from(messageBytes).toString("base64"),
        )
        const { result: signature } = await send(wire)
        const { result } = await call<Landed>("getTransaction", signature, { maxSupportedTransactionVersion: 1 })
        assert.strictEqual(asked.result.value, result.meta.fee)
        return result.meta.fee
      }
      const priced = (message: TransactionMessage) =>
        setTransactionMessageComputeUnitPrice(1_000_001n, message as never)
      yield* Effect.promise(async () => {
        assert.strictEqual(await feeOf(1), 5_777)
        assert.strictEqual(await feeOf("legacy"), 5_000)
        // Two built-in programs, 3,000 units each; the fraction of a lamport is rounded up.
        assert.strictEqual(await feeOf(0, priced), 5_000 + 6_001)
        assert.strictEqual(
          await feeOf("legacy", (message) => setTransactionMessageComputeUnitLimit(450, priced(message) as never)),
          5_000 + 451,
        )
        assert.strictEqual((await call("getFeeForMessage", "AAAA")).error?.code, -32602)
      })

      const codes = (answers: ReadonlyArray<Answer<unknown>>) => answers.map(({ error }) => error?.code)
      assert.deepStrictEqual(codes(yield* look(call)), [undefined, -32015, -32015, -32015])
      assert.deepStrictEqual(codes(yield* look(call, 0)), [undefined, undefined, undefined, -32015])

      const again = yield* chainWith({ folder: path, accounts })
      assert.deepStrictEqual(
        (yield* look(again, 1)).map(({ result }) => result),
        [legacy, plain, looked, one],
      )
    }).pipe(Effect.scoped),
  )
})
