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
        "Registers tokens launched through Meteora's Dynamic Bonding Curve on Solana, records trades, uploads to IPFS and builds unsigned launch and swap transactions.\n\nAnswers may get more fields, and errors more codes: clients ignore fields that they do not know, and go by the status where they do not know the code. Requests are read strictly: a field or a parameter that nobody reads is refused.",
      license: { name: "MIT" },
    }),
  ) {}
