import type { PgClient } from "@effect/sql-pg/PgClient"
import { type CompleteDbcConfig, completeConfig } from "@launch-registry/chain/launches/ConfigPreset"
import { AlreadyExists } from "@launch-registry/domain/http/AlreadyExists"
import type { DbcConfig } from "@launch-registry/domain/pools/DbcConfig"
import type { TokenDraft } from "@launch-registry/domain/tokens/TokenDraft"
import { ChainContradicted } from "@launch-registry/domain/tokens/TokenErrors"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { UuidV7 } from "@launch-registry/postgres/UuidV7"
import { builtLaunches, type BuiltLaunchRow, builtTexts, TOKEN_TEXTS } from "./BuiltLaunch.ts"
import { listings } from "../markets/Listings.ts"
import { type ChainFactsRow, chainColumns, contradictionsOfDraft, selectChainFacts } from "../facts/ChainFacts.ts"
import { lockRegistration } from "../markets/LaunchLock.ts"
import { requireCreator } from "./TokenOwner.ts"
import { selectTokenById, TOKEN_DETAILS_COLUMNS, type TokenDetailsRow } from "./TokenRow.ts"

interface ExistingRow {
  readonly id: string
  /** Registered from the chain and not completed by a client yet. */
  readonly isIncomplete: boolean
}

/** Tags as `tokens.tags` has them: each once. */
export const storedTags = (given: ReadonlyArray<string>): ReadonlyArray<string> => [...new Set(given)]

const isPresent = (value: unknown): boolean => value !== undefined && value !== "" && value !== null

const present = (columns: object) => Object.fromEntries(Object.entries(columns).filter(([, value]) => isPresent(value)))

/** The sent configuration, overriding the one that was built, as that overrides the preset of the launchpad. */
const overriding = (built: BuiltLaunchRow | undefined, sent: DbcConfig | undefined): DbcConfig | undefined =>
  built?.dbcConfig ? completeConfig(built.dbcConfig as CompleteDbcConfig, sent) : sent

/**
 * Registers a token, or completes one that was registered from the chain. Runs within a transaction. Returns its row,
 * and whether the indexer knows its launch. Of two concurrent registrations of a mint one fails with a unique violation.
 */
export const registerToken = (sql: SqlClient, json: PgClient["json"]) => {
  const ids = new UuidV7()
  const listed = listings(sql)

  const builtOf = (mintAddress: string) =>
    Effect.map(builtLaunches(sql, [mintAddress]), (built) => built.get(mintAddress))

  const insert = Effect.fnUntraced(function* (draft: TokenDraft, facts: ChainFactsRow | undefined, now: Date) {
    const { tags = [], tokenConfig, ...columns } = draft
    const { config, isMigrated = false, pool } = facts ?? {}
    const known = facts === undefined ? {} : { ...chainColumns(facts), pool, config }
    // What was built for a launched token is filled in here; later corrections add nothing.
    const built = facts === undefined ? undefined : yield* builtOf(facts.baseMint)
    const texts = built === undefined ? {} : builtTexts(built)
    const dbcConfig = overriding(built, tokenConfig?.dbcConfig)
    return yield* sql<TokenDetailsRow>`
      insert into tokens as t ${sql.insert({
        ...{ ...columns, ...texts, ...present(columns), ...known, id: ids.next(now.getTime()), tags: storedTags(tags) },
        ...{ quoteMint: facts?.quoteMint ?? tokenConfig?.quoteMint ?? null, dbcConfig: dbcConfig && json(dbcConfig) },
        ...{ active: !isMigrated, createdAt: now, updatedAt: now },
      })} returning ${sql.literal(TOKEN_DETAILS_COLUMNS)}`
  })

  /** Adds the sent fields. Absent ones keep their values; contradictions were rejected before. */
  const complete = Effect.fnUntraced(function* (id: string, draft: TokenDraft, now: Date) {
    const { tags = [], tokenConfig } = draft
    const added = {
      ...present(Object.fromEntries(TOKEN_TEXTS.map((field) => [field, draft[field]]))),
      ...(tags.length > 0 && { tags: storedTags(tags) }),
      ...(tokenConfig?.dbcConfig && {
        dbcConfig: json(overriding(yield* builtOf(draft.mintAddress), tokenConfig.dbcConfig)),
      }),
    }
    yield* sql`
      update tokens set ${sql.update({ ...added, completedAt: now, updatedAt: now })} where id = ${id}::uuid`
  })

  return Effect.fnUntraced(function* (draft: TokenDraft, now: Date) {
    const { mintAddress } = draft
    yield* lockRegistration(sql)
    const [existing] = yield* sql<ExistingRow>`
      select id, registered_by = 'chain' and completed_at is null as is_incomplete from tokens
      where mint_address = ${mintAddress} and deleted_at is null for update`
    if (existing !== undefined && !existing.isIncomplete)
      return yield* new AlreadyExists({ resource: "token", id: existing.id })
    const [facts] = yield* selectChainFacts(sql, [mintAddress])
    yield* requireCreator(facts)
    const contradictions = facts === undefined ? [] : contradictionsOfDraft(draft, facts)
    if (contradictions.length > 0)
      return yield* new ChainContradicted({ resource: "token", id: mintAddress, contradictions })
    if (existing === undefined) {
      const [row] = yield* insert(draft, facts, now)
      if (facts !== undefined) yield* listed.register([mintAddress], true)
      return { row: row!, isLaunched: facts !== undefined }
    }
    yield* complete(existing.id, draft, now)
    const [row] = yield* selectTokenById(sql, existing.id)
    return { row: row!, isLaunched: facts !== undefined }
  })
}
