import { Effect } from "effect"
import { registerToken } from "./RegisterToken.ts"
import { type Desk, difference, Kept, type Writer } from "./Writer.ts"

/** Registers tokens, each with its tags and its configuration. */
export const tokenWriter = (desk: Desk): Writer => {
  const { client, ledger } = desk
  const kept = new Kept(desk)

  const write = async () => {
    const token = await registerToken(desk)
    kept.add(async () => {
      const path = desk.random.chance(0.5) ? `/api/tokens/${token.id}` : `/api/tokens/mint/${token.mintAddress}`
      return difference(`token ${token.mintAddress}`, token, (await client.read(path)).body?.data)
    })
  }

  const audit = Effect.fnUntraced(function* (sql) {
    const twice = yield* sql<{ readonly mintAddress: string }>`
      select mint_address from tokens where deleted_at is null group by mint_address having count(*) > 1`
    for (const { mintAddress } of twice) ledger.doubled.add(`token ${mintAddress}`)
    // Also for unacknowledged ones: a token has its configuration and its tags, or does not exist.
    const halves = yield* sql<{ readonly mintAddress: string }>`
      select t.mint_address from tokens t left join token_dbc_configs c on c.token_id = t.id
      where t.registered_by = 'client' and t.deleted_at is null
        and (c.token_id is null or (select count(*) from token_tags g where g.token_id = t.id) <> cardinality(t.tags))`
    for (const { mintAddress } of halves) ledger.lost.add(`a half of token ${mintAddress}`)
  }) satisfies Writer["audit"]

  return { write, kept, audit }
}
