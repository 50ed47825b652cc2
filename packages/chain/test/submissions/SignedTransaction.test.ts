import { assert, describe, it } from "@effect/vitest"
import {
  type Address,
  compileTransaction,
  createTransactionMessage,
  generateKeyPairSigner,
  getBase64Encoder,
  getTransactionEncoder,
  type Instruction,
  AccountRole,
  partiallySignTransactionMessageWithSigners,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  appendTransactionMessageInstructions,
  signBytes,
  type SignatureBytes,
  signTransactionMessageWithSigners,
  type TransactionVersion,
} from "@solana/kit"
import { encodeBase58 } from "@launch-registry/domain/solana/Base58"
import { Effect, Result, Schema } from "effect"
import { readSigned } from "../../src/submissions/SignedTransaction.ts"
import { SYSTEM_PROGRAM } from "../../src/accounts/Programs.ts"
import { emptyMessage } from "../localnet/Transfer.ts"
import { advanceNonce, RECEIVER, signedOf, transfer } from "./SignedTransfers.ts"

const VERSIONS = ["legacy", 0, 1] as const

const LIFETIME = { blockhash: "4QjEBrJnATvydaCoPb7j4cneA5vSJNFsAYHQwRAjAjmQ", lastValidBlockHeight: 7n }

const bytesOf = (base64: string): Uint8Array => Uint8Array.from(getBase64Encoder().encode(base64))

const signer = Effect.promise(() => generateKeyPairSigner())

/** A transfer, whose bytes tests change. */
const signed = Effect.fnUntraced(function* (version: TransactionVersion = 0) {
  const wallet = yield* signer
  const { signature, transaction } = yield* Effect.promise(() =>
    signedOf(wallet, [transfer(wallet, 5n)], LIFETIME, version),
  )
  return { wallet, signature, bytes: bytesOf(transaction) }
})

/** Signs the message of a transfer of version 1 after a change. */
const resigned = Effect.fnUntraced(function* (change: (message: Buffer) => Buffer) {
  const { bytes, wallet } = yield* signed(1)
  const message = change(Buffer.from(bytes.subarray(0, -64)))
  return Uint8Array.of(...message, ...(yield* Effect.promise(() => signBytes(wallet.keyPair.privateKey, message))))
})

const faultOf = (bytes: Uint8Array) => {
  const read = readSigned(bytes)
  return Result.isFailure(read) ? read.failure : undefined
}

describe("A signed transaction", () => {
  it.effect("is read with its signature, signers, blockhash and programs, in all versions", () =>
    Effect.gen(function* () {
      const wallet = yield* signer
      for (const version of VERSIONS) {
        const message = pipe(
          emptyMessage(version),
          (empty) => setTransactionMessageFeePayerSigner(wallet, empty),
          (paid) => setTransactionMessageLifetimeUsingBlockhash(LIFETIME as never, paid),
          (live) => appendTransactionMessageInstructions([transfer(wallet, 5n)], live),
        )
        const transaction = yield* Effect.promise(() => signTransactionMessageWithSigners(message))
        const bytes = Uint8Array.from(getTransactionEncoder().encode(transaction))
        assert.deepStrictEqual(Result.getOrThrow(readSigned(bytes)), {
          bytes,
          signature: encodeBase58(transaction.signatures[wallet.address]!),
          signers: [wallet.address],
          blockhash: LIFETIME.blockhash,
          programs: [SYSTEM_PROGRAM],
        })
      }
    }),
  )

  it.effect("is none when any of its bytes is another one, or one is missing or more", () =>
    Effect.gen(function* () {
      for (const version of VERSIONS) {
        const { bytes } = yield* signed(version)
        for (let at = 0; at < bytes.length; at++) {
          const changed = Uint8Array.from(bytes)
          changed[at]! ^= 1
          assert.isDefined(faultOf(changed), `byte ${at} of version ${version}`)
        }
        for (let length = 0; length < bytes.length; length++)
          assert.isDefined(faultOf(bytes.subarray(0, length)), `length ${length} of version ${version}`)
        assert.deepInclude(faultOf(Uint8Array.of(...bytes, 0)), { _tag: "Malformed" })
      }
      assert.deepInclude(faultOf(new Uint8Array(1_233)), { _tag: "Malformed" })
    }),
  )

  it.effect("has 4,096 bytes in version 1, and 1,232 otherwise", () =>
    Effect.gen(function* () {
      const wallet = yield* signer
      const sized = (version: TransactionVersion, dataBytes: number) =>
        Effect.map(
          Effect.promise(() =>
            signedOf(wallet, [{ programAddress: RECEIVER, data: new Uint8Array(dataBytes) }], LIFETIME, version),
          ),
          ({ transaction }) => bytesOf(transaction),
        )
      const bytesMax = { legacy: 1_232, 0: 1_232, 1: 4_096 }
      for (const version of VERSIONS) {
        const most = bytesMax[version]
        // The length of data takes two bytes from 128 on in legacy and version 0, and always in version 1.
        const room = most - (yield* sized(version, 200)).length + 200
        assert.isUndefined(faultOf(yield* sized(version, room)), `version ${version}`)
        assert.deepStrictEqual(faultOf(yield* sized(version, room + 1)), {
          ...{ _tag: "Malformed", reason: `it has ${most + 1} bytes, more than the ${most} of its version` },
        })
      }
    }),
  )

  it.effect("of version 1 is none with a configuration, heap, signers or accounts that nodes refuse", () =>
    Effect.gen(function* () {
      const reasonOf = (bytes: Uint8Array) => {
        const fault = faultOf(bytes)
        return fault?._tag === "Malformed" ? fault.reason : undefined
      }
      // The mask of the configuration is at byte 4; its values follow the three addresses.
      const withBit = (bit: number, value: ReadonlyArray<number>) =>
        resigned((message) => {
          message.writeUInt32LE((message.readUInt32LE(4) | bit) >>> 0, 4)
          const end = 4 + 4 + 32 + 2 + 3 * 32 + 8 + 4 + 4
          return Buffer.concat([message.subarray(0, end), Buffer.from(value), message.subarray(end)])
        })
      assert.strictEqual(reasonOf(yield* withBit(2 ** 5, [])), "its configuration has a part that is not known")
      assert.strictEqual(reasonOf(yield* withBit(2 ** 31, [])), "its configuration has a part that is not known")
      assert.isUndefined(reasonOf(yield* withBit(16, [0, 4, 1, 0])))
      assert.strictEqual(reasonOf(yield* withBit(16, [1, 4, 1, 0])), "its heap size is no multiple of 1024 bytes")
      // The number of addresses is at byte 41, before the addresses; that of signers at byte 1.
      const withAddresses = (count: number, signers: number) =>
        resigned((message) => {
          message[1] = signers
          message[41]! += count
          const more = Array.from({ length: count }, (_, at) => Buffer.alloc(32, at + 1))
          return Buffer.concat([message.subarray(0, 42 + 32), ...more, message.subarray(42 + 32)])
        })
      assert.isUndefined(reasonOf(yield* withAddresses(93, 1)))
      assert.strictEqual(reasonOf(yield* withAddresses(94, 1)), "it has more than 96 accounts")
      const many = Uint8Array.of(...(yield* withAddresses(12, 13)), ...new Uint8Array(12 * 64))
      assert.strictEqual(reasonOf(many), "it has more than 12 signers")
    }),
  )

  it.effect("is not signed by a key of small order, for which anybody can make signatures", () =>
    Effect.gen(function* () {
      const wallet = yield* signer
      const identity = Uint8Array.of(1, ...new Uint8Array(31))
      const nobody = encodeBase58(identity) as Address
      const instruction: Instruction = {
        programAddress: SYSTEM_PROGRAM as Address,
        accounts: [{ address: nobody, role: AccountRole.READONLY_SIGNER }],
        data: new Uint8Array(4),
      }
      const message = pipe(
        createTransactionMessage({ version: 0 }),
        (empty) => setTransactionMessageFeePayerSigner(wallet, empty),
        (paid) => setTransactionMessageLifetimeUsingBlockhash(LIFETIME as never, paid),
        (live) => appendTransactionMessageInstructions([instruction], live),
      )
      const partly = yield* Effect.promise(() => partiallySignTransactionMessageWithSigners(message))
      // With the neutral element as key and R, and S of zero, the equation holds for every message.
      const forged = Uint8Array.of(...identity, ...new Uint8Array(32))
      const signatures = { ...partly.signatures, [nobody]: forged as SignatureBytes }
      const bytes = Uint8Array.from(getTransactionEncoder().encode({ ...partly, signatures }))
      assert.deepStrictEqual(faultOf(bytes), { _tag: "NotSigned", missing: [], wrong: [nobody] })
    }),
  )

  it.effect("is none with a lookup table of which it uses nothing", () =>
    Effect.gen(function* () {
      const { bytes, wallet } = yield* signed()
      // Lookups come last: their number, and for each an address and the lengths of two lists.
      const message = Uint8Array.of(...bytes.subarray(65, -1), 1, ...new Uint8Array(32).fill(7), 0, 0)
      const signature = yield* Effect.promise(() => signBytes(wallet.keyPair.privateKey, message))
      const whole = Uint8Array.of(1, ...signature, ...message)
      assert.deepStrictEqual(faultOf(whole), {
        _tag: "Malformed",
        reason: "it has a lookup table of which it uses nothing",
      })
    }),
  )

  it.prop("never throws, whatever the bytes", [Schema.Uint8Array], ([bytes]) => {
    assert.isDefined(faultOf(bytes))
  })

  it.effect("names each signer that has not signed, and each with a signature of something else", () =>
    Effect.gen(function* () {
      const [payer, other] = [yield* signer, yield* signer]
      const needsBoth: Instruction = {
        programAddress: RECEIVER,
        accounts: [{ address: other.address, role: AccountRole.READONLY_SIGNER }],
        data: new Uint8Array(0),
      }
      const message = pipe(
        createTransactionMessage({ version: 0 }),
        (empty) => setTransactionMessageFeePayerSigner(payer, empty),
        (paid) => setTransactionMessageLifetimeUsingBlockhash(LIFETIME as never, paid),
        (live) => appendTransactionMessageInstructions([needsBoth], live),
      )
      const bytes = Uint8Array.from(getTransactionEncoder().encode(compileTransaction(message)))
      assert.deepStrictEqual(faultOf(bytes), {
        ...{ _tag: "NotSigned", missing: [payer.address, other.address], wrong: [] },
      })
      bytes.fill(9, 1, 65)
      assert.deepStrictEqual(faultOf(bytes), {
        ...{ _tag: "NotSigned", missing: [other.address], wrong: [payer.address] },
      })
    }),
  )

  it.effect("with a durable nonce is told apart from others", () =>
    Effect.gen(function* () {
      const wallet = yield* signer
      const instructions = [advanceNonce(wallet), transfer(wallet, 5n)]
      for (const version of VERSIONS) {
        const { transaction } = yield* Effect.promise(() => signedOf(wallet, instructions, LIFETIME, version))
        assert.deepStrictEqual(faultOf(bytesOf(transaction)), {
          ...{ _tag: "DurableNonce", nonceAccount: RECEIVER as Address },
        })
      }
      const later = yield* Effect.promise(() => signedOf(wallet, instructions.toReversed(), LIFETIME))
      assert.isUndefined(faultOf(bytesOf(later.transaction)))
    }),
  )
})
