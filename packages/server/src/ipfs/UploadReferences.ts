import { UploadReferences } from "@launch-registry/domain/ipfs/UploadReferences"
import { sharedClock } from "@launch-registry/postgres/SharedClock"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { requireLaunches } from "../system/CertainLaunches.ts"

/** The words of a text, as the indexes of words have them: equal expressions, or the index is not used. */
const words = (text: string): string => `regexp_split_to_array(${text}, '(%[0-9A-Fa-f]{2}|[^A-Za-z0-9_-])+')`

const LINKS = ["token_uri", "banner_uri", "website", "twitter", "telegram"].map((column) => `left(${column}, 2048)`)
const TOKEN_WORDS = words([...LINKS, "coalesce(left(claimed ->> 'tokenUri', 2048), '')"].join(" || ' ' || "))
const POOL_WORDS = words("left(uri, 2048)")
const CONFIG_WORDS = words("(metadata - 'description')::text")
const METADATA_WORDS = words("left(uri, 2048) || ' ' || (metadata - 'description')::text")

/**
 * Uploads that are named by tokens (deleted ones too: what is deleted there can be restored), by launches on chain, and by
 * launches that were built here lately and may be signed yet. Known only while the index has every launch.
 */
export const uploadReferences = Layer.effect(
  UploadReferences,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const moment = yield* sharedClock
    const requireCertain = yield* requireLaunches

    const named = Effect.fn("UploadReferences.named")(function* (sought: ReadonlyArray<string>, days: number) {
      const { now } = yield* moment
      const isRecent = sql`created_at >= ${now} - interval '1 day' * ${days}::integer`
      const has = (indexed: string) => sql`${sql.literal(indexed)} @> array[word]`
      // Word by word, because an index takes quadratic time for many at once. Without it the words of each row would be made for each.
      yield* sql`select set_config('enable_seqscan', 'off', true)`
      const rows = yield* sql<{ readonly word: string }>`
        select word from unnest(${sought}::text[]) as sought(word)
        where exists (select from tokens where ${has(TOKEN_WORDS)})
          or exists (select from dbc_pools where ${has(POOL_WORDS)})
          or exists (
            select from launch_configs c where ${has(CONFIG_WORDS)}
              and (${isRecent} or exists (select from dbc_pools p where p.config = c.config_address)))
          or exists (
            select from launch_deployments m where ${has(METADATA_WORDS)}
              and (${isRecent} or exists (select from dbc_pools p where p.base_mint = m.base_mint)))`
      yield* requireCertain
      return new Set(rows.map(({ word }) => word))
    })

    return UploadReferences.of({ named })
  }),
)
