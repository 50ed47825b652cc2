import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { describe } from "../http/Describe.ts"
import { Data, DataList } from "../http/Envelope.ts"
import { IdempotencyGuard } from "../http/IdempotencyGuard.ts"
import { idempotencyHeaders, sealingHeaders } from "../http/IdempotencyKey.ts"
import { pagingFields } from "../http/Paging.ts"
import { IpfsUnavailable } from "../ipfs/IpfsErrors.ts"
import { Address } from "../solana/Address.ts"
import { IsoTime, Timestamp } from "../time/Timestamp.ts"
import { TokenNotFound } from "../tokens/TokenErrors.ts"
import { Candle, CandleInterval } from "./Candle.ts"
import {
  ChainUnavailable,
  ConfigNotFound,
  CurveCompleted,
  InvalidDbcConfig,
  InvalidLaunch,
  InvalidSwap,
  PoolNotFound,
  TradingNotAllowed,
} from "./LaunchErrors.ts"
import { ConfigRequest, DeployRequest, QuoteRequest, SwapRequest, WhitelistRequest } from "./LaunchRequests.ts"
import { CurveProgress, PoolConfig, PoolMetadata, PoolState, SwapQuote, SwapSimulation } from "./Pool.ts"
import { PoolTrade } from "./PoolTrade.ts"

const unsignedFields = {
  transaction: Schema.String.annotate({
    description: "Version 0 transaction in base64, at most 1,232 bytes; the signer's signature is empty",
  }),
  blockhash: Schema.String,
  lastValidBlockHeight: Schema.String.annotate({ description: "The transaction cannot land after this block height" }),
  slot: Schema.String,
  computeUnitLimit: Schema.Int,
  message: Schema.String,
}

const BuiltConfig = Schema.Struct({
  ...unsignedFields,
  dbcConfigKeypair: Schema.Struct({ publicKey: Schema.String, secretKey: Schema.String }).annotate({
    description:
      "Base58. The secret key is given once and kept nowhere; deploying the token needs the public key alone",
  }),
  feeClaimer: Address.annotateKey({
    description:
      "Who may claim the platform's part of the trading fees: as the request says, or the launchpad's settings, or else the signer",
  }),
  leftoverReceiver: Address.annotateKey({
    description: "Who gets the base tokens that are left over; decided as feeClaimer is",
  }),
}).annotate({ identifier: "BuiltConfig" })

const BuiltDeployment = Schema.Struct({
  ...unsignedFields,
  baseMint: Address,
  pool: Address,
  uri: Schema.String,
  isPoolMetadataPublished: Schema.Boolean,
}).annotate({ identifier: "BuiltDeployment" })

const BuiltSwap = Schema.Struct({
  ...unsignedFields,
  baseMint: Address,
  quote: SwapQuote,
  simulation: SwapSimulation,
}).annotate({ identifier: "BuiltSwap" })

const WhitelistEntry = Schema.Struct({
  tokenAddress: Address,
  whitelisted: Schema.Boolean,
  updatedAt: Timestamp,
}).annotate({
  identifier: "WhitelistEntry",
})

const byMint = { mintAddress: Address }
const readErrors = [PoolNotFound.response, ChainUnavailable.response]

/** A read of a pool at the path that all reads of pools have, and at its first one, which is answered for good. */
const poolRead = <const Name extends string, const Read extends string, S extends Schema.Top>(
  name: Name,
  read: Read,
  view: S,
  summary: string,
) => {
  const answers = { params: byMint, success: Data(view), error: readErrors }
  return [
    HttpApiEndpoint.get(name, `/pool/:mintAddress/${read}`, answers).annotateMerge(describe(summary)),
    HttpApiEndpoint.get(`${name}Deprecated`, `/pool/${read}/:mintAddress`, answers)
      .annotateMerge(describe(summary, `The same as /api/launch/pool/{mintAddress}/${read}, which is the path to use.`))
      .annotate(OpenApi.Deprecated, true),
  ] as const
}

/** `/api/launch` (specification, section 4). */
export class LaunchApi extends HttpApiGroup.make("launch")
  .add(
    HttpApiEndpoint.post("dbcConfig", "/dbc-config", {
      headers: sealingHeaders,
      payload: ConfigRequest,
      success: Data(BuiltConfig),
      error: [InvalidDbcConfig.response, ChainUnavailable.response],
    })
      .middleware(IdempotencyGuard)
      .annotateMerge(
        describe(
          "Build a DBC configuration",
          "From the launchpad's preset, with the caller's own fields laid over it.",
        ),
      ),
    HttpApiEndpoint.post("deployToken", "/deploy-token", {
      headers: idempotencyHeaders,
      payload: DeployRequest,
      success: Data(BuiltDeployment),
      error: [ConfigNotFound.response, InvalidLaunch.response, IpfsUnavailable.response, ChainUnavailable.response],
    })
      .middleware(IdempotencyGuard)
      .annotateMerge(
        describe(
          "Build a token deployment",
          "Creates the mint and its pool. Sign and send after the configuration's transaction has landed. Of the configuration's keypair the public key is all that is needed.",
        ),
      ),
    HttpApiEndpoint.post("whitelist", "/whitelist", {
      headers: idempotencyHeaders,
      payload: WhitelistRequest,
      success: Data(WhitelistEntry),
      error: [TokenNotFound.response],
    })
      .middleware(IdempotencyGuard)
      .annotateMerge(describe("Whitelist a token for trading")),
    HttpApiEndpoint.post("unwhitelist", "/unwhitelist", {
      headers: idempotencyHeaders,
      payload: WhitelistRequest,
      success: Data(WhitelistEntry),
      error: [TokenNotFound.response],
    })
      .middleware(IdempotencyGuard)
      .annotateMerge(describe("Take a token off the whitelist", "Swaps of it are refused from then on.")),
    HttpApiEndpoint.post("quote", "/quote", {
      headers: idempotencyHeaders,
      payload: QuoteRequest,
      success: Data(SwapQuote),
      error: [PoolNotFound.response, CurveCompleted.response, InvalidSwap.response, ChainUnavailable.response],
    })
      .middleware(IdempotencyGuard)
      .annotateMerge(describe("Quote a swap")),
    HttpApiEndpoint.post("swap", "/swap", {
      headers: idempotencyHeaders,
      payload: SwapRequest,
      success: Data(BuiltSwap),
      error: [
        TradingNotAllowed.response,
        PoolNotFound.response,
        CurveCompleted.response,
        InvalidSwap.response,
        ChainUnavailable.response,
      ],
    })
      .middleware(IdempotencyGuard)
      .annotateMerge(
        describe(
          "Build a swap",
          "`swapBaseForQuote` false buys the base token, true sells it. slippageBps is 100 (1 %) when left out.",
        ),
      ),
    ...poolRead("poolState", "state", PoolState, "Pool state"),
    ...poolRead("poolConfig", "config", PoolConfig, "Pool configuration"),
    ...poolRead("poolMetadata", "metadata", PoolMetadata, "Pool metadata"),
    ...poolRead("curveProgress", "curve-progress", CurveProgress, "Curve progress"),
    HttpApiEndpoint.get("candles", "/pool/:mintAddress/candles", {
      params: byMint,
      query: {
        interval: Schema.optionalKey(CandleInterval),
        from: Schema.optionalKey(IsoTime).annotateKey({ description: "The candle of this time is the first" }),
        to: Schema.optionalKey(IsoTime).annotateKey({ description: "Candles start before it" }),
        limit: pagingFields.limit,
      },
      success: DataList(Candle),
      error: readErrors,
    }).annotateMerge(
      describe(
        "Candles of a pool",
        "Oldest first: the newest `limit` (300 when left out) before `to`, of the interval 1m when left out. An interval without a trade has no candle: nothing is filled in. Candles are whole, whatever `from` and `to` say.",
      ),
    ),
    HttpApiEndpoint.get("trades", "/pool/:mintAddress/trades", {
      params: byMint,
      query: {
        limit: pagingFields.limit,
        cursor: pagingFields.cursor,
      },
      success: DataList(PoolTrade),
      error: readErrors,
    }).annotateMerge(describe("Trades of a pool", "As seen on chain, newest first; 100 without `limit`.")),
  )
  .prefix("/api/launch")
  .annotateMerge(
    OpenApi.annotations({ title: "Launch", description: "Dynamic bonding curve: transactions to sign, and pools" }),
  ) {}
