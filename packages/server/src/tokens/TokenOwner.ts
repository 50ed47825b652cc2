import { onlyWallet, requireWallet } from "@launch-registry/domain/access/Caller"
import { Forbidden } from "@launch-registry/domain/http/AccessErrors"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { type ChainFactsRow, selectChainFacts } from "../facts/ChainFacts.ts"

/** Fails unless the caller may act for the owner of a token: its creator on chain, else the registered owner. */
export const requireOwner = (sql: SqlClient, token: { readonly mintAddress: string; readonly owner: string }) =>
  Effect.gen(function* () {
    if ((yield* onlyWallet) === undefined) return
    const [facts] = yield* selectChainFacts(sql, [token.mintAddress])
    yield* requireWallet(facts?.creator ?? token.owner, "the owner of the token")
  })

/**
 * Fails unless the caller may register a mint. A wallet may register what it has launched: of any other mint nobody
 * knows whose it is.
 */
export const requireCreator = (facts: ChainFactsRow | undefined) =>
  Effect.gen(function* () {
    if ((yield* onlyWallet) === undefined) return
    if (facts === undefined)
      return yield* new Forbidden({ reason: "a wallet may register a mint once its launch is indexed" })
    yield* requireWallet(facts.creator, "the creator of the token")
  })
