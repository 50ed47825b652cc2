import { Context, Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { declaring, describe, reusable, revalidated } from "../http/Describe.ts"
import { RequiredAccess } from "../access/RequiredAccess.ts"
import { Data, DataList } from "../http/Envelope.ts"
import { field } from "../http/Field.ts"
import { IdempotencyGuard } from "../http/IdempotencyGuard.ts"
import { idempotencyHeaders, secretHeaders } from "../http/IdempotencyKey.ts"
import { NotFound } from "../http/NotFound.ts"
import { NotConfigured } from "../http/Unavailable.ts"
import { NOT_STORED } from "../http/OpenApiOperation.ts"
import { PAGE_LIMIT, pageLimit, pagingFields } from "../http/Paging.ts"
import { StorageFull } from "../ipfs/IpfsErrors.ts"
import { Address } from "../solana/Address.ts"
import { listCandles } from "./CandlesEndpoint.ts"
import { CurveCompleted, PoolNotSwappable, TradingNotAllowed } from "./LaunchErrors.ts"
import { earnEndpoints } from "./EarnEndpoints.ts"
import { createEndpoint } from "./CreateLaunch.ts"
import { LaunchTerms } from "../pools/Schedules.ts"
import { launchesEndpoint } from "./LaunchesEndpoint.ts"
import { ConfigRequest, DeployRequest, QuoteRequest, SwapRequest, WhitelistRequest } from "./LaunchRequests.ts"
import { CurveProgress, PoolConfig, PoolMetadata, PoolState, SwapQuote, SwapSimulation } from "../pools/Pool.ts"
import { PoolTrade } from "../pools/PoolTrade.ts"
import { submissionEndpoints } from "../submissions/SubmissionEndpoints.ts"
import { listTrades } from "./TradeList.ts"
import { paid, unsignedFields } from "./UnsignedFields.ts"
import { WhitelistEntry, whitelistReads } from "./WhitelistReads.ts"

const BuiltConfig = Schema.Struct({
  ...unsignedFields,
  dbcConfigKeypair: field(
    Schema.Struct({
      publicKey: field(Schema.String, "Address of the configuration, base58 of 32 bytes"),
      secretKey: Schema.optionalKey(
        field(
          Schema.String,
          "Secret key of that address, base58 of 64 bytes. Answered once and never stored: absent from a replay",
        ),
      ),
    }),
    "Key of the configuration account, which has already signed; deploy-token needs only the public key",
  ),
  feeClaimer: field(
    Address,
    "Account that may claim the platform's share of the fees: that of the request, else of the launchpad settings, else the signer",
  ),
  leftoverReceiver: field(Address, "Account that receives leftover base tokens; chosen like feeClaimer"),
  terms: LaunchTerms,
  ...paid,
}).annotate({ identifier: "BuiltConfig", description: "The transaction that creates a DBC configuration" })

const BuiltDeployment = Schema.Struct({
  ...unsignedFields,
  baseMint: field(Address, "Mint of the token that the transaction creates"),
  pool: field(Address, "Pool that the transaction creates"),
  uri: field(Schema.String, "URI of the metadata document of the token"),
  isPoolMetadataPublished: field(
    Schema.Boolean,
    "Whether the transaction also publishes the metadata of the pool: requested, and fits into the transaction",
  ),
  ...paid,
}).annotate({ identifier: "BuiltDeployment", description: "The transaction that creates a token and its pool" })

const BuiltSwap = Schema.Struct({
  ...unsignedFields,
  baseMint: field(Address, "Mint of the traded token"),
  quote: SwapQuote,
  simulation: SwapSimulation,
}).annotate({ identifier: "BuiltSwap", description: "The transaction of a swap and its quote" })

const byMint = { mintAddress: field(Address, "Mint of the base token") }
const readErrors = [NotFound.response]

/** A read of a pool. */
const poolRead = <const Name extends string, const Read extends string, S extends Schema.Top>(
  name: Name,
  read: Read,
  view: S,
  [summary, description]: readonly [summary: string, description: string],
  cached: Context.Context<never> = Context.empty(),
) =>
  HttpApiEndpoint.get(name, `/pool/${read}/:mintAddress`, { params: byMint, success: Data(view), error: readErrors })
    .annotateMerge(describe(summary, description))
    .annotateMerge(cached)

/** `/api/launch`. */
export class LaunchApi extends HttpApiGroup.make("launch")
  .add(
    HttpApiEndpoint.post("dbcConfig", "/dbc-config", {
      headers: secretHeaders,
      payload: ConfigRequest,
      success: Data(BuiltConfig),
    })
      .middleware(IdempotencyGuard)
      .annotateMerge(
        describe(
          "Build a DBC configuration",
          "First step of a launch: builds the transaction that creates a DBC configuration account, from the preset of the launchpad and the fields of the request. The wallet signs and sends it. The response has the key of the account; its secret key is answered once and never stored: a retry with the same Idempotency-Key gets the response without it, and goes on with the public key.",
        ),
      )
      .annotateMerge(declaring(NOT_STORED)),
    HttpApiEndpoint.post("deployToken", "/deploy-token", {
      headers: idempotencyHeaders,
      payload: DeployRequest,
      success: Data(BuiltDeployment),
      error: [NotFound.response, StorageFull.response],
    })
      .middleware(IdempotencyGuard)
      .annotateMerge(
        describe(
          "Build a token deployment",
          "Second step of a launch: builds the transaction that creates the mint and its pool, and uploads the metadata document unless `metadata.uri` is given. Sign and send it once the transaction of the configuration has landed.",
        ),
      ),
    HttpApiEndpoint.post("unwhitelist", "/unwhitelist", {
      headers: idempotencyHeaders,
      payload: WhitelistRequest,
      success: Data(WhitelistEntry),
      error: [NotFound.response],
    })
      .middleware(IdempotencyGuard)
      .annotate(RequiredAccess, "admin")
      .annotateMerge(
        describe(
          "Remove a token from the whitelist",
          "Swaps of the token are rejected from then on (403 `trading_not_allowed`). Idempotent.",
        ),
      ),
    HttpApiEndpoint.post("whitelist", "/whitelist", {
      headers: idempotencyHeaders,
      payload: WhitelistRequest,
      success: Data(WhitelistEntry),
      error: [NotFound.response],
    })
      .middleware(IdempotencyGuard)
      .annotate(RequiredAccess, "admin")
      .annotateMerge(
        describe(
          "Add a token to the whitelist",
          "Swaps of the token can be built, even if the service requires the whitelist. Idempotent.",
        ),
      ),
    HttpApiEndpoint.post("quote", "/quote", {
      headers: idempotencyHeaders,
      payload: QuoteRequest,
      success: Data(SwapQuote),
      error: [NotFound.response, CurveCompleted.response, PoolNotSwappable.response],
    })
      .middleware(IdempotencyGuard)
      .annotate(RequiredAccess, "open")
      .annotateMerge(
        describe(
          "Quote a swap",
          "The current result of a swap where the token trades, without a transaction: on the bonding curve, or in the DAMM v2 or v1 pool that it migrated to (`venue`). `amount` is in smallest units of the token that is sent: lamports for a buy with SOL.",
        ),
      ),
    HttpApiEndpoint.post("swap", "/swap", {
      headers: idempotencyHeaders,
      payload: SwapRequest,
      success: Data(BuiltSwap),
      error: [TradingNotAllowed.response, NotFound.response, CurveCompleted.response, PoolNotSwappable.response],
    })
      .middleware(IdempotencyGuard)
      .annotateMerge(
        describe(
          "Build a swap",
          "Builds the transaction of a swap where the token trades, on the bonding curve or in the DAMM v2 or v1 pool that it migrated to (`quote.venue`), for the wallet to sign and send. `swapBaseForQuote: false` buys the base token, `true` sells it; `amount` is in smallest units of the token that is sent. `simulation` tells whether the swap would succeed for this wallet. A complete curve accepts no swaps until it has migrated (409 `curve_completed`).",
        ),
      ),
    createEndpoint,
    launchesEndpoint,
    poolRead("poolState", "state", PoolState, [
      "Read the state of a pool",
      "Account of the pool, read from the chain, with price, market cap and progress; after the migration also the DAMM v2 or v1 pool that trading continues in.",
    ]),
    poolRead(
      "poolConfig",
      "config",
      PoolConfig,
      ["Read the configuration of a pool", "Fees, shares and curve of the pool; they never change."],
      reusable("public, max-age=86400, immutable"),
    ),
    poolRead(
      "poolMetadata",
      "metadata",
      PoolMetadata,
      ["Read the metadata of a pool", "Published metadata of the pool and its token, read from the chain."],
      revalidated,
    ),
    poolRead("curveProgress", "curve-progress", CurveProgress, [
      "Read the progress of a curve",
      "How far the curve is from its migration, by quote tokens raised and by base tokens sold.",
    ]),
    listCandles,
    HttpApiEndpoint.get("trades", "/pool/:mintAddress/trades", {
      params: byMint,
      query: {
        limit: pageLimit(PAGE_LIMIT),
        cursor: pagingFields.cursor,
      },
      success: DataList(PoolTrade),
      error: [NotFound.response, NotConfigured.response],
    })
      .annotateMerge(revalidated)
      .annotateMerge(
        describe(
          "List the trades of a pool",
          "Swaps on the bonding curve, and on the AMM pool that it migrated to, as seen on chain, newest first, as a page; `limit` is 100 by default.",
        ),
      ),
    listTrades,
    ...earnEndpoints,
    ...whitelistReads,
    ...submissionEndpoints,
  )
  .prefix("/api/launch")
  .annotateMerge(
    OpenApi.annotations({
      title: "Launch",
      description:
        "Meteora's Dynamic Bonding Curve and the DAMM v2 and v1 pools that curves migrate to: transactions for wallets to sign, quotes, and reads of pools",
    }),
  ) {}
