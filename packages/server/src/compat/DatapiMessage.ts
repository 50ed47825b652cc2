import { InvalidRequest } from "@launch-registry/domain/http/RequestErrors"
import { Address } from "@launch-registry/domain/solana/Address"
import { issuesOf } from "@launch-registry/http/requests/SchemaIssues"
import { parseStrictJson } from "@launch-registry/http/requests/StrictJson"
import { Effect, Schema } from "effect"
import { PartnerConfigs } from "./DatapiApi.ts"

/** Pools, and mints, that a connection follows, at most: its lists show 30 rows each. */
export const FOLLOWED_MAX = 200

const addresses = Schema.Array(Address).check(
  Schema.isMaxLength(FOLLOWED_MAX, { message: `expected at most ${FOLLOWED_MAX} addresses` }),
)

/** What the template sends; it names no other ones. */
const Message = Schema.Union([
  Schema.Struct({
    type: Schema.Literal("subscribe:recent"),
    filters: Schema.optionalKey(Schema.Struct({ partnerConfigs: Schema.optionalKey(PartnerConfigs) })),
  }),
  Schema.Struct({ type: Schema.Literal("unsubscribe:recent") }),
  Schema.Struct({ type: Schema.Literals(["subscribe:pool", "unsubscribe:pool"]), pools: addresses }),
  Schema.Struct({ type: Schema.Literals(["subscribe:txns", "unsubscribe:txns"]), assets: addresses }),
])
export type DatapiMessage = typeof Message.Type

const decode = Schema.decodeUnknownEffect(Message, { errors: "all", onExcessProperty: "error" })

const TYPES: ReadonlyArray<unknown> = ["recent", "pool", "txns"].flatMap((of) => [
  `subscribe:${of}`,
  `unsubscribe:${of}`,
])

/** A message as it was sent; fails with what is wrong with it. */
export const readMessage = Effect.fnUntraced(function* (text: string): Effect.fn.Return<DatapiMessage, InvalidRequest> {
  const { faults, value } = parseStrictJson(text, new Set())
  if (faults !== undefined) return yield* new InvalidRequest({ issues: faults })
  if (!TYPES.includes((value as { readonly type?: unknown } | null)?.type))
    return yield* InvalidRequest.at("body.type", `expected one of ${TYPES.join(", ")}`)
  return yield* Effect.mapError(decode(value), ({ issue }) => new InvalidRequest({ issues: issuesOf("body", issue) }))
})
