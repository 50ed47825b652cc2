import type { PgClient } from "@effect/sql-pg/PgClient"
import { type CompleteDbcConfig, completeConfig } from "@launch-registry/chain/launches/ConfigPreset"
import { AlreadyExists } from "@launch-registry/domain/http/AlreadyExists"
import type { DbcConfig } from "@launch-registry/domain/launch/DbcConfig"
import type { TokenConfig } from "@launch-registry/domain/tokens/Token"
import type { TokenDraft } from "@launch-registry/domain/tokens/TokenDraft"
import { ChainContradicted } from "@launch-registry/domain/tokens/TokenErrors"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { UuidV7 } from "@launch-registry/postgres/UuidV7"
import { builtLaunches, type BuiltLaunchRow, builtTexts, TOKEN_TEXTS } from "./BuiltLaunch.ts"
import { listings } from "../markets/Listings.ts"
import { type ChainFactsRow, chainColumns, contradictionsOfDraft, selectChainFacts } from "./ChainFacts.ts"
import { lockRegistration } from "../markets/LaunchLock.ts"
import { selectTokenById } from "./SelectTokenDetails.ts"
import { addTags, setTags, storedTags } from "./SetTags.ts"
import { requireCreator } from "./TokenOwner.ts"
import { fromDbcConfig, fromTokenConfig, NO_CONFIG_COLUMN, TOKEN_CONFIG_COLUMNS } from "./TokenConfigRow.ts"
import { STORED_TOKEN_COLUMNS, type TokenDetailsRow } from "./TokenRow.ts"

interface ExistingRow {
  readonly id: string
  /** Registered from the chain and not completed by a client yet. */
  readonly isIncomplete: boolean
}

interface Inserted extends Readonly<Record<string, unknown>> {
  readonly id: string
  readonly tags: ReadonlyArray<string>
}

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

  /** Inserts a token with its tags and its configuration, in one statement. */
  const insertToken = (token: Inserted, config: TokenConfig | undefined) => {
    const tagged = sql`, tagged as (${addTags(sql, sql.literal("inserted"), token.tags)})`
    const configured = (config: TokenConfig) => sql`
      , c as (insert into token_dbc_configs ${sql.insert(fromTokenConfig(token.id, config, json))} returning *)`
    return sql<TokenDetailsRow>`
      with inserted as (insert into tokens ${sql.insert(token)} returning *)
      ${token.tags.length === 0 ? sql`` : tagged}
      ${config === undefined ? sql`` : configured(config)}
      select ${sql.literal(STORED_TOKEN_COLUMNS)}, ${sql.literal(config === undefined ? NO_CONFIG_COLUMN : TOKEN_CONFIG_COLUMNS)}
      from inserted t ${sql.literal(config === undefined ? "" : "cross join c")}`
  }

  const builtOf = (mintAddress: string) =>
    Effect.map(builtLaunches(sql, [mintAddress]), (built) => built.get(mintAddress))

  const insert = Effect.fnUntraced(function* (draft: TokenDraft, facts: ChainFactsRow | undefined, now: Date) {
    const { tags: sent = [], tokenConfig, ...columns } = draft
    const tags = storedTags(sent)
    const id = ids.next(now.getTime())
    const { config, isMigrated = false, pool, quoteMint } = facts ?? {}
    const known = facts === undefined ? {} : { ...chainColumns(facts), pool, config }
    // What was built for a launched token is filled in here; later corrections add nothing.
    const built = facts === undefined ? undefined : yield* builtOf(facts.baseMint)
    const texts = built === undefined ? {} : builtTexts(built)
    const token = {
      ...{ ...columns, ...texts, ...present(columns), ...known, id, tags },
      ...{ active: !isMigrated, createdAt: now, updatedAt: now },
    }
    if (facts === undefined && tokenConfig === undefined) return yield* insertToken(token, undefined)
    const dbcConfig = overriding(built, tokenConfig?.dbcConfig)
    return yield* insertToken(token, {
      ...{ ...tokenConfig, ...(dbcConfig && { dbcConfig }), ...(quoteMint && { quoteMint }) },
    } as TokenConfig)
  })

  /** Adds the sent fields. Absent ones keep their values; contradictions were rejected before. */
  const complete = Effect.fnUntraced(function* (id: string, draft: TokenDraft, now: Date) {
    const { tags: sent = [], tokenConfig } = draft
    const tags = storedTags(sent)
    const added = present(Object.fromEntries(TOKEN_TEXTS.map((field) => [field, draft[field]])))
    yield* sql`
      update tokens set ${sql.update({ ...added, ...(tags.length > 0 && { tags }), completedAt: now, updatedAt: now })}
      where id = ${id}::uuid`
    if (tags.length > 0) yield* setTags(sql, id, tags)
    if (tokenConfig?.dbcConfig === undefined) return
    const dbcConfig = overriding(yield* builtOf(draft.mintAddress), tokenConfig.dbcConfig)!
    yield* sql`update token_dbc_configs set ${sql.update(fromDbcConfig(dbcConfig, json))} where token_id = ${id}::uuid`
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
