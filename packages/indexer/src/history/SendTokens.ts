import type { ClickHouse } from "@launch-registry/clickhouse/ClickHouse"
import { TOKEN_COLUMNS } from "@launch-registry/clickhouse/HistoryTables"
import { Array as Arr, Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { LeaseLost } from "../leader/Lease.ts"
import { tokenRow, type TokenRow } from "./HistoryRow.ts"
import { type HistoryProgress, historyStatements } from "./HistoryStatements.ts"

/** Tokens per request: their mints are in its URL, of which ClickHouse takes 128 KiB, and a proxy less. */
const TOKENS_BATCH = 500
/** Tokens that a round looks at in turn. */
const WALKED = 5_000

/** A row of `tokens` as ClickHouse answers it. */
interface SentToken {
  readonly base_mint: string
  readonly pool: string
  readonly config: string
  readonly creator: string
  readonly quote_mint: string
  readonly launchpad: string
}

const SENT = `select base_mint, pool, config, creator, quote_mint, launchpad from tokens final where base_mint in {mints:Array(String)}`

/**
 * Sends what trades are added up by: pool, configuration, creator and launchpad of a token. `held` opens a transaction that holds the lease.
 */
export const tokenSender = (
  sql: SqlClient,
  clickhouse: ClickHouse,
  held: <A, E2>(work: Effect.Effect<A, E2>) => Effect.Effect<A, E2 | LeaseLost | SqlError>,
) => {
  const statements = historyStatements(sql)

  /** Those of them that history does not know, or not so. */
  const sendSome = Effect.fnUntraced(function* (mints: ReadonlyArray<string>) {
    const tokens = yield* statements.tokensOf(mints)
    if (tokens.length === 0) return
    const parameters = { mints: tokens.map(({ baseMint }) => baseMint) }
    const sent = yield* clickhouse.select<SentToken>(SENT, parameters, { rowsMax: TOKENS_BATCH })
    const known = new Map(sent.map((token) => [token.base_mint, token]))
    const news = tokens.filter((token) => !isSame(token, known.get(token.baseMint)))
    if (news.length === 0) return
    const version = yield* held(statements.claim(0n))
    yield* clickhouse.insert(
      "tokens",
      TOKEN_COLUMNS,
      news.map((token) => tokenRow(token, version)),
    )
  })

  const send = (mints: ReadonlyArray<string>) =>
    Effect.forEach(Arr.chunksOf(mints, TOKENS_BATCH), sendSome, { discard: true })

  return {
    /** Of pools that were created between two ordinals. */
    created: (from: bigint, beyond: bigint) => Effect.flatMap(statements.createdBetween(from, beyond), send),

    /** Of new registrations, and the next ones of all: a launchpad may be corrected, and a registration deleted. */
    next: Effect.fnUntraced(function* ({ registeredTo, resendVersion, walkedTo }: HistoryProgress) {
      const registered = yield* statements.registeredAfter(registeredTo, WALKED)
      const walked = yield* statements.poolsAfter(walkedTo, WALKED)
      yield* send([...new Set([...registered, ...walked].map(({ baseMint }) => baseMint))])
      const reached = {
        resendVersion,
        registeredTo: registered.at(-1)?.createdAt ?? registeredTo,
        walkedTo: walked.length < WALKED ? "" : walked.at(-1)!.pool,
      }
      yield* held(statements.toldOf(reached))
    }),
  }
}

const isSame = (token: TokenRow, sent: SentToken | undefined): boolean =>
  sent !== undefined &&
  sent.pool === token.pool &&
  sent.config === token.config &&
  sent.creator === token.creator &&
  sent.quote_mint === token.quoteMint &&
  sent.launchpad === token.launchpad
