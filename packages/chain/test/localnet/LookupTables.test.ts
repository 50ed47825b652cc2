import { assert, layer } from "@effect/vitest"
import {
  AddressLookupTableProgram,
  type AddressLookupTableAccount,
  Connection,
  Keypair,
  SystemProgram,
  TransactionMessage,
  VersionedTransaction,
  type TransactionInstruction,
} from "@solana/web3.js"
import { Effect } from "effect"
import { LocalChain } from "../../src/localnet/LocalChain.ts"

const SOL = 1_000_000_000

layer(LocalChain.layer({ slotMillis: 25 }), { excludeTestServices: true })("Lookup tables of the local chain", (it) => {
  it.effect("are created, extended and used as on a cluster", () =>
    Effect.gen(function* () {
      const { url } = yield* LocalChain
      yield* Effect.promise(async () => {
        const connection = new Connection(url, "confirmed")
        const payer = Keypair.generate()
        const send = async (
          instructions: Array<TransactionInstruction>,
          tables: Array<AddressLookupTableAccount> = [],
        ) => {
          const { blockhash } = await connection.getLatestBlockhash()
          const message = new TransactionMessage({
            payerKey: payer.publicKey,
            recentBlockhash: blockhash,
            instructions,
          })
          const transaction = new VersionedTransaction(message.compileToV0Message(tables))
          transaction.sign([payer])
          return connection.sendTransaction(transaction)
        }
        await connection.requestAirdrop(payer.publicKey, 10 * SOL)
        const recipient = Keypair.generate().publicKey
        const owner = { authority: payer.publicKey, payer: payer.publicKey }
        const [create, table] = AddressLookupTableProgram.createLookupTable({
          ...owner,
          recentSlot: await connection.getSlot("finalized"),
        })
        const addresses = [recipient, SystemProgram.programId]
        await send([create, AddressLookupTableProgram.extendLookupTable({ ...owner, lookupTable: table, addresses })])
        const { value } = await connection.getAddressLookupTable(table)
        assert.deepStrictEqual(value?.state.addresses.map(String), addresses.map(String))
        // As on a cluster, an address can be used from the next slot on.
        const slot = await connection.getSlot("confirmed")
        while ((await connection.getSlot("confirmed")) === slot) await new Promise((resolve) => setTimeout(resolve, 5))
        const transfer = SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: recipient, lamports: SOL })
        const signature = await send([transfer], [value!])
        const landed = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 })
        assert.deepStrictEqual(landed?.meta?.loadedAddresses?.writable.map(String), [String(recipient)])
        assert.strictEqual(await connection.getBalance(recipient), SOL)
      })
    }),
  )
})
