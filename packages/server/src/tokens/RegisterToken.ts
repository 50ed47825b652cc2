import type { PgClient } from "@effect/sql-pg/PgClient"
import { type CompleteDbcConfig, completeConfig } from "@launch-registry/chain/launch/ConfigPreset"
import type { DbcConfig } from "@launch-registry/domain/launch/DbcConfig"
import type { TokenConfig } from "@launch-registry/domain/tokens/Token"
import type { TokenDraft } from "@launch-registry/domain/tokens/TokenDraft"
import { ChainContradicted, MintAlreadyRegistered } from "@launch-registry/domain/tokens/TokenErrors"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { UuidV7 } from "@launch-registry/postgres/UuidV7"
import { builtLaunches, type BuiltLaunchRow, builtTexts, TOKEN_TEXTS } from "./BuiltLaunch.ts"
import { listings } from "../launch/Listings.ts"
import { type ChainFactsRow, chainColumns, contradictionsOfDraft, selectChainFacts } from "./ChainFacts.ts"
import { lockRegistration } from "./LaunchLock.ts"
import { setTags } from "./SetTags.ts"
import { requireCreator } from "./TokenOwner.ts"
import { fromDbcConfig, fromTokenConfig } from "./TokenConfigRow.ts"

interface ExistingRow {
  readonly id: string
  /** Registered from the chain and not completed by a client yet. */
  readonly isIncomplete: boolean
}

const isPresent = (value: unknown): boolean => value !== undefined && value !== "" && value !== null

const present = (columns: object) => Object.fromEntries(Object.entries(columns).filter(([, value]) => isPresent(value)))

/** The sent configuration, overriding the one that was built, as that overrides the preset of the launchpad. */
const overriding = (built: BuiltLaunchRow | undefined, sent: DbcConfig | undefined): DbcConfig | undefined =>
  built?.dbcConfig ? completeConfig(built.dbcConfig as CompleteDbcConfig, sent) : sent

/**
 * Registers a token, or completes one that was registered from the chain. Runs within a transaction. Returns its id; of
 * two concurrent registrations of a mint one fails with a unique violation.
 */
export const registerToken = (sql: SqlClient, json: PgClient["json"]) => {
  const ids = new UuidV7()
  const listed = listings(sql)

  const insertConfig = (id: string, config: TokenConfig) =>
    sql`insert into token_dbc_configs ${sql.insert(fromTokenConfig(id, config, json))}`

  const builtOf = (mintAddress: string) =>
    Effect.map(builtLaunches(sql, [mintAddress]), (built) => built.get(mintAddress))

  const insert = Effect.fnUntraced(function* (draft: TokenDraft, facts: ChainFactsRow | undefined, now: Date) {
    const { tags = [], tokenConfig, ...columns } = draft
    const id = ids.next(now.getTime())
    const { config, isMigrated = false, pool } = facts ?? {}
    const known = facts === undefined ? {} : { ...chainColumns(facts), pool, config }
    // What was built for a launched token is filled in here; later corrections add nothing.
    const built = facts === undefined ? undefined : yield* builtOf(facts.baseMint)
    const texts = built === undefined ? {} : builtTexts(built)
    yield* sql`
      insert into tokens ${sql.insert({
        ...{ id, ...columns, ...texts, ...present(columns), ...known },
        ...{ active: !isMigrated, createdAt: now, updatedAt: now },
      })}`
    if (tags.length > 0) yield* setTags(sql, id, tags)
    const dbcConfig = overriding(built, tokenConfig?.dbcConfig)
    const quoteMint = facts === undefined ? {} : { quoteMint: facts.quoteMint }
    if (facts !== undefined || tokenConfig !== undefined)
      yield* insertConfig(id, { ...tokenConfig, ...(dbcConfig && { dbcConfig }), ...quoteMint } as TokenConfig)
    return id
  })

  /** Adds the sent fields. Absent ones keep their values; contradictions were rejected before. */
  const complete = Effect.fnUntraced(function* (id: string, draft: TokenDraft, now: Date) {
    const { tags = [], tokenConfig } = draft
    const added = present(Object.fromEntries(TOKEN_TEXTS.map((field) => [field, draft[field]])))
    yield* sql`
      update tokens set ${sql.update({ ...added, completedAt: now, updatedAt: now })} where id = ${id}::uuid`
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
      return yield* new MintAlreadyRegistered({ mintAddress, id: existing.id })
    const [facts] = yield* selectChainFacts(sql, [mintAddress])
    yield* requireCreator(facts)
    const contradictions = facts === undefined ? [] : contradictionsOfDraft(draft, facts)
    if (contradictions.length > 0) return yield* new ChainContradicted({ mintAddress, contradictions })
    if (existing === undefined) {
      const id = yield* insert(draft, facts, now)
      if (facts !== undefined) yield* listed.register([mintAddress], true)
      return id
    }
    yield* complete(existing.id, draft, now)
    return existing.id
  })
}
