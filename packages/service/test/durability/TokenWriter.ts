import { Effect } from "effect"
import { SOL } from "../Samples.ts"
import { addressOf, keyOf, wordOf } from "./RandomValues.ts"
import { type Desk, difference, Kept, requireSent, type Writer } from "./Writer.ts"

const CHANGES_MAX = 6

/** Registers a token with tags and its configuration; returns the acknowledgement. */
export const registerToken = async ({ client, ledger, random }: Desk) => {
  const sent = {
    name: `Token ${wordOf(random)}`,
    symbol: wordOf(random).slice(0, 6).toUpperCase(),
    description: wordOf(random),
    totalSupply: String(random.u64()),
    mintAddress: addressOf(random),
    owner: addressOf(random),
    launchpad: random.pick(["launchpad_a", "launchpad_b"]),
    tags: Array.from({ length: random.between(1, 3) }, () => wordOf(random)),
    tokenConfig: {
      quoteMint: SOL,
      dbcConfig: { buildCurveMode: random.below(4), leftover: random.below(100_000), feeClaimer: addressOf(random) },
    },
  }
  const website = `https://example.com/${wordOf(random)}`
  const registered = await client.write("token", {
    path: "/api/tokens",
    json: { ...sent, website, decimals: 6 },
    key: keyOf(random),
    onRepeat: ({ body }) => {
      if (body?.code !== "already_exists") return undefined
      ledger.doubled.add(`token ${sent.mintAddress}: a repeated request was taken for another one`)
      return client.read(`/api/tokens/mint/${sent.mintAddress}`)
    },
  })
  const token = registered.body.data
  requireSent({ ...sent, website }, { ...token, website: token?.metadata.website })
  return token
}

/** Registers tokens, each with its tags and its configuration; changes most of them a few times, and deletes some. */
export const tokenWriter = (desk: Desk): Writer => {
  const { client, ledger, random } = desk
  const kept = new Kept(desk)

  const write = async () => {
    let token = await registerToken(desk)
    const path = `/api/tokens/${token.id}`
    let isDeleted = false
    kept.add(async () => {
      const { body, status } = await client.read(random.chance(0.5) ? path : `/api/tokens/mint/${token.mintAddress}`)
      if (isDeleted) return status === 404 ? undefined : `token ${token.mintAddress} was deleted and is back`
      return difference(`token ${token.mintAddress}`, token, body?.data)
    })
    for (let change = random.between(0, CHANGES_MAX); change > 0; change--) {
      const sent = {
        description: wordOf(random),
        ...(random.chance(0.5) && { tags: [wordOf(random), wordOf(random)] }),
        ...(random.chance(0.3) && { active: random.chance(0.5) }),
      }
      token = (await client.write("token change", { method: "PATCH", path, json: sent })).body.data
      requireSent(sent, token)
    }
    if (!random.chance(0.3)) return
    await client.write("token deletion", {
      ...{ method: "DELETE", path },
      // The previous attempt deleted it, and its answer was lost.
      onRepeat: (answer) => (answer.body?.code === "not_found" ? Promise.resolve(answer) : undefined),
    })
    isDeleted = true
  }

  const audit = Effect.fnUntraced(function* (sql) {
    const twice = yield* sql<{ readonly mintAddress: string }>`
      select mint_address from tokens where deleted_at is null group by mint_address having count(*) > 1`
    for (const { mintAddress } of twice) ledger.doubled.add(`token ${mintAddress}`)
    // Also for unacknowledged ones: a token has its configuration and its tags, or does not exist.
    const halves = yield* sql<{ readonly mintAddress: string }>`
      select t.mint_address from tokens t
      where t.registered_by = 'client' and t.deleted_at is null
        and (t.dbc_config is null or (select count(*) from token_tags g where g.token_id = t.id) <> cardinality(t.tags))`
    for (const { mintAddress } of halves) ledger.lost.add(`a half of token ${mintAddress}`)
  }) satisfies Writer["audit"]

  return { write, kept, audit }
}
