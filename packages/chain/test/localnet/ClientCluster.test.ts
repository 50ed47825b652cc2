import { assert, layer } from "@effect/vitest"
import { address, createSolanaRpcSubscriptions } from "@solana/kit"
import { PublicKey, SystemProgram, Transaction, TransactionMessage, VersionedTransaction } from "@solana/web3.js"
import { Effect } from "effect"
import launches from "../../fixtures/launches.json" with { type: "json" }
import { SOL, freshChain, plain, scene, socketClosed } from "./BothLibraries.ts"

const launch = launches[0]!
const mint = new PublicKey(launch.baseMint)

layer(freshChain, { excludeTestServices: true })("@solana/web3.js and @solana/kit on the local chain", (it) => {
  it.effect("read the same of the cluster", () =>
    Effect.gen(function* () {
      const { blockhash, connection, landed, rpc, transaction } = yield* scene
      yield* Effect.promise(async () => {
        const { slot } = landed
        const [first, last] = [slot - 5, slot]
        const message = Buffer.from(transaction.message.serialize()).toString("base64")
        const pairs: ReadonlyArray<readonly [name: string, old: unknown, kit: unknown]> = [
          ["getBlockTime", await connection.getBlockTime(slot), await rpc.getBlockTime(BigInt(slot)).send()],
          [
            "getBlocks",
            await connection.getBlocks(first, last),
            await rpc.getBlocks(BigInt(first), BigInt(last)).send(),
          ],
          [
            "getClusterNodes",
            (await connection.getClusterNodes()).map(({ pubkey }) => pubkey),
            (await rpc.getClusterNodes().send()).map(({ pubkey }) => pubkey),
          ],
          ["getEpochSchedule", await connection.getEpochSchedule(), await rpc.getEpochSchedule().send()],
          [
            "getFirstAvailableBlock",
            await connection.getFirstAvailableBlock(),
            await rpc.getFirstAvailableBlock().send(),
          ],
          ["minimumLedgerSlot", await connection.getMinimumLedgerSlot(), await rpc.minimumLedgerSlot().send()],
          [
            "getFeeForMessage",
            (await connection.getFeeForMessage(transaction.message)).value,
            (await rpc.getFeeForMessage(message as never).send()).value,
          ],
          ["getGenesisHash", await connection.getGenesisHash(), await rpc.getGenesisHash().send()],
          ["getInflationGovernor", await connection.getInflationGovernor(), await rpc.getInflationGovernor().send()],
          ["getInflationRate", await connection.getInflationRate(), await rpc.getInflationRate().send()],
          [
            "getInflationReward",
            await connection.getInflationReward([mint]),
            await rpc.getInflationReward([address(launch.baseMint)]).send(),
          ],
          [
            "getLeaderSchedule",
            Object.keys(await connection.getLeaderSchedule()),
            Object.keys((await rpc.getLeaderSchedule().send()) ?? {}),
          ],
          ["getSlotLeader", await connection.getSlotLeader(), await rpc.getSlotLeader().send()],
          [
            "getSlotLeaders",
            await connection.getSlotLeaders(first, 5),
            await rpc.getSlotLeaders(BigInt(first), 5).send(),
          ],
          [
            "getStakeMinimumDelegation",
            (await connection.getStakeMinimumDelegation()).value,
            (await rpc.getStakeMinimumDelegation().send()).value,
          ],
          ["getVersion", await connection.getVersion(), await rpc.getVersion().send()],
          ["getVoteAccounts", await connection.getVoteAccounts(), await rpc.getVoteAccounts().send()],
          [
            "isBlockhashValid",
            (await connection.isBlockhashValid(blockhash)).value,
            (await rpc.isBlockhashValid(blockhash as never).send()).value,
          ],
          [
            "getRecentPrioritizationFees",
            (await connection.getRecentPrioritizationFees()).map((one) => one.prioritizationFee),
            (await rpc.getRecentPrioritizationFees().send()).map((one) => one.prioritizationFee),
          ],
          ["getSupply", (await connection.getSupply()).value, (await rpc.getSupply().send()).value],
          [
            "getLargestAccounts",
            (await connection.getLargestAccounts()).value,
            (await rpc.getLargestAccounts().send()).value,
          ],
          ["getTransactionCount", await connection.getTransactionCount(), await rpc.getTransactionCount().send()],
        ]
        for (const [name, old, kit] of pairs) assert.deepStrictEqual(plain(old), plain(kit), name)
        // What moves on between two calls.
        const moving: ReadonlyArray<readonly [name: string, old: number, kit: bigint | number | undefined]> = [
          ["getSlot", await connection.getSlot(), await rpc.getSlot({ commitment: "confirmed" }).send()],
          ["getBlockHeight", await connection.getBlockHeight(), await rpc.getBlockHeight().send()],
          [
            "getEpochInfo",
            (await connection.getEpochInfo()).absoluteSlot,
            (await rpc.getEpochInfo().send()).absoluteSlot,
          ],
          [
            "getLatestBlockhash",
            (await connection.getLatestBlockhash()).lastValidBlockHeight,
            (await rpc.getLatestBlockhash().send()).value.lastValidBlockHeight,
          ],
          [
            "getBlockProduction",
            (await connection.getBlockProduction()).value.range.lastSlot,
            (await rpc.getBlockProduction().send()).value.range.lastSlot,
          ],
          [
            "getRecentPerformanceSamples",
            (await connection.getRecentPerformanceSamples(1))[0]!.slot,
            Number((await rpc.getRecentPerformanceSamples(1).send())[0]!.slot),
          ],
        ]
        for (const [name, old, kit] of moving) assert.isAtLeast(Number(kit), old, name)
        assert.strictEqual(await rpc.getHealth().send(), "ok")
      })
    }),
  )

  it.effect("read the supply: what circulates is what the chain gave away, and moves with it", () =>
    Effect.gen(function* () {
      const { connection, recipient } = yield* scene
      yield* Effect.promise(async () => {
        const before = (await connection.getSupply()).value
        assert.strictEqual(before.total, before.circulating + before.nonCirculating)
        await connection.requestAirdrop(recipient, 1_000 * SOL)
        const after = (await connection.getSupply()).value
        assert.strictEqual(after.circulating - before.circulating, 1_000 * SOL)
        const [faucet] = after.nonCirculatingAccounts
        const largestOf = async (filter: "circulating" | "nonCirculating") =>
          (await connection.getLargestAccounts({ filter })).value.map((one) => one.address.toBase58())
        assert.deepStrictEqual(await largestOf("nonCirculating"), [faucet!.toBase58()])
        const circulating = await largestOf("circulating")
        assert.isAtMost(circulating.length, 20)
        assert.strictEqual(circulating[0], recipient.toBase58())
        assert.notInclude(circulating, faucet!.toBase58())
      })
    }),
  )

  it.effect("simulate the same, with accounts as they would be", () =>
    Effect.gen(function* () {
      const { connection, payer, recipient, rpc } = yield* scene
      yield* Effect.promise(async () => {
        const transfer = SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: recipient, lamports: SOL })
        const { blockhash } = await connection.getLatestBlockhash()
        const content = { payerKey: payer.publicKey, recentBlockhash: blockhash, instructions: [transfer] }
        const transaction = new VersionedTransaction(new TransactionMessage(content).compileToV0Message())
        const accounts = { encoding: "base64" as const, addresses: [address(recipient.toBase58())] }
        const old = await connection.simulateTransaction(transaction, { accounts })
        const wire = Buffer.from(transaction.serialize()).toString("base64")
        const kit = await rpc.simulateTransaction(wire as never, { accounts, encoding: "base64" }).send()
        assert.isNull(old.value.err)
        assert.deepStrictEqual(plain(old.value.accounts?.map((one) => one?.lamports)), [String(2 * SOL)])
        assert.deepStrictEqual(plain(kit.value.accounts?.map((one) => one?.lamports)), [String(2 * SOL)])
        assert.deepStrictEqual(old.value.logs, [...kit.value.logs!])
        assert.strictEqual(await connection.getBalance(recipient), SOL)
      })
    }),
  )

  it.effect("are notified of signatures, accounts, programs, logs, slots and roots", () =>
    Effect.gen(function* () {
      const { connection, payer, recipient, url } = yield* scene
      yield* Effect.promise(async () => {
        const heard = new Set<string>()
        const ids = [
          connection.onAccountChange(recipient, ({ lamports }) => heard.add(`account ${lamports / SOL}`)),
          connection.onProgramAccountChange(SystemProgram.programId, ({ accountId }) => {
            if (accountId.equals(recipient)) heard.add("program")
          }),
          connection.onLogs(recipient, ({ err }) => heard.add(`logs ${String(err)}`)),
          connection.onSlotChange(({ root, slot }) => heard.add(`slot ${slot - root}`)),
          connection.onRootChange((root) => heard.add(`root ${typeof root}`)),
        ] as const
        const stop = new AbortController()
        const kit = createSolanaRpcSubscriptions(url.replace("http", "ws"))
        const options = { abortSignal: stop.signal }
        const watched = address(recipient.toBase58())
        const first = async <A>(subscribed: Promise<AsyncIterable<A>>): Promise<A> => {
          for await (const one of await subscribed) return one
          throw new Error("the subscription ended")
        }
        const notified = Promise.all([
          first(kit.accountNotifications(watched, { encoding: "base64" }).subscribe(options)),
          first(kit.logsNotifications({ mentions: [watched] }).subscribe(options)),
          first(
            kit
              .programNotifications(address(SystemProgram.programId.toBase58()), { encoding: "base64" })
              .subscribe(options),
          ),
          first(kit.slotNotifications().subscribe(options)),
          first(kit.rootNotifications().subscribe(options)),
        ])
        await new Promise((resolve) => setTimeout(resolve, 300))
        const transfer = SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: recipient, lamports: SOL })
        const transaction = new Transaction().add(transfer)
        const latest = await connection.getLatestBlockhash()
        Object.assign(transaction, { feePayer: payer.publicKey, recentBlockhash: latest.blockhash })
        transaction.sign(payer)
        const signature = await connection.sendRawTransaction(transaction.serialize())
        const confirmed = await connection.confirmTransaction({ signature, ...latest })
        assert.isNull(confirmed.value.err)
        const [account, logs, program, slot, root] = await notified
        assert.strictEqual(account.value.lamports, BigInt(2 * SOL))
        assert.strictEqual(logs.value.signature, signature)
        assert.strictEqual(program.value.account.owner, "11111111111111111111111111111111")
        assert.isAbove(Number(slot.slot), Number(root))
        stop.abort()
        const all = ["account 2", "program", "logs null", "slot 32", "root number"]
        for (let tries = 0; heard.size < all.length && tries < 100; tries++)
          await new Promise((resolve) => setTimeout(resolve, 20))
        assert.sameMembers([...heard], all)
        await connection.removeAccountChangeListener(ids[0])
        await connection.removeProgramAccountChangeListener(ids[1])
        await connection.removeOnLogsListener(ids[2])
        await connection.removeSlotChangeListener(ids[3])
        await connection.removeRootChangeListener(ids[4])
        await socketClosed()
      })
    }),
  )
})
