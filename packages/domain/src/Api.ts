import { HttpApi, OpenApi } from "effect/http-api"
import { AccessGuard } from "./access/AccessGuard.ts"
import { AnalyticsApi } from "./analytics/AnalyticsApi.ts"
import { AuditApi } from "./access/AuditApi.ts"
import { BridgeApi } from "./bridge/BridgeApi.ts"
import { RequestGuard } from "./http/RequestGuard.ts"
import { IpfsApi } from "./ipfs/IpfsApi.ts"
import { LaunchApi } from "./launch/LaunchApi.ts"
import { NotificationsApi } from "./notifications/NotificationsApi.ts"
import { StreamApi } from "./stream/StreamApi.ts"
import { SystemApi } from "./system/SystemApi.ts"
import { TokensApi } from "./tokens/TokensApi.ts"
import { TransactionsApi } from "./transactions/TransactionsApi.ts"
import { WalletsApi } from "./wallets/WalletsApi.ts"

/** Every endpoint whose responses use the envelope. */
export class Api extends HttpApi.make("token-launch-registry")
  .add(LaunchApi)
  .add(TokensApi)
  .add(TransactionsApi)
  .add(IpfsApi)
  .add(BridgeApi)
  .add(StreamApi)
  .add(WalletsApi)
  .add(AnalyticsApi)
  .add(NotificationsApi)
  .add(AuditApi)
  .add(SystemApi)
  .middleware(RequestGuard)
  .middleware(AccessGuard)
  .annotate(HttpApi.ParseOptions, { errors: "all" })
  // An unknown field is an error: ignoring it would look as if it had taken effect.
  .annotate(HttpApi.PayloadParseOptions, { errors: "all", onExcessProperty: "error" })
  .annotateMerge(
    OpenApi.annotations({
      title: "Token Launch Registry",
      version: "0.1.0",
      description:
        "Launches and trades tokens on Meteora's Dynamic Bonding Curve (DBC) on Solana. The service builds transactions; the wallet signs them, and sends them itself or has the service land them.\n\n" +
        "**To launch a token**: upload an image (`POST /api/ipfs/upload-image`), build the configuration of its curve (`POST /api/launch/dbc-config`), sign and send it, then build the token and its pool (`POST /api/launch/deploy-token`), sign and send it. `POST /api/launch/create` builds all of it at once, and `POST /api/launch/submit` lands what the wallet signed. Once the launch is indexed, the token appears in the registry by itself; `POST /api/tokens` adds description, links and tags.\n\n" +
        "**To trade**: `POST /api/launch/quote` quotes a swap, `POST /api/launch/swap` builds its transaction, `POST /api/transactions` records it, and the service tracks it to its outcome.\n\n" +
        "**To show a market**: lists under `/api/tokens`, reads of pools, candles and trades under `/api/launch/pool`, and `GET /api/stream` for live events.\n\n" +
        "Amounts are strings: in smallest units (lamports for SOL) or in whole tokens, as each field says. Only those of a returned `tokenConfig.dbcConfig` are JSON numbers, with all their digits, which `JSON.parse` rounds beyond 15. Each response has `success`; an error also has a stable `code`, a `message` and a `requestId`. A POST with an `Idempotency-Key` can be retried safely. `POST /api/webhooks/helius` always needs its secret, and `/api/notifications` and what operators do a credential; a deployment may require an API key or the signature of a wallet for all writes, and then answers 401 `unauthenticated` without one.\n\n" +
        "Responses may get more fields, and errors more codes: clients should ignore unknown fields, and go by the status if they do not know the code. Requests are validated strictly: unknown fields and parameters are rejected. What any operation may answer is its `default`, with the headers of every response.",
      license: { name: "MIT", identifier: "MIT" },
    }),
  ) {}
