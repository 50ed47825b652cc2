import { requireWallet } from "@launch-registry/domain/access/Caller"
import { MetadataUploads } from "@launch-registry/domain/ipfs/MetadataUploads"
import type { FeeAddresses } from "@launch-registry/chain/launches/ConfigStep"
import { LaunchTransactions } from "@launch-registry/chain/launches/LaunchTransactions"
import { Pools } from "@launch-registry/chain/pools/Pools"
import {
  curveProgress,
  metadataAccounts,
  poolConfig,
  poolMetadata,
  poolState,
  stateAccounts,
} from "@launch-registry/chain/pools/PoolViews"
import { Swaps } from "@launch-registry/chain/swaps/Swaps"
import { Api } from "@launch-registry/domain/Api"
import { isIncluded } from "@launch-registry/domain/http/Include"
import { PAGE_LIMIT } from "@launch-registry/domain/http/Paging"
import { InvalidRequest } from "@launch-registry/domain/http/RequestErrors"
import { CANDLE_FIGURE, CANDLE_INTERVAL, CANDLES_LIMIT } from "@launch-registry/domain/launch/Candle"
import { STAGE_OF_SORT } from "@launch-registry/domain/launch/Launch"
import { LAUNCHES_LIMIT } from "@launch-registry/domain/launch/LaunchesEndpoint"
import { encodeBase58 } from "@launch-registry/domain/solana/Base58"
import type { Address } from "@launch-registry/domain/solana/Address"
import { startInstant } from "@launch-registry/domain/time/Timestamp"
import { Effect, Redacted } from "effect"
import type { HttpServerRequest } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { type Answering, answersOf } from "@launch-registry/http/answers/Answers"
import { IMMUTABLE } from "@launch-registry/http/answers/CacheControl"
import { addressPart, cursorOf, timePart } from "@launch-registry/http/answers/Cursor"
import { IdempotentRequests } from "@launch-registry/http/idempotency/IdempotentRequests"
import { sentOnce } from "@launch-registry/http/idempotency/StoredResponse"
import { withJsonBodies } from "@launch-registry/http/requests/JsonBody"
import { builtLaunches } from "./BuiltLaunches.ts"
import { readCandles } from "./Candles.ts"
import { createLaunch, publishedTexts } from "./CreateLaunch.ts"
import { earnHandlers } from "./EarnHandlers.ts"
import { listLaunches } from "./Launches.ts"
import { launchesOf } from "./ListLaunches.ts"
import { submissionHandlers } from "../submissions/SubmissionsHttp.ts"
import { withNextStep } from "./NextStep.ts"
import { tradeLists } from "./Trades.ts"
import { toEntry, Whitelist, type WhitelistPosition } from "./Whitelist.ts"

const SLIPPAGE_BPS = 100

const instantOf = (text: string | undefined) => (text === undefined ? undefined : startInstant(text))

const CONFIG_BUILT = "Sign and send the transaction, then deploy the token with the keypair"

/** What to do next, and who claims the fees when neither request nor settings name a claimer. */
const configMessage = (launchpad: string, { isFeeClaimerNamed }: FeeAddresses): string =>
  isFeeClaimerNamed
    ? CONFIG_BUILT
    : `${CONFIG_BUILT}. The signer claims the platform's trading fees: neither the request nor LAUNCHPADS names a feeClaimer for ${launchpad}`

const { respond, respondList, respondRead } = answersOf("launch")

const decisions = cursorOf<WhitelistPosition>({ updatedAt: timePart, mintAddress: addressPart })

/** A request about a mint. */
interface OfMint {
  readonly params: { readonly mintAddress: Address }
  readonly request: HttpServerRequest.HttpServerRequest
}

/** Handlers of `/api/launch`. */
export const LaunchHttp = HttpApiBuilder.group(
  Api,
  "launch",
  Effect.fn(function* (handlers) {
    const transactions = yield* LaunchTransactions
    const swaps = yield* Swaps
    const pools = yield* Pools
    const memory = yield* builtLaunches
    const whitelist = yield* Whitelist
    const uploads = yield* MetadataUploads
    const launches = yield* listLaunches
    const candles = yield* readCandles
    const trades = yield* tradeLists
    const requests = yield* IdempotentRequests
    const submissions = yield* submissionHandlers
    const create = yield* createLaunch
    const earn = yield* earnHandlers
    const stepping = yield* withNextStep

    /** What was built here counts until the configuration is on chain: `buildPool` looks. */
    const configFacts = (address: string) =>
      Effect.flatMap(memory.findConfig(address), (facts) =>
        facts === undefined ? transactions.getConfigFacts(address) : Effect.succeed(facts),
      )

    const readState = ({ params }: OfMint) =>
      Effect.map(pools.getCurveWith(params.mintAddress, stateAccounts), ({ accounts, curve }) =>
        respond("poolState", { data: poolState(curve, accounts) }),
      )
    const readConfig = ({ params, request }: OfMint) => {
      const read = Effect.map(pools.getCurve(params.mintAddress), (curve) => ({ data: poolConfig(curve) }))
      return respondRead("poolConfig", request, read, IMMUTABLE)
    }
    const readMetadata = ({ params, request }: OfMint) => {
      const read = Effect.map(pools.getCurveWith(params.mintAddress, metadataAccounts), ({ accounts, curve }) => ({
        data: poolMetadata(curve, accounts),
      }))
      return respondRead("poolMetadata", request, read)
    }
    const readProgress = ({ params }: OfMint) =>
      Effect.map(pools.getCurve(params.mintAddress), (curve) =>
        respond("curveProgress", { data: curveProgress(curve) }),
      )

    return withJsonBodies(handlers).handleAll({
      ...submissions,
      ...earn,
      dbcConfig: Effect.fnUntraced(function* ({ payload }) {
        const { launchpad = "launchpad_a", metadata, signer } = payload
        yield* requireWallet(signer, "the signer")
        const request = { ...payload, launchpad }
        const { cost, unsigned, wallet, ...created } = yield* transactions.buildConfig(request)
        const { configAddress, fees, secretKey, terms } = created
        const { feeClaimer, leftoverReceiver } = fees
        const answer = (key: { readonly secretKey?: string }) => {
          const dbcConfigKeypair = { publicKey: configAddress, ...key }
          const data = { dbcConfigKeypair, feeClaimer, leftoverReceiver, terms, ...{ ...unsigned, cost, wallet } }
          return respond("dbcConfig", stepping(data, configMessage(launchpad, fees)), {
            "cache-control": "no-store",
          })
        }
        const response = sentOnce(answer({ secretKey: Redacted.value(secretKey) }), answer({}))
        return yield* requests.commit(
          Effect.as(memory.addConfig({ ...created, signer, launchpad, metadata }), response),
        )
      }),
      deployToken: Effect.fnUntraced(function* ({ payload }) {
        const { dbcConfigKeypair, metadata, mintAddress, signer } = payload
        yield* requireWallet(signer, "the signer")
        // The secret key was only checked against the public key; nothing below gets it.
        const config = encodeBase58(dbcConfigKeypair.publicKey)
        const facts = yield* configFacts(config)
        const uri = metadata.uri ? metadata.uri : (yield* uploads.uploadMetadata(metadata)).uri
        const label = { name: metadata.name, symbol: metadata.symbol, uri }
        const built = yield* transactions.buildPool({
          ...{ signer, config, facts, label },
          ...(mintAddress && { baseMint: mintAddress }),
          ...(payload.poolMetadata === true && { poolMetadata: publishedTexts(metadata) }),
          ...{ priorityFee: payload.priorityFee, transactionVersion: payload.transactionVersion },
        })
        const data = {
          ...{ ...built.unsigned, cost: built.cost, wallet: built.wallet },
          ...{ baseMint: built.baseMint, pool: built.pool, uri },
          isPoolMetadataPublished: built.isMetadataPublished,
        }
        const response = respond(
          "deployToken",
          stepping(data, "Sign and send the transaction to create the token and its pool"),
        )
        const deployment = { baseMint: built.baseMint, configAddress: config, pool: built.pool, signer, uri, metadata }
        return yield* requests.commit(Effect.as(memory.addDeployment(deployment), response))
      }),
      create: ({ payload }) => create(payload),
      whitelist: ({ payload }) =>
        requests.commit(
          Effect.map(whitelist.set(payload.tokenAddress, true), (data) =>
            respond("whitelist", { data, message: "Token is whitelisted" }),
          ),
        ),
      unwhitelist: ({ payload }) =>
        requests.commit(
          Effect.map(whitelist.set(payload.tokenAddress, false), (data) =>
            respond("unwhitelist", { data, message: "Token is not whitelisted" }),
          ),
        ),
      quote: ({ payload: { amount, mintAddress, slippageBps = SLIPPAGE_BPS, swapBaseForQuote } }) =>
        Effect.map(swaps.quote({ baseMint: mintAddress, amountIn: amount, slippageBps, swapBaseForQuote }), (data) =>
          respond("quote", { data }),
        ),
      swap: Effect.fnUntraced(function* ({ payload }) {
        const { amount, baseMint, computeUnitPriceMicroLamports, referralTokenAccount, signer, swapBaseForQuote } =
          payload
        yield* whitelist.requireTradable(baseMint)
        const swap = {
          baseMint,
          signer,
          amountIn: amount,
          slippageBps: payload.slippageBps ?? SLIPPAGE_BPS,
          swapBaseForQuote,
          ...(referralTokenAccount && { referralTokenAccount }),
        }
        const { quote, simulation, unsigned } = yield* swaps.build(swap, {
          ...(computeUnitPriceMicroLamports !== undefined && { computeUnitPriceMicroLamports }),
          ...{ priorityFee: payload.priorityFee, transactionVersion: payload.transactionVersion },
          simulate: payload.simulate ?? false,
        })
        const data = { ...unsigned, baseMint, quote, simulation }
        return respond("swap", stepping(data, "Sign and send the transaction to swap"))
      }),
      pools: Effect.fnUntraced(function* ({ query }) {
        const { creator, quoteMint, registered = "true", sort = "newest" } = query
        const [configs, mints] = [query.config?.split(","), query.mintAddresses?.split(",")]
        const stage = STAGE_OF_SORT[sort] ?? query.stage
        if (query.stage !== undefined && query.stage !== stage)
          return yield* InvalidRequest.at("query.stage", `expected ${stage}, or none, with sort=${sort}`)
        const scope = { sort, stage, registered, configs, creator, quoteMint, mints }
        return yield* respondList("pools", {
          key: "data",
          paging: query,
          cursor: launchesOf(scope),
          defaultLimit: LAUNCHES_LIMIT,
          read: (range) =>
            launches(scope, range, {
              market: isIncluded(query, "market"),
              trust: isIncluded(query, "trust"),
            }),
        })
      }),
      poolState: readState,
      poolConfig: readConfig,
      poolMetadata: readMetadata,
      curveProgress: readProgress,
      candles: ({
        params,
        query: { figure = CANDLE_FIGURE, from, interval = CANDLE_INTERVAL, limit = CANDLES_LIMIT, to },
        request,
      }) => {
        const range = { interval, figure, limit, from: instantOf(from), to: instantOf(to) }
        const read = Effect.map(candles(params.mintAddress, range), (data) => ({ data }))
        return respondRead("candles", request, read)
      },
      trades: ({ params, query: { limit = PAGE_LIMIT, ...filter }, request }) => {
        const read = Effect.map(trades.ofPool(params.mintAddress, { ...filter, limit }), ({ nextCursor, trades }) => ({
          data: trades,
          pagination: { limit, nextCursor },
        }))
        return respondRead("trades", request, read)
      },
      listTrades: ({ query: { cursor, limit = PAGE_LIMIT, ...filter }, request }) => {
        const read = Effect.map(trades.list(filter, { limit, cursor }), ({ nextCursor, trades }) => ({
          ...{ data: trades, pagination: { limit, nextCursor } },
        }))
        return respondRead("listTrades", request, read)
      },
      listWhitelist: ({ query }) => {
        const whitelisted = query.whitelisted === undefined ? undefined : query.whitelisted === "true"
        return respondList("listWhitelist", {
          key: "data",
          paging: query,
          cursor: decisions("whitelist", query),
          defaultLimit: PAGE_LIMIT,
          read: (range) =>
            Effect.map(whitelist.list(whitelisted, range), (rows) =>
              rows.map((row) => ({ item: toEntry(row), position: row })),
            ),
        })
      },
      whitelistState: ({ params, request }) => {
        const read = Effect.map(whitelist.stateOf(params.mintAddress), (data) => ({ data }))
        return respondRead("whitelistState", request, read)
      },
    } satisfies Answering<"launch">)
  }),
)
