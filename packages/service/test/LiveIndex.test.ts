import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { newKeyPair } from "@launch-registry/chain/build/NewKeyPair"
import { Rpc } from "@launch-registry/chain/rpc/Rpc"
import { assert, describe, it } from "@effect/vitest"
import { type Address, lamports } from "@solana/kit"
import { Effect, Redacted } from "effect"
import { signAndSend } from "../../chain/test/launch/Wallet.ts"
import { signedAsVersion1 } from "../../chain/test/submissions/SignedBy.ts"
import { localService } from "./StartedService.ts"
import { readEvents } from "./StreamReader.ts"
import { answerOf, untilAnswer } from "./UntilAnswer.ts"

/** Program files are under a licence that keeps them out of the repository; see CONTRIBUTING. */
const PROGRAMS = fileURLToPath(new URL("../../../programs", import.meta.url))
const hasPrograms = existsSync(`${PROGRAMS}/dynamic_bonding_curve.so`) && existsSync(`${PROGRAMS}/metaplex.so`)
const SOL = "So11111111111111111111111111111111111111112"

describe.skipIf(!hasPrograms)("A launch on chain (needs the program files; see CONTRIBUTING)", () => {
  it.live("appears by itself: the token, its trades, candles and events, the status of recorded transactions", () =>
    Effect.gen(function* () {
      const { chainUrl, url } = yield* localService(PROGRAMS)
      // oxlint-disable-next-line typescript/no-explicit-any
      const ask = (path: string, body?: unknown): Effect.Effect<any> => {
        const headers = { "content-type": "application/json" }
        const init = body === undefined ? {} : { method: "POST", headers, body: JSON.stringify(body) }
        return Effect.promise(() => answerOf(`${url}${path}`, init))
      }
      const until = (path: string, holds: Parameters<typeof untilAnswer>[1]) =>
        Effect.promise(() => untilAnswer(`${url}${path}`, holds))
      const events = yield* readEvents(`${url}/api/stream`)

      const { address: signer, keyPair: wallet } = yield* Effect.promise(newKeyPair)
      const onChain = Effect.provide(Rpc.layer({ urls: [Redacted.make(chainUrl)], genesisHash: "any" }))
      const send = (transaction: string) => onChain(signAndSend(wallet, transaction))
      yield* onChain(
        Effect.flatMap(Rpc, ({ call }) =>
          call((kit) => kit.requestAirdrop(signer as Address, lamports(100_000_000_000n))),
        ),
      )

      const metadata = {
        name: "Live Token",
        symbol: "LIVE",
        description: "Launched live",
        imageUri: "https://example.com/l.png",
      }
      const config = yield* ask("/api/launch/dbc-config", { signer, metadata })
      yield* send(config.data.transaction)
      const { dbcConfigKeypair } = config.data
      const deployed = yield* ask("/api/launch/deploy-token", { signer, metadata, dbcConfigKeypair })
      assert.isTrue(deployed.success, JSON.stringify(deployed))
      const { baseMint } = deployed.data
      yield* send(deployed.data.transaction)

      const { data: token } = yield* until(`/api/tokens/mint/${baseMint}`, ({ success }) => success)
      assert.deepInclude(token, {
        name: "Live Token",
        symbol: "LIVE",
        owner: signer,
        launchpad: "launchpad_a",
        decimals: 6,
        totalSupply: "1000000000",
        active: true,
      })
      // The metadata sent to the builders is included, and its creator has a record of the launch.
      assert.strictEqual(token.tokenConfig.quoteMint, SOL)
      assert.deepInclude(token.tokenConfig.dbcConfig, { totalTokenSupply: 1_000_000_000, feeClaimer: signer })
      assert.strictEqual(token.description, "Launched live")
      const { transactions: deploys } = yield* until(
        `/api/transactions?userAddress=${signer}&action=DEPLOY`,
        ({ transactions }) => transactions.length > 0,
      )
      assert.lengthOf(deploys, 1)
      assert.deepInclude(deploys[0], { baseToken: baseMint, amountOut: "1000000000", status: "success" })

      const swap = { baseMint, signer, amount: 1_000_000_000, slippageBps: 100, swapBaseForQuote: false }
      const built = yield* ask("/api/launch/swap", swap)
      const txHash = yield* send(built.data.transaction)
      const record = yield* ask("/api/transactions", {
        ...{ userAddress: signer, txHash, action: "BUY", baseToken: baseMint, quoteToken: SOL },
        ...{ amountIn: 1, amountOut: 1, pricePerToken: 1, slippageBps: 100, fee: 0, feeToken: SOL },
        ...{ status: "pending", chain: "solana", poolAddress: deployed.data.pool },
      })
      const { data: trades } = yield* until(
        `/api/launch/pool/${baseMint}/trades`,
        ({ data }) => (data?.length ?? 0) > 0,
      )
      assert.deepInclude(trades[0], {
        signature: txHash,
        trader: signer,
        side: "BUY",
        quoteAmount: "1000000000",
        baseAmount: built.data.quote.expectedAmountOut,
      })
      yield* until(`/api/transactions/${record.transaction.id}`, ({ transaction }) => transaction.status === "success")
      const { data: candles } = yield* ask(`/api/launch/pool/${baseMint}/candles?interval=1d`)
      assert.lengthOf(candles, 1)
      assert.deepInclude(candles[0], { trades: 1, quoteVolume: "1000000000", close: trades[0].price })
      yield* until(`/api/launch/pool/${baseMint}/trades`, ({ data }) => data[0].finality === "finalized")
      const { data: popular } = yield* until("/api/tokens/popular?interval=5m", ({ data }) => data.length > 0)
      assert.strictEqual(popular[0].mintAddress, baseMint)

      const seen = yield* events.until(({ type, data }) => type === "pool" && data.mintAddress === baseMint)
      const ofToken = seen.filter(({ data }) => data.mintAddress === baseMint).map(({ type }) => type)
      assert.deepStrictEqual(ofToken, ["token", "trade", "pool"])

      // A transaction of version 1 that the wallet submits: it lands, is indexed and proven like the others.
      const { data: second } = yield* ask("/api/launch/swap", swap)
      const transaction = yield* Effect.promise(() => signedAsVersion1(wallet, second))
      const { data: submitted } = yield* ask("/api/launch/submit", {
        ...{ transaction, lastValidBlockHeight: second.lastValidBlockHeight },
      })
      const { signature } = submitted
      yield* until(`/api/launch/submissions/${signature}`, ({ data }) => data.state === "finalized")
      const landed = yield* onChain(
        Effect.flatMap(Rpc, ({ call }) =>
          call((kit) => kit.getTransaction(signature, { encoding: "json", maxSupportedTransactionVersion: 1 })),
        ),
      )
      assert.strictEqual(landed?.version, 1)
      const proven = yield* until(
        `/api/launch/pool/${baseMint}/trades`,
        ({ data }) => data.length === 2 && data[0].finality === "finalized",
      )
      assert.deepInclude(proven.data[0], {
        ...{ signature, trader: signer, side: "BUY", baseAmount: second.quote.expectedAmountOut },
      })
      const { data: health } = yield* ask("/")
      assert.match(health.indexer.detail, /^proven complete up to slot \d+,/)
      const { data: index } = yield* ask("/api/system/indexer")
      assert.deepInclude(index, { gaps: [], deadLetters: 0, dropped: 0, poison: 0 })

      // Its launcher completes it.
      const completed = yield* ask("/api/tokens", {
        ...{ name: "Live Token", symbol: "LIVE", description: "Complete", totalSupply: "1000000000", decimals: 6 },
        ...{ mintAddress: baseMint, owner: signer, launchpad: "launchpad_a", tags: ["live"] },
      })
      assert.deepInclude(completed.data, { id: token.id, description: "Complete", createdAt: token.createdAt })
    }).pipe(Effect.scoped),
  )
})
