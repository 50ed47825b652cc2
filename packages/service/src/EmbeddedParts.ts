import { hasLocalChain } from "@launch-registry/chain/localnet/LocalChain"
import { hasEmbeddedPostgres } from "@launch-registry/postgres/embedded/PostgresBinaries"
import { Effect, Option, Schema } from "effect"
import type { Settings } from "./Settings.ts"

/** Local mode in a production install, such as the container image. */
export class EmbeddedPartsMissing extends Schema.TaggedError<EmbeddedPartsMissing>()("EmbeddedPartsMissing", {
  settings: Schema.Array(Schema.String),
}) {
  override get message(): string {
    return (
      `RUN_MODE=local: a production install, such as the container image, has no embedded parts; ` +
      `set ${this.settings.join(" and ")}, or RUN_MODE=production`
    )
  }
}

/** Fails where a part has to be embedded that is not installed. */
export const embeddedPartsInstalled = ({ databaseUrl, rpcUrls }: Settings) =>
  Effect.suspend(() => {
    const settings = [
      ...(Option.isNone(databaseUrl) && !hasEmbeddedPostgres() ? ["DATABASE_URL"] : []),
      ...(rpcUrls.length === 0 && !hasLocalChain() ? ["RPC_URL"] : []),
    ]
    return settings.length === 0 ? Effect.void : Effect.fail(new EmbeddedPartsMissing({ settings }))
  })
