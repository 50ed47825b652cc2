import { assert, layer } from "@effect/vitest"
import { address, createNoopSigner, isSignerRole, isWritableRole, type Signature } from "@solana/kit"
import { getTransferSolInstruction } from "@solana-program/system"
import {
  findAssociatedTokenPda,
  getCloseAccountInstruction,
  getCreateAssociatedTokenIdempotentInstruction,
  getSyncNativeInstruction,
  getTransferCheckedInstruction,
} from "@solana-program/token"
import {
  Connection,
  type ParsedInstruction,
  PublicKey,
  sendAndConfirmTransaction,
  SYSVAR_RENT_PUBKEY,
  Transaction,
} from "@solana/web3.js"
import { Effect } from "effect"
import launches from "../../fixtures/launches.json" with { type: "json" }
import { DBC_PROGRAM, NATIVE_MINT, SYSTEM_PROGRAM, TOKEN_PROGRAM } from "../../src/accounts/Programs.ts"
import { SOL, freshChain, plain, scene, socketClosed } from "./BothLibraries.ts"

const launch = launches[0]!
const mint = new PublicKey(launch.baseMint)

const ownerOf = async (connection: Connection, account: PublicKey): Promise<PublicKey> =>
  new PublicKey((await connection.getAccountInfo(account))!.data.subarray(32, 64))

layer(freshChain, { excludeTestServices: true })("@solana/web3.js and @solana/kit", (it) => {
  it.effect("read the same of accounts", () =>
    Effect.gen(function* () {
      const { connection, payer, rpc } = yield* scene
      yield* Effect.promise(async () => {
        const [vault] = (await connection.getTokenLargestAccounts(mint)).value
        const token = { owner: await ownerOf(connection, vault!.address), mint }
        const base64 = { encoding: "base64" } as const
        const pairs: ReadonlyArray<readonly [name: string, old: unknown, kit: unknown]> = [
          [
            "getBalance",
            await connection.getBalance(payer.publicKey),
            (await rpc.getBalance(address(payer.publicKey.toBase58())).send()).value,
          ],
          [
            "getTokenSupply",
            (await connection.getTokenSupply(mint)).value,
            (await rpc.getTokenSupply(address(launch.baseMint)).send()).value,
          ],
          [
            "getTokenAccountBalance",
            (await connection.getTokenAccountBalance(vault!.address)).value,
            (await rpc.getTokenAccountBalance(address(vault!.address.toBase58())).send()).value,
          ],
          [
            "getTokenLargestAccounts",
            (await connection.getTokenLargestAccounts(mint)).value,
            (await rpc.getTokenLargestAccounts(address(launch.baseMint)).send()).value,
          ],
          [
            "getTokenAccountsByOwner",
            (await connection.getTokenAccountsByOwner(token.owner, { mint })).value.map(({ pubkey }) => pubkey),
            (
              await rpc
                .getTokenAccountsByOwner(address(token.owner.toBase58()), { mint: address(launch.baseMint) }, base64)
                .send()
            ).value.map(({ pubkey }) => pubkey),
          ],
          [
            "getAccountInfo",
            (await connection.getAccountInfo(mint))?.data,
            Buffer.from((await rpc.getAccountInfo(address(launch.baseMint), base64).send()).value!.data[0], "base64"),
          ],
          [
            "getMultipleAccounts",
            (await connection.getMultipleAccountsInfo([mint, payer.publicKey])).map((one) => one?.lamports),
            (
              await rpc
                .getMultipleAccounts([address(launch.baseMint), address(payer.publicKey.toBase58())], base64)
                .send()
            ).value.map((one) => one?.lamports),
          ],
          [
            "getProgramAccounts",
            (await connection.getProgramAccounts(new PublicKey(DBC_PROGRAM))).map(({ pubkey }) => pubkey),
            (await rpc.getProgramAccounts(DBC_PROGRAM, base64).send()).map(({ pubkey }) => pubkey),
          ],
          [
            "jsonParsed mint",
            (await connection.getParsedAccountInfo(mint)).value?.data,
            (await rpc.getAccountInfo(address(launch.baseMint), { encoding: "jsonParsed" }).send()).value?.data,
          ],
          [
            "jsonParsed token accounts",
            (
              await connection.getParsedTokenAccountsByOwner(token.owner, { programId: new PublicKey(TOKEN_PROGRAM) })
            ).value.map(({ account }) => account.data),
            (
              await rpc
                .getTokenAccountsByOwner(
                  address(token.owner.toBase58()),
                  { programId: TOKEN_PROGRAM },
                  { encoding: "jsonParsed" },
                )
                .send()
            ).value.map(({ account }) => account.data),
          ],
          [
            "getMinimumBalanceForRentExemption",
            await connection.getMinimumBalanceForRentExemption(165),
            await rpc.getMinimumBalanceForRentExemption(165n).send(),
          ],
        ]
        for (const [name, old, kit] of pairs) assert.deepStrictEqual(plain(old), plain(kit), name)
        const parsed = (await connection.getParsedAccountInfo(mint)).value!.data
        assert.isTrue(!Buffer.isBuffer(parsed) && parsed.parsed.type === "mint" && parsed.parsed.info.decimals === 6)
      })
    }),
  )

  it.effect("read the same of transactions and blocks", () =>
    Effect.gen(function* () {
      const { airdrop, connection, landed, payer, recipient, rpc, signature, transaction } = yield* scene
      yield* Effect.promise(async () => {
        const max = { maxSupportedTransactionVersion: 0 } as const
        const kitSignature = signature as Signature
        const kit = await rpc.getTransaction(kitSignature, { ...max, encoding: "json" }).send()
        assert.deepStrictEqual(plain(landed.meta?.postBalances), plain(kit?.meta?.postBalances))
        assert.deepStrictEqual(landed.transaction.message.header, kit?.transaction.message.header)
        assert.strictEqual(landed.meta?.fee, 5_000)
        const parsed = await connection.getParsedTransaction(signature, max)
        const kitParsed = await rpc.getTransaction(kitSignature, { ...max, encoding: "jsonParsed" }).send()
        const [transfer, memo] = parsed!.transaction.message.instructions as Array<ParsedInstruction>
        assert.deepStrictEqual(transfer!.parsed, {
          type: "transfer",
          info: { source: payer.publicKey.toBase58(), destination: recipient.toBase58(), lamports: SOL },
        })
        assert.strictEqual(memo!.parsed, "rent")
        assert.deepStrictEqual(
          plain(parsed!.transaction.message.accountKeys),
          plain(kitParsed!.transaction.message.accountKeys),
        )
        const { slot } = landed
        const blocks = [
          (await connection.getBlock(slot, max))!.transactions.map(({ transaction }) => transaction.signatures[0]),
          (await rpc.getBlock(BigInt(slot), { ...max, encoding: "json" }).send())!.transactions.map(
            ({ transaction }) => transaction.signatures[0],
          ),
          (await connection.getParsedBlock(slot, max)).transactions.map(({ transaction }) => transaction.signatures[0]),
          (await connection.getBlock(slot, { ...max, transactionDetails: "accounts" }))!.transactions.map(
            ({ transaction }) => transaction.signatures[0],
          ),
          (await connection.getBlockSignatures(slot)).signatures,
        ]
        for (const signatures of blocks) assert.deepStrictEqual(signatures, blocks[0])
        assert.isTrue(blocks[0]!.some((one) => one === signature))
        const wire = await rpc.getTransaction(kitSignature, { ...max, encoding: "base64" }).send()
        assert.deepStrictEqual(
          Buffer.from(String(wire!.transaction[0]), "base64"),
          Buffer.from(transaction.serialize()),
        )
        // An airdrop is a transfer of the faucet.
        const given = (await connection.getParsedTransaction(airdrop))!.transaction.message
        assert.strictEqual((given.instructions[0] as ParsedInstruction).parsed.info.lamports, 10 * SOL)
        const old = await connection.getSignaturesForAddress(payer.publicKey)
        const latest = await rpc.getSignaturesForAddress(address(payer.publicKey.toBase58())).send()
        assert.deepStrictEqual(plain(old), plain(latest))
        assert.deepStrictEqual(
          old.map((one) => one.signature),
          [signature, airdrop],
        )
        assert.deepStrictEqual(
          plain((await connection.getSignatureStatuses([signature])).value),
          plain((await rpc.getSignatureStatuses([kitSignature]).send()).value),
        )
      })
    }),
  )

  it.effect("name what token instructions do", () =>
    Effect.gen(function* () {
      const { connection, payer } = yield* scene
      yield* Effect.promise(async () => {
        const owner = createNoopSigner(address(payer.publicKey.toBase58()))
        const [ata] = await findAssociatedTokenPda({
          owner: owner.address,
          mint: NATIVE_MINT,
          tokenProgram: TOKEN_PROGRAM,
        })
        const instructions = [
          getCreateAssociatedTokenIdempotentInstruction({
            payer: owner,
            ata,
            owner: owner.address,
            mint: NATIVE_MINT,
          }),
          getTransferSolInstruction({ source: owner, destination: ata, amount: SOL }),
          getSyncNativeInstruction({ account: ata }),
          getTransferCheckedInstruction({
            source: ata,
            mint: NATIVE_MINT,
            destination: ata,
            authority: owner,
            amount: 5,
            decimals: 9,
          }),
          getCloseAccountInstruction({ account: ata, destination: owner.address, owner }),
        ].map(({ accounts, data, programAddress }) => ({
          programId: new PublicKey(programAddress),
          keys: accounts.map((account) => ({
            pubkey: new PublicKey(account.address),
            isSigner: isSignerRole(account.role),
            isWritable: isWritableRole(account.role),
          })),
          data: Buffer.from(data),
        }))
        const signature = await sendAndConfirmTransaction(connection, new Transaction().add(...instructions), [payer])
        const { message } = (await connection.getParsedTransaction(signature))!.transaction
        const shown = message.instructions.map(
          (one) => "parsed" in one && [one.program, one.parsed.type, one.parsed.info],
        )
        const wallet = owner.address
        assert.deepStrictEqual(shown, [
          [
            "spl-associated-token-account",
            "createIdempotent",
            {
              ...{ source: wallet, account: ata, wallet, mint: NATIVE_MINT },
              ...{ systemProgram: SYSTEM_PROGRAM, tokenProgram: TOKEN_PROGRAM },
            },
          ],
          ["system", "transfer", { source: wallet, destination: ata, lamports: SOL }],
          ["spl-token", "syncNative", { account: ata, rentSysvar: SYSVAR_RENT_PUBKEY.toBase58() }],
          [
            "spl-token",
            "transferChecked",
            {
              ...{ source: ata, mint: NATIVE_MINT, destination: ata, authority: wallet },
              tokenAmount: { amount: "5", decimals: 9, uiAmount: 5e-9, uiAmountString: "0.000000005" },
            },
          ],
          ["spl-token", "closeAccount", { account: ata, destination: wallet, owner: wallet }],
        ])
        await socketClosed()
      })
    }),
  )
})
