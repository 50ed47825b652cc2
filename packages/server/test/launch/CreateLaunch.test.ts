import { SEEDED_POOLS } from "@launch-registry/chain/localnet/SeedAccounts"
import { newKeyPair } from "@launch-registry/chain/build/NewKeyPair"
import { Rpc } from "@launch-registry/chain/rpc/Rpc"
import { decodeBase58, encodeBase58 } from "@launch-registry/domain/solana/Base58"
import { assert, layer } from "@effect/vitest"
import { type Address, getBase64Encoder, getTransactionDecoder, lamports } from "@solana/kit"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { SOL, sampleAddress, sampleWallet } from "../../../service/test/Samples.ts"
import { TestServer } from "../../../service/test/TestServer.ts"
import { post } from "./BuildRequests.ts"
import { byMint, follow, launch } from "../tokens/ChainLaunches.ts"

const METADATA = { name: "One Step", symbol: "ONE", description: "In one step", imageUri: "https://example.com/i.png" }
const CONFIG = SEEDED_POOLS[0]!.config

const funded = Effect.fnUntraced(function* (amount = 10_000_000_000n) {
  const rpc = yield* Rpc
  const signer = sampleWallet()
  yield* Effect.orDie(rpc.call((kit) => kit.requestAirdrop(signer as Address, lamports(amount))))
  return signer
})

const sumOf = ({ parts }: { readonly parts: ReadonlyArray<{ readonly lamports: string }> }) =>
  parts.reduce((sum, part) => sum + BigInt(part.lamports), 0n).toString()

layer(TestServer.layer())("POST /api/launch/create", (it) => {
  it.effect("answers the transactions in order, who signs, what they cost, and the key of the configuration once", () =>
    Effect.gen(function* () {
      const signer = yield* funded()
      const firstBuy = { amount: "1000000000", slippageBps: 50 }
      const { body, headers } = yield* post("create", {
        metadata: METADATA,
        signer,
        firstBuy,
        launchpad: "launchpad_b",
      })
      const { data } = body
      assert.strictEqual(headers.get("cache-control"), "no-store")
      assert.match(
        data.message,
        /^Sign and send the first of 2 transactions; once it is confirmed, ask again with config, .*names a feeClaimer for launchpad_b$/,
      )
      assert.strictEqual(data.dbcConfigKeypair.publicKey, data.config)
      assert.strictEqual(encodeBase58(decodeBase58(data.dbcConfigKeypair.secretKey)!.subarray(32)), data.config)
      const wallet = { address: signer, role: "wallet", hasSigned: false }
      const [config, pool] = data.transactions
      assert.deepInclude(config, { purposes: ["config"], requires: [] })
      assert.deepStrictEqual(config.signers, [wallet, { address: data.config, role: "config", hasSigned: true }])
      assert.deepInclude(pool, { purposes: ["pool", "first_buy"], requires: [0] })
      assert.deepStrictEqual(pool.signers, [wallet, { address: data.mintAddress, role: "mint", hasSigned: true }])
      assert.strictEqual(data.cost.total, sumOf(data.cost))
      assert.deepInclude(data.cost.parts, { item: "network_fee", account: null, lamports: "10000" })
      assert.isTrue(data.cost.parts.some((part: object) => "item" in part && part.item === "first_buy"))
      assert.deepInclude(data.wallet, { lamports: "10000000000", shortfall: "0", sufficient: true })
      const { expectedAmountOut, minimumAmountOut } = data.quote
      assert.strictEqual(BigInt(minimumAmountOut), (BigInt(expectedAmountOut) * 9_950n) / 10_000n)
      assert.deepInclude(data, { quoteMint: SOL, feeClaimer: signer, leftoverReceiver: signer })
    }),
  )

  it.effect("remembers what was sent, so that the launched token has it", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const signer = yield* funded()
      const metadata = { ...METADATA, website: "https://example.com" }
      const dbcConfig = { creatorTradingFeePercentage: 20 }
      const { data } = (yield* post("create", { metadata, signer, dbcConfig, launchpad: "launchpad_b" })).body
      const { mintAddress: baseMint, config, pool, uri } = data
      yield* launch({ name: METADATA.name, symbol: METADATA.symbol, creator: signer, config, baseMint, pool, uri })
      yield* follow
      const token = (yield* byMint(baseMint)).body.data
      assert.deepInclude(token, { launchpad: "launchpad_b", description: METADATA.description, config, pool })
      assert.strictEqual(token.metadata.website, "https://example.com")
      assert.strictEqual(token.tokenConfig.dbcConfig.creatorTradingFeePercentage, 20)
      const rows = yield* sql<{ row: string }>`
        select t::text as row from launch_configs t union all select t::text from launch_deployments t`
      const stored = rows.map(({ row }) => row).join()
      assert.include(stored, config)
      assert.notInclude(stored, data.dbcConfigKeypair.secretKey)
    }),
  )

  it.effect("takes an existing configuration, and the key of a mint or its address alone", () =>
    Effect.gen(function* () {
      const signer = yield* funded()
      const request = { metadata: METADATA, signer, config: CONFIG, firstBuy: { amount: 1_000_000 } }
      const [own, ground] = [yield* Effect.promise(newKeyPair), yield* Effect.promise(newKeyPair)]
      const { data } = (yield* post("create", { ...request, mintAddress: own.address })).body
      assert.lengthOf(data.transactions, 1)
      assert.notProperty(data, "dbcConfigKeypair")
      const [unsigned] = data.transactions
      assert.deepInclude(unsigned.signers, { address: own.address, role: "mint", hasSigned: false })

      const mintKeypair = { publicKey: ground.address, secretKey: [...ground.secretKey] }
      const signed = (yield* post("create", { ...request, mintKeypair })).body.data
      assert.strictEqual(signed.mintAddress, ground.address)
      const bytes = getBase64Encoder().encode(signed.transactions[0].transaction)
      assert.isNotNull(getTransactionDecoder().decode(bytes).signatures[ground.address as Address])
      assert.notInclude(JSON.stringify(signed), encodeBase58(ground.secretKey))

      const known = { ...request, mintAddress: SEEDED_POOLS[0]!.baseMint }
      assert.strictEqual((yield* post("create", known, 400)).body.issues[0].path, "body.mintAddress")
      const nowhere = (yield* post("create", { ...request, config: sampleAddress() }, 404)).body
      assert.strictEqual(nowhere.code, "not_found")
    }),
  )

  it.effect("is one transaction of version 1 where that is asked for, and says what its simulation did", () =>
    Effect.gen(function* () {
      const signer = yield* funded()
      const request = { metadata: METADATA, signer, firstBuy: { amount: 1_000_000 }, transactionVersion: 1 }
      const { data } = (yield* post("create", request)).body
      assert.deepStrictEqual(
        data.transactions.map(({ purposes }: { readonly purposes: unknown }) => purposes),
        [["config", "pool", "first_buy"]],
      )
      const [whole] = data.transactions
      assert.isAbove(whole.size, 1_232)
      assert.strictEqual(getBase64Encoder().encode(whole.transaction)[0], 129)
      // This chain has no programs: nothing could land on it.
      assert.deepInclude(data.simulation, { willSucceed: false, isSimulated: true })
      const issues = (yield* post("create", { ...request, transactionVersion: 2 }, 400)).body.issues
      assert.strictEqual(issues[0].path, "body.transactionVersion")
    }),
  )

  it.effect("refuses fields that contradict each other, and what the program would refuse, by path", () =>
    Effect.gen(function* () {
      const signer = yield* funded()
      const key = yield* Effect.promise(newKeyPair)
      const pair = { publicKey: key.address, secretKey: encodeBase58(key.secretKey) }
      const forged = Uint8Array.from(key.secretKey)
      forged[0]! ^= 1
      const cases: ReadonlyArray<readonly [fields: object, ...paths: ReadonlyArray<string>]> = [
        [
          { config: CONFIG, launchpad: "launchpad_a", quoteMint: SOL, dbcConfig: {} },
          ...["body.launchpad", "body.quoteMint", "body.dbcConfig"],
        ],
        [{ mintAddress: key.address, mintKeypair: pair }, "body.mintAddress"],
        [{ firstBuy: { amount: 1, slippageBps: 1, minimumAmountOut: 1 } }, "body.firstBuy.slippageBps"],
        [{ firstBuy: { amount: 0 } }, "body.firstBuy.amount"],
        [{ firstBuy: { amount: "1.5" } }, "body.firstBuy.amount"],
        [{ firstBuy: { amount: "18446744073709551615" } }, "body.firstBuy.amount"],
        [{ firstBuy: { amount: "1000", minimumAmountOut: "18446744073709551615" } }, "body.firstBuy.minimumAmountOut"],
        [{ mintAddress: signer }, "body.mintAddress"],
        [{ mintKeypair: { ...pair, publicKey: sampleWallet() } }, "body.mintKeypair"],
        [{ mintKeypair: { ...pair, secretKey: [...forged] } }, "body.mintKeypair"],
        [{ dbcConfig: { tokenBaseDecimal: 5 } }, "body.dbcConfig.tokenBaseDecimal"],
        [{ priorityFee: "10000001" }, "body.priorityFee"],
        [{ priorityFee: "urgent" }, "body.priorityFee"],
        [{ priorityFee: -1 }, "body.priorityFee"],
        [{ config: CONFIG, signer: CONFIG }, "body.signer"],
      ]
      for (const [fields, ...paths] of cases) {
        const { body } = yield* post("create", { metadata: METADATA, signer, ...fields }, 400)
        const found = body.issues.map(({ path }: { readonly path: string }) => path)
        assert.includeMembers(found, paths, JSON.stringify(body))
        assert.notInclude(JSON.stringify(body), pair.secretKey)
      }
    }),
  )

  it.effect("refuses a wallet that cannot pay with what it lacks; with that much more it is built", () =>
    Effect.gen(function* () {
      const rpc = yield* Rpc
      const signer = yield* funded(5_000_000n)
      const request = { metadata: METADATA, signer, firstBuy: { amount: "1000000000" } }
      const { body } = yield* post("create", request, 409)
      assert.strictEqual(body.code, "insufficient_funds")
      const { held, mintAddress: mint, required, shortfall } = body.details
      assert.deepStrictEqual([mint, held], [SOL, "5000000"])
      assert.strictEqual(BigInt(required) - BigInt(held), BigInt(shortfall))
      yield* Effect.orDie(rpc.call((kit) => kit.requestAirdrop(signer as Address, lamports(BigInt(shortfall)))))
      const { data } = (yield* post("create", request)).body
      assert.deepInclude(data.wallet, { lamports: required, required, sufficient: true })
    }),
  )

  it.effect(
    "has two builders beside it, which say what theirs costs and whether the wallet can pay, and build for any wallet",
    () =>
      Effect.gen(function* () {
        const [rich, poor] = [yield* funded(), sampleWallet()]
        for (const signer of [rich, poor]) {
          const sufficient = signer === rich
          const dbcConfig = { poolCreationFee: "0.001" }
          const config = (yield* post("dbc-config", { metadata: METADATA, signer, dbcConfig, priorityFee: 7_000 })).body
            .data
          const token = (yield* post("deploy-token", {
            ...{ metadata: METADATA, signer, dbcConfigKeypair: config.dbcConfigKeypair, priorityFee: "none" },
          })).body.data
          for (const { cost, wallet } of [config, token]) {
            assert.strictEqual(cost.total, sumOf(cost))
            assert.strictEqual(wallet.sufficient, sufficient)
            assert.strictEqual(wallet.shortfall === "0", sufficient)
          }
          assert.deepInclude(config.cost.parts, { item: "priority_fee", account: null, lamports: "7000" })
          assert.strictEqual(token.priorityFeeLamports, "0")
          // Read from what was stored, in SOL.
          assert.deepInclude(token.cost.parts, { item: "pool_creation_fee", account: token.pool, lamports: "1000000" })
        }
        const tooMuch = { metadata: METADATA, signer: rich, priorityFee: "10000001" }
        assert.strictEqual((yield* post("dbc-config", tooMuch, 400)).body.issues[0].path, "body.priorityFee")
      }),
  )
})
