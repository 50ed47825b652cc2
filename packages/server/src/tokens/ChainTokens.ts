import type { ChainChange } from "@launch-registry/domain/stream/ChainChange"
import { plain } from "@launch-registry/domain/text/PlainText"
import { isWebUri } from "@launch-registry/domain/text/WebUri"
import { Clock, Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { UuidV7 } from "../ids/UuidV7.ts"

const NAME_LENGTH_MAX = 128
const SYMBOL_LENGTH_MAX = 32

/** A token that was launched with a launchpad's configuration and is not registered. */
interface Launched {
  readonly baseMint: string
  readonly quoteMint: string
  readonly creator: string
  readonly name: string
  readonly symbol: string
  readonly uri: string
  readonly launchpad: string
  readonly decimals: number
  /** In whole tokens. */
  readonly totalSupply: string
  readonly createdAt: Date
  /** On its curve, or beyond it. */
  readonly active: boolean
}

/**
 * What the chain tells the registry about tokens: those that were launched with a launchpad's configuration appear by
 * themselves, and a token whose curve has migrated is no longer active. Writes `tokens` and what belongs to it.
 */
export const chainTokens = (sql: SqlClient) => {
  const ids = new UuidV7()

  /** A token that somebody deleted is not registered again. */
  const launched = (mints: ReadonlyArray<string> | undefined) => sql<Launched>`
    select p.base_mint, p.quote_mint, p.creator, p.name, p.symbol, p.uri, l.launchpad, p.decimals,
      trim_scale(p.supply / power(10::numeric, p.decimals)) as total_supply, p.created_at,
      p.migrated_slot is null as active
    from dbc_pools p join launch_configs l on l.config_address = p.config
    where p.decimals between 0 and 18 and p.supply >= 0
      and not exists (select from tokens t where t.mint_address = p.base_mint)
      ${mints === undefined ? sql`` : sql`and p.base_mint = any(${mints}::text[])`}`

  const insert = Effect.fnUntraced(function* (token: Launched, now: number) {
    const symbol = plain(token.symbol, SYMBOL_LENGTH_MAX) || token.baseMint.slice(0, 6)
    const id = ids.next(now)
    const rows = yield* sql`
      insert into tokens ${sql.insert({
        id,
        mintAddress: token.baseMint,
        name: plain(token.name, NAME_LENGTH_MAX) || symbol,
        symbol,
        totalSupply: token.totalSupply,
        decimals: token.decimals,
        owner: token.creator,
        launchpad: token.launchpad,
        tokenUri: isWebUri(token.uri) ? token.uri : "",
        active: token.active,
        registeredBy: "chain",
        createdAt: token.createdAt,
        updatedAt: token.createdAt,
      })} on conflict (mint_address) where deleted_at is null do nothing returning id`
    if (rows.length > 0)
      yield* sql`insert into token_dbc_configs ${sql.insert({ tokenId: id, quoteMint: token.quoteMint, hasDbcConfig: false })}`
  })

  /** Those of these mints, or all of them. */
  const register = Effect.fnUntraced(function* (mints?: ReadonlyArray<string>) {
    const found = yield* launched(mints)
    for (const token of found) yield* insert(token, yield* Clock.currentTimeMillis)
  })

  const setActive = (mints: ReadonlyArray<string>, active: boolean, now: Date) =>
    Effect.andThen(
      sql`
        update tokens set active = ${active}, updated_at = ${now}
        where mint_address = any(${mints}::text[]) and active <> ${active} and deleted_at is null`,
      sql`
        update token_tags tt set active = ${active} from tokens t
        where t.id = tt.token_id and t.mint_address = any(${mints}::text[])`,
    )

  /** Tokens of pools that have migrated, or of all pools. */
  const deactivate = Effect.fnUntraced(function* (pools: ReadonlyArray<string> | undefined, now: Date) {
    const rows = yield* sql<{ readonly baseMint: string }>`
      select p.base_mint from dbc_pools p join tokens t on t.mint_address = p.base_mint and t.active and t.deleted_at is null
      where p.migrated_slot is not null ${pools === undefined ? sql`` : sql`and p.pool = any(${pools}::text[])`}`
    if (rows.length > 0)
      yield* setActive(
        rows.map(({ baseMint }) => baseMint),
        false,
        now,
      )
  })

  /** A launch that was taken back takes along the token that nobody but the chain had registered. */
  const unregister = Effect.fnUntraced(function* (mints: ReadonlyArray<string> | undefined) {
    const rows = yield* sql<{ readonly id: string }>`
      select t.id from tokens t
      where t.registered_by = 'chain' and not exists (select from dbc_pools p where p.base_mint = t.mint_address)
        ${mints === undefined ? sql`` : sql`and t.mint_address = any(${mints}::text[])`}`
    const gone = rows.map(({ id }) => id)
    if (gone.length === 0) return
    yield* sql`delete from token_dbc_configs where token_id = any(${gone}::uuid[])`
    yield* sql`delete from token_tags where token_id = any(${gone}::uuid[])`
    yield* sql`delete from tokens where id = any(${gone}::uuid[])`
  })

  /** Pools whose migration was taken back are on their curve again. */
  const reactivate = Effect.fnUntraced(function* (pools: ReadonlyArray<string>, now: Date) {
    const rows = yield* sql<{ readonly baseMint: string }>`
      select base_mint from dbc_pools where pool = any(${pools}::text[]) and migrated_slot is null`
    if (rows.length > 0)
      yield* setActive(
        rows.map(({ baseMint }) => baseMint),
        true,
        now,
      )
  })

  const follow = Effect.fnUntraced(function* (changes: ReadonlyArray<ChainChange>) {
    const now = new Date(yield* Clock.currentTimeMillis)
    const mints = changes.flatMap((change) => (change.type === "token" ? [change.baseMint] : []))
    if (mints.length > 0) yield* register(mints)
    const migrated = changes.flatMap((change) =>
      change.type === "graduation" && change.stage === "migrated" ? [change.pool] : [],
    )
    if (migrated.length > 0) yield* deactivate(migrated, now)
    const reverted = changes.filter((change) => change.type === "revert")
    const launches = reverted.flatMap(({ baseMints }) => baseMints)
    if (launches.length > 0) yield* unregister(launches)
    const migrations = reverted.flatMap(({ pools }) => pools)
    if (migrations.length > 0) yield* reactivate(migrations, now)
  })

  /** From the tables, when it is not known what has changed in them. */
  const followAll = Effect.gen(function* () {
    yield* register()
    yield* unregister(undefined)
    yield* deactivate(undefined, new Date(yield* Clock.currentTimeMillis))
  })

  return { follow, followAll }
}
