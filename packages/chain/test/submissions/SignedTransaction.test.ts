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
} from "@solana/kit"
import { encodeBase58 } from "@launch-registry/solana/Base58"
import { Effect, Result, Schema } from "effect"
import { readSigned } from "../../src/submissions/SignedTransaction.ts"
import { SYSTEM_PROGRAM } from "../../src/launch/Programs.ts"
import { advanceNonce, RECEIVER, signedOf, transfer } from "./SignedTransfers.ts"

const LIFETIME = { blockhash: "4QjEBrJnATvydaCoPb7j4cneA5vSJNFsAYHQwRAjAjmQ", lastValidBlockHeight: 7n }

const bytesOf = (base64: string): Uint8Array => Uint8Array.from(getBase64Encoder().encode(base64))

const signer = Effect.promise(() => generateKeyPairSigner())

/** A transfer, whose bytes tests change. */
const signed = Effect.gen(function* () {
  const wallet = yield* signer
  const { signature, transaction } = yield* Effect.promise(() => signedOf(wallet, [transfer(wallet, 5n)], LIFETIME))
  return { wallet, signature, bytes: bytesOf(transaction) }
})

const faultOf = (bytes: Uint8Array) => {
  const read = readSigned(bytes)
  return Result.isFailure(read) ? read.failure : undefined
}

describe("A signed transaction", () => {
  it.effect("is read with its signature, signers, blockhash and programs, in both versions", () =>
    Effect.gen(function* () {
      const wallet = yield* signer
      for (const version of ["legacy", 0] as const) {
        const message = pipe(
          createTransactionMessage({ version }),
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
      const { bytes } = yield* signed
      for (let at = 0; at < bytes.length; at++) {
        const changed = Uint8Array.from(bytes)
        changed[at]! ^= 1
        assert.isDefined(faultOf(changed), `byte ${at}`)
      }
      for (let length = 0; length < bytes.length; length++)
        assert.isDefined(faultOf(bytes.subarray(0, length)), `length ${length}`)
      assert.deepInclude(faultOf(Uint8Array.of(...bytes, 0)), { _tag: "Malformed" })
      assert.deepInclude(faultOf(new Uint8Array(1_233)), { _tag: "Malformed" })
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
      const { bytes, wallet } = yield* signed
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
      const { transaction } = yield* Effect.promise(() => signedOf(wallet, instructions, LIFETIME))
      assert.deepStrictEqual(faultOf(bytesOf(transaction)), {
        ...{ _tag: "DurableNonce", nonceAccount: RECEIVER as Address },
      })
      const later = yield* Effect.promise(() => signedOf(wallet, instructions.toReversed(), LIFETIME))
      assert.isUndefined(faultOf(bytesOf(later.transaction)))
    }),
  )
})
