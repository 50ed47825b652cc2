import { assert, describe, it } from "@effect/vitest"
import {
  AccountRole,
  type Address,
  address,
  appendTransactionMessageInstruction,
  compileTransaction,
  createTransactionMessage,
  generateKeyPair,
  getAddressFromPublicKey,
  getBase58Decoder,
  getTransactionDecoder,
  getTransactionEncoder,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  verifySignature,
} from "@solana/kit"
import { Schema } from "effect"
import { base58 } from "../src/wallet/Base58.ts"
import { signTransaction } from "../src/wallet/SignTransaction.ts"

const PROGRAM = address("MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr")
const BLOCKHASH = getBase58Decoder().decode(new Uint8Array(32).fill(7))

const keysOf = async () => {
  const keys = await generateKeyPair()
  return { keys, of: await getAddressFromPublicKey(keys.publicKey) }
}

const wireOf = (version: 0 | 1 | "legacy", payer: Address, signers: ReadonlyArray<Address>, bytes: number) =>
  new Uint8Array(
    getTransactionEncoder().encode(
      compileTransaction(
        pipe(
          createTransactionMessage({ version }),
          (message) => setTransactionMessageFeePayer(payer, message),
          (message) =>
            setTransactionMessageLifetimeUsingBlockhash(
              { blockhash: BLOCKHASH as never, lastValidBlockHeight: 1n },
              message,
            ),
          (message) =>
            appendTransactionMessageInstruction(
              {
                programAddress: PROGRAM,
                accounts: signers.map((signer) => ({ address: signer, role: AccountRole.READONLY_SIGNER })),
                data: new Uint8Array(bytes),
              },
              message,
            ),
        ) as never,
      ),
    ),
  )

const signedBy = (keys: Awaited<ReturnType<typeof generateKeyPair>>) => async (message: Uint8Array<ArrayBuffer>) =>
  new Uint8Array(await crypto.subtle.sign("Ed25519", keys.privateKey, message))

describe("A test wallet", () => {
  for (const version of [1, 0, "legacy"] as const) {
    it(`signs a transaction of version ${version} in its place, and leaves what others have signed`, async () => {
      const [payer, second] = [await keysOf(), await keysOf()]
      for (const bytes of [0, 200, 900]) {
        const wire = wireOf(version, payer.of, [second.of], bytes)
        const once = await signTransaction(wire, second.of, signedBy(second.keys))
        const twice = await signTransaction(once, payer.of, signedBy(payer.keys))
        const { messageBytes, signatures } = getTransactionDecoder().decode(twice)
        for (const { keys, of } of [payer, second])
          assert.isTrue(await verifySignature(keys.publicKey, signatures[of]!, messageBytes))
        assert.deepStrictEqual(
          getTransactionDecoder().decode(once).signatures[second.of],
          getTransactionDecoder().decode(twice).signatures[second.of],
        )
      }
    })
  }

  it("signs nothing that does not ask for its signature, and no bytes that are no transaction", async () => {
    const [payer, other] = [await keysOf(), await keysOf()]
    const wire = wireOf(0, payer.of, [], 3)
    const attempt = (bytes: Uint8Array<ArrayBuffer>, of: string) =>
      signTransaction(bytes, of, signedBy(other.keys)).then(
        () => "signed",
        (error: Error) => error.message,
      )
    assert.match(await attempt(wire, other.of), /not among the signers/)
    for (let length = 0; length < 100; length += 7)
      assert.match(await attempt(wire.slice(0, length), payer.of), /no transaction|not among/)
  })
})

describe("Base58", () => {
  it.prop("is that of Solana", [Schema.Uint8Array], ([bytes]) => {
    assert.strictEqual(base58(bytes), getBase58Decoder().decode(bytes))
    const padded = new Uint8Array([0, 0, ...bytes])
    assert.strictEqual(base58(padded), getBase58Decoder().decode(padded))
  })
})
