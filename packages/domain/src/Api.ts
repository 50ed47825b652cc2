import { HttpApi, OpenApi } from "effect/http-api"
import { BridgeApi } from "./bridge/BridgeApi.ts"
import { RequestGuard } from "./http/RequestGuard.ts"
import { IpfsApi } from "./ipfs/IpfsApi.ts"
import { LaunchApi } from "./launch/LaunchApi.ts"
import { StreamApi } from "./stream/StreamApi.ts"
import { SystemApi } from "./system/SystemApi.ts"
import { TokensApi } from "./tokens/TokensApi.ts"
import { TransactionsApi } from "./transactions/TransactionsApi.ts"

/** The whole contract: every endpoint that the service answers with an envelope. */
export class Api extends HttpApi.make("token-launch-registry")
  .add(SystemApi)
  .add(TokensApi)
  .add(TransactionsApi)
  .add(IpfsApi)
  .add(LaunchApi)
  .add(BridgeApi)
  .add(StreamApi)
  .middleware(RequestGuard)
  .annotate(HttpApi.ParseOptions, { errors: "all" })
  // A field that nobody reads must not look as if it had counted.
  .annotate(HttpApi.PayloadParseOptions, { errors: "all", onExcessProperty: "error" })
  .annotateMerge(
    OpenApi.annotations({
      title: "Token Launch Registry",
      version: "0.1.0",
      description:
        "Launches and trades tokens on Meteora's Dynamic Bonding Curve (DBC) on Solana. The service builds transactions; the wallet signs and sends them.\n\n" +
        "**To launch a token**: upload an image (`POST /api/ipfs/upload-image`), build the configuration of its curve (`POST /api/launch/dbc-config`), sign and send it, then build the token and its pool (`POST /api/launch/deploy-token`), sign and send it. Once it is indexed, the token is in the registry by itself; `POST /api/tokens` adds description, links and tags.\n\n" +
        "**To trade**: `POST /api/launch/quote` says what a swap gives, `POST /api/launch/swap` builds its transaction, `POST /api/transactions` records it, and the service follows it to its end.\n\n" +
        "**To show a market**: lists under `/api/tokens`, reads of pools, candles and trades under `/api/launch/pool`, and `GET /api/stream` for what happens as it happens.\n\n" +
        "Amounts are strings: in smallest units (lamports for SOL) or in whole tokens, as each field says. Only those of an answered `tokenConfig.dbcConfig` are JSON numbers, with all their digits, which `JSON.parse` rounds beyond 15. Each answer has `success`; an error also has a stable `code`, a `message` and a `requestId`. A POST with an `Idempotency-Key` can be sent again safely. Nothing but `POST /api/webhooks/helius` needs a credential.\n\n" +
        "Answers may get more fields, and errors more codes: clients ignore fields that they do not know, and go by the status where they do not know the code. Requests are read strictly: a field or a parameter that no operation declares is refused.",
      license: { name: "MIT", identifier: "MIT" },
    }),
  ) {}
