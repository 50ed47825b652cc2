import { createHash } from "node:crypto"
import type pg from "pg"

/** Built once all rows are there: insertion into them is slow. */
const BUILT_LATER = ["tokens_letters", "tokens_text", "tokens_words"]
const BATCH = 10_000

/** A thousand tokens have it, however many there are; one in three has the other. */
export const RARE_TAG = "rare"
export const COMMON_TAG = "meme"

const SYLLABLES =
  "ba be bo da do du fa fi go ka ke ki la lo lu ma me mo na ne no pa pe pi ra ri ro sa so ta te to zu".split(" ")

/** Made-up words of two or three syllables; frequent ones come first. */
export const WORDS = SYLLABLES.flatMap((_, i) =>
  SYLLABLES.flatMap((_, j) => {
    const two = `${SYLLABLES[(i * 5 + j * 11) % SYLLABLES.length]}${SYLLABLES[(i * 3 + j * 7 + 1) % SYLLABLES.length]}`
    return [two, `${two}${SYLLABLES[(i * 7 + j * 2) % SYLLABLES.length]}`]
  }),
)

/** An address: 44 letters of base58 that begin with A to H are 32 bytes. */
const addressOf = (kind: "A" | "C", n: number): string =>
  kind + createHash("sha256").update(`${kind}${n}`).digest("hex").replaceAll("0", "z").slice(0, 43)

/** An owner of a hundred tokens. */
export const ownerOf = (n: number): string => addressOf("A", n)
export const mintOf = (n: number): string => addressOf("C", n)
/** SQL of a mint that nobody registered, for each registered one. */
export const unregistered = (mint: string): string => `'D' || substr(${mint}, 2)`

/** Numbers below 1, the same in each run. */
const randomOf = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
  return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
}

/**
 * Fills an empty registry: symbols of a word or two, names of two words, descriptions of twenty, one token a second up to now.
 * How often a word occurs follows a power law, so that the first are in one token of five and the last in one of thousands.
 */
export const fillTokens = async (client: pg.Client, count: number): Promise<void> => {
  const { rows: indexes } = await client.query(
    "select indexname as name, indexdef as definition from pg_indexes where indexname = any($1)",
    [BUILT_LATER],
  )
  for (const { name } of indexes) await client.query(`drop index ${name}`)
  const random = randomOf(42)
  const word = () => WORDS[Math.floor(WORDS.length * random() ** 3)]!
  const owners = Math.ceil(count / 100)
  const rareEvery = Math.max(1, Math.floor(count / 1_000))
  const newest = Date.now()
  for (let start = 0; start < count; start += BATCH) {
    const columns: Array<Array<unknown>> = Array.from({ length: 8 }, () => [])
    for (let n = start; n < Math.min(count, start + BATCH); n++) {
      const symbol = (random() < 0.5 ? word() : word() + word()).slice(0, 8).toUpperCase()
      const name = `${word()} ${word()}`
      const tags = [...(n % 3 === 0 ? [COMMON_TAG] : []), ...(n % rareEvery === 0 ? [RARE_TAG] : [])]
      const fields = [
        ...[mintOf(n), name, symbol, Array.from({ length: 20 }, word).join(" "), ownerOf(n % owners)],
        ...[n % 4 === 0 ? "launchpad_b" : "launchpad_a", `{${tags.join()}}`, new Date(newest - (count - n) * 1_000)],
      ]
      fields.forEach((field, at) => columns[at]!.push(field))
    }
    // As the indexer numbers launches, of which as many were not registered.
    await client.query(
      `insert into mint_numbers (base_mint)
       select m from unnest($1::text[]) with ordinality t (mint, nth), unnest(array[mint, ${unregistered("mint")}]) m
       order by nth`,
      [columns[0]],
    )
    await client.query(
      `insert into tokens (id, mint_address, name, symbol, description, total_supply, decimals, owner, launchpad, tags,
         created_at, updated_at)
       select gen_random_uuid(), mint, name, symbol, description, 1000000000, 6, owner, launchpad, tags::text[], at, at
       from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::timestamptz(3)[])
         as t (mint, name, symbol, description, owner, launchpad, tags, at)`,
      columns,
    )
  }
  await client.query(
    `insert into token_tags (tag, token_id, launchpad, active, created_at, mint_address, mint_number)
     select tag, id, launchpad, active, created_at, mint_address, mint_number from tokens, unnest(tags) tag`,
  )
  await client.query("set maintenance_work_mem = '1GB'")
  for (const { definition } of indexes) await client.query(definition)
  await client.query("vacuum (analyze) tokens")
  await client.query("vacuum (analyze) token_tags")
}
