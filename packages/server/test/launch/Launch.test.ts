import { SEEDED_MINTS } from "@launch-registry/chain/localnet/SeedAccounts"
import { decodeBase58 } from "@launch-registry/domain/solana/Base58"
import { assert, layer } from "@effect/vitest"
import { getBase64Encoder, getCompiledTransactionMessageDecoder, getTransactionDecoder } from "@solana/kit"
import { Effect } from "effect"
import { sampleAddress, sampleWallet, tokenDraft } from "../../../service/test/Samples.ts"
import { TestServer } from "../../../service/test/TestServer.ts"
import { post, readPool as read, SIGNER } from "./BuildRequests.ts"

const METADATA = {
  name: "Tour Token",
  symbol: "TOUR",
  description: "Made on a tour",
  imageUri: "https://example.com/i.png",
}

/** The signers of a transaction, the fee payer first, and which of them have signed. */
const decode = (transaction: string) => {
  const bytes = getBase64Encoder().encode(transaction)
  assert.isAtMost(bytes.length, 1232)
  const { messageBytes, signatures } = getTransactionDecoder().decode(bytes)
  const message = getCompiledTransactionMessageDecoder().decode(messageBytes)
  return {
    message,
    feePayer: message.staticAccounts[0],
    signers: Object.entries(signatures).map(([key, value]) => [key, value !== null]),
  }
}

const byteObject = (bytes: Uint8Array) => Object.fromEntries([...bytes].map((byte, index) => [String(index), byte]))

const keypairOf = ({ publicKey, secretKey }: { readonly publicKey: string; readonly secretKey: string }) => ({
  publicKey: byteObject(decodeBase58(publicKey)!),
  secretKey: byteObject(decodeBase58(secretKey)!),
})

layer(TestServer.layer())("Building launch transactions", (it) => {
  it.effect("builds a configuration for each launchpad, signed by its own key, and deploys with that key", () =>
    Effect.gen(function* () {
      for (const launchpad of ["launchpad_a", "launchpad_b"]) {
        const { body, headers } = yield* post("dbc-config", { metadata: METADATA, signer: SIGNER, launchpad })
        const { data } = body
        assert.strictEqual(headers.get("cache-control"), "no-store")
        assert.strictEqual(data.message, body.message)
        const config = decode(data.transaction)
        assert.strictEqual(config.feePayer, SIGNER)
        assert.deepStrictEqual(config.signers, [
          [SIGNER, false],
          [data.dbcConfigKeypair.publicKey, true],
        ])
        assert.strictEqual(config.message.lifetimeToken, data.blockhash)
        assert.match(data.lastValidBlockHeight, /^\d+$/)
        // 150 slots, of which each is taken for 200 ms until it was measured.
        assert.isTrue(Number.isInteger(data.expiresInSeconds) && data.expiresInSeconds >= 0)
        assert.isAtMost(data.expiresInSeconds, 60)

        const request = { metadata: METADATA, signer: SIGNER, dbcConfigKeypair: keypairOf(data.dbcConfigKeypair) }
        const deployed = (yield* post("deploy-token", request)).body.data
        const deployment = decode(deployed.transaction)
        assert.deepStrictEqual(deployment.signers, [
          [SIGNER, false],
          [deployed.baseMint, true],
        ])
        assert.match(deployed.uri, /^http:\/\/localhost:3001\/ipfs\/bafkrei/)
      }
    }),
  )

  it.effect("deploys with a Token-2022 configuration and with the caller's own mint", () =>
    Effect.gen(function* () {
      const dbcConfig = { tokenType: 1 }
      const { data } = (yield* post("dbc-config", { metadata: METADATA, signer: SIGNER, dbcConfig })).body
      const mintAddress = sampleWallet()
      const metadata = { ...METADATA, uri: "https://example.com/own.json" }
      const request = { metadata, signer: SIGNER, mintAddress, dbcConfigKeypair: data.dbcConfigKeypair }
      const deployed = (yield* post("deploy-token", request)).body.data
      assert.strictEqual(deployed.baseMint, mintAddress)
      assert.strictEqual(deployed.uri, "https://example.com/own.json")
      assert.sameDeepMembers(decode(deployed.transaction).signers, [
        [SIGNER, false],
        [mintAddress, false],
      ])
    }),
  )

  it.effect("refuses configurations that the program would refuse, naming field and rule", () =>
    Effect.gen(function* () {
      const cases: ReadonlyArray<readonly [dbcConfig: object, field: string]> = [
        [{ tokenBaseDecimal: 5 }, "tokenBaseDecimal"],
        [{ migrationOption: 0 }, "migrationOption"],
        [{ partnerLpPercentage: 10 }, "partnerLpPercentage"],
        [{ migrationFeeOption: 6 }, "migratedPoolFee.poolFeeBps"],
        [{ migratedPoolFee: { poolFeeBps: 100 } }, "migratedPoolFee"],
        [{ tokenUpdateAuthority: 3 }, "tokenUpdateAuthority"],
        [{ baseFeeParams: { baseFeeMode: 2 } }, "baseFeeParams.baseFeeMode"],
        [
          { baseFeeParams: { baseFeeMode: 0, feeSchedulerParam: { startingFeeBps: 5, endingFeeBps: 5 } } },
          "baseFeeParams.feeSchedulerParam.startingFeeBps",
        ],
        [{ buildCurveParam: { initialMarketCap: 500, migrationMarketCap: 400 } }, "buildCurveParam.initialMarketCap"],
        [{ buildCurveMode: 0 }, "buildCurveParam.percentageSupplyOnMigration"],
        [{ lockedVestingParam: { totalLockedVestingAmount: 10 } }, "lockedVestingParam.numberOfVestingPeriod"],
        [{ poolCreationFee: 101 }, "poolCreationFee"],
        [{ tokenQuoteDecimal: 6 }, "tokenQuoteDecimal"],
      ]
      for (const [dbcConfig, field] of cases) {
        const { body } = yield* post("dbc-config", { metadata: METADATA, signer: SIGNER, dbcConfig }, 400)
        assert.strictEqual(body.code, "invalid_request")
        assert.include(
          body.issues.map(({ path }: { path: string }) => path),
          `body.dbcConfig.${field}`,
          JSON.stringify(body),
        )
      }
    }),
  )

  it.effect("refuses what is not there or does not fit, with its path or code", () =>
    Effect.gen(function* () {
      const secretKey = byteObject(new Uint8Array(64).fill(1))
      const keyOf = (byte: number) => ({ publicKey: byteObject(new Uint8Array(32).fill(byte)), secretKey })
      const swap = { signer: SIGNER, amount: 1, swapBaseForQuote: true }
      const cases: ReadonlyArray<readonly [path: string, fields: object, status: number, said: string]> = [
        ["dbc-config", { quoteMint: sampleAddress() }, 400, "body.quoteMint"],
        ["deploy-token", { dbcConfigKeypair: keyOf(2) }, 400, "body.dbcConfigKeypair"],
        ["deploy-token", { dbcConfigKeypair: keyOf(1) }, 404, "not_found"],
        ["swap", { ...swap, baseMint: SEEDED_MINTS.spl }, 400, "invalid_request"],
        ["swap", { ...swap, baseMint: sampleAddress() }, 404, "not_found"],
      ]
      for (const [path, fields, status, said] of cases) {
        const json = path === "swap" ? fields : { metadata: METADATA, signer: SIGNER, ...fields }
        const { body } = yield* post(path, json, status)
        assert.include([body.code, body.issues?.[0].path], said)
      }
    }),
  )

  it.effect("builds buys and sells of SPL and Token-2022 launches with their quote", () =>
    Effect.gen(function* () {
      for (const baseMint of Object.values(SEEDED_MINTS)) {
        for (const swapBaseForQuote of [false, true]) {
          const request = {
            baseMint,
            signer: SIGNER,
            amount: 1_000_000_000,
            slippageBps: 100,
            swapBaseForQuote,
            computeUnitPriceMicroLamports: 1000,
          }
          const { data } = (yield* post("swap", { ...request, referralTokenAccount: "" })).body
          assert.strictEqual(data.baseMint, baseMint)
          assert.deepStrictEqual(decode(data.transaction).signers, [[SIGNER, false]])
          const { expectedAmountOut, minimumAmountOut } = data.quote
          assert.strictEqual(BigInt(minimumAmountOut), (BigInt(expectedAmountOut) * 9900n) / 10_000n)
          const quoted = (yield* post("quote", { mintAddress: baseMint, amount: "1000000000", swapBaseForQuote })).body
            .data
          assert.deepStrictEqual(quoted, data.quote)
        }
      }
    }),
  )

  it.effect("says in a field the most that a curve takes, and that a slippage of 100 % takes anything", () =>
    Effect.gen(function* () {
      const buy = { baseMint: SEEDED_MINTS.spl, swapBaseForQuote: false }
      const asked = { mintAddress: SEEDED_MINTS.spl, swapBaseForQuote: false }
      const { maximum } = (yield* post("quote", { ...asked, amount: "1000000000000000" }, 400)).body.issues[0]
      yield* post("quote", { ...asked, amount: maximum })
      yield* post("quote", { ...asked, amount: String(BigInt(maximum) + 1n) }, 400)
      const codesAt = Effect.fnUntraced(function* (slippageBps: number) {
        const { data } = (yield* post("swap", { ...buy, signer: SIGNER, amount: 1_000_000_000, slippageBps })).body
        return data.simulation.problems.map(({ code }: { readonly code: string }) => code)
      })
      assert.deepStrictEqual(
        [yield* codesAt(10_000), yield* codesAt(9_999)],
        [["insufficient_sol", "no_minimum"], ["insufficient_sol"]],
      )
    }),
  )

  it.effect("refuses tokens that were removed from the whitelist, before reading the pool", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const mintAddress = sampleAddress()
      const swap = { baseMint: mintAddress, signer: SIGNER, amount: 1, swapBaseForQuote: true }
      assert.strictEqual((yield* post("whitelist", { tokenAddress: mintAddress }, 404)).body.code, "not_found")
      yield* request("/api/tokens", { json: tokenDraft({ mintAddress }) })
      const listed = (yield* post("whitelist", { tokenAddress: mintAddress })).body.data
      assert.deepInclude(listed, { mintAddress, whitelisted: true })
      assert.deepStrictEqual((yield* post("whitelist", { tokenAddress: mintAddress })).body.data, listed)
      yield* post("swap", swap, 404)
      assert.strictEqual((yield* post("unwhitelist", { tokenAddress: mintAddress })).body.data.whitelisted, false)
      assert.strictEqual((yield* post("swap", swap, 403)).body.code, "trading_not_allowed")
    }),
  )

  it.effect("reads state, configuration, metadata and progress of a pool", () =>
    Effect.gen(function* () {
      const mint = SEEDED_MINTS.spl
      const { data: state } = (yield* read(`state/${mint}`)).body
      assert.deepInclude(state, {
        mintAddress: mint,
        baseReserve: "903536970396635",
        quoteReserve: "2493484003",
        sqrtPrice: "98362933813224380",
        price: "0.000000028433053513",
        isMigrated: false,
        graduatedPool: null,
        venue: "dbc",
        migratedPool: null,
      })
      const { data: config } = (yield* read(`config/${mint}`)).body
      assert.deepInclude(config, {
        migrationQuoteThreshold: "78721765542",
        creatorTradingFeePercentage: 20,
        tokenDecimal: 6,
      })
      assert.lengthOf(config.curve, 2)
      const { data: metadata } = (yield* read(`metadata/${mint}`)).body
      assert.deepInclude(metadata, { name: "Test Token", symbol: "TEST", uri: "https://ex.test/m.json" })
      assert.strictEqual(metadata.pool.website, "https://ex.test")
      assert.deepInclude((yield* read(`metadata/${SEEDED_MINTS.token2022}`)).body.data, { symbol: "TEST" })
      const { data: progress } = (yield* read(`curve-progress/${mint}`)).body
      assert.deepInclude(progress, { quoteProgress: 0.031674, baseProgress: 0.119674, isComplete: false })
      const { migrationQuoteThreshold, quoteRemaining, quoteReserve } = progress
      assert.strictEqual(BigInt(quoteRemaining), BigInt(migrationQuoteThreshold) - BigInt(quoteReserve))
    }),
  )
})

layer(TestServer.layer({ rpcUrl: "http://127.0.0.1:9" }), { excludeTestServices: true })("Without RPC", (it) => {
  it.effect("bad input is still refused: that needs no chain", () =>
    Effect.gen(function* () {
      const swap = { baseMint: SEEDED_MINTS.spl, signer: SIGNER, amount: 1, swapBaseForQuote: false }
      const key = {
        publicKey: byteObject(new Uint8Array(32).fill(2)),
        secretKey: byteObject(new Uint8Array(64).fill(1)),
      }
      const bad: ReadonlyArray<readonly [path: string, json: object]> = [
        ...[0, -1, 1.5, "1e3", "18446744073709551616"].map((amount) => ["swap", { ...swap, amount }] as const),
        ["swap", { ...swap, slippageBps: 10_001 }],
        ["swap", { ...swap, baseMint: "nobody" }],
        ["swap", { ...swap, signer: "nobody" }],
        ["swap", { ...swap, referralTokenAccount: "nobody" }],
        ["quote", { mintAddress: SEEDED_MINTS.spl, amount: 0, swapBaseForQuote: false }],
        ["dbc-config", { metadata: METADATA, signer: "nobody" }],
        ["dbc-config", { metadata: { ...METADATA, name: "n".repeat(33) }, signer: SIGNER }],
        ["dbc-config", { metadata: METADATA, signer: SIGNER, dbcConfig: { tokenBaseDecimal: 5 } }],
        ["deploy-token", { metadata: METADATA, signer: SIGNER, dbcConfigKeypair: key }],
      ]
      for (const [path, json] of bad) {
        const { body } = yield* post(path, json, 400)
        assert.isNotEmpty(body.issues, path)
      }
    }),
  )

  it.effect("chain routes answer 503 with Retry-After, and everything else works as usual", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const answer = yield* request(`/api/launch/pool/state/${SEEDED_MINTS.spl}`)
      assert.strictEqual(answer.status, 503)
      assert.strictEqual(answer.body.details?.service, "chain")
      assert.isString(answer.headers.get("retry-after"))
      assert.notInclude(JSON.stringify(answer.body), "127.0.0.1")
      assert.strictEqual((yield* request("/api/tokens")).status, 200)
      const health = yield* request("/")
      assert.strictEqual(health.status, 200)
    }),
  )
})
