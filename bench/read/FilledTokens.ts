import { SOL, tokenDraft } from "../../packages/service/test/Samples.ts"
import { type BenchDatabase, clientOf } from "../ingest/BenchDatabase.ts"

/** Not one of the samples, which clients register in processes of their own. */
const FIRST_MINT = "9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin"

/** Tokens that are asked for. */
const ASKED = 1_000

/** Registers a token by the API, and copies its rows until there are so many. Returns ids to ask for. */
export const filledTokens = async (
  url: string,
  address: BenchDatabase["address"],
  tokens: number,
): Promise<ReadonlyArray<string>> => {
  const dbcConfig = { buildCurveMode: 1, totalTokenSupply: 1_000_000_000, migrationOption: 1 }
  const draft = tokenDraft({
    ...{ mintAddress: FIRST_MINT, tags: ["meme", "bench"] },
    tokenConfig: { quoteMint: SOL, dbcConfig },
  })
  const made = await fetch(`${url}/api/tokens`, {
    ...{ method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(draft) },
  })
  if (made.status !== 201) throw new Error(await made.text())
  const client = clientOf(address)
  await client.connect()
  await client.query(
    `insert into tokens select (jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid(),
       'mint_address', translate(md5(n::text), '0', 'z') || lpad(translate(n::text, '0', 'z'), 12, 'y'),
       'name', 'Token ' || n, 'created_at', t.created_at - n * interval '1 second'))).*
     from tokens t, generate_series(1, $1::integer) n`,
    [tokens - 1],
  )
  await client.query(
    `insert into token_dbc_configs select (jsonb_populate_record(c, jsonb_build_object('token_id', t.id))).*
     from token_dbc_configs c, tokens t where t.id <> c.token_id`,
  )
  await client.query("vacuum (analyze) tokens")
  await client.query("vacuum (analyze) token_dbc_configs")
  const { rows } = await client.query("select id from tokens order by md5(id::text) limit $1", [ASKED])
  await client.end()
  return rows.map(({ id }) => String(id))
}

/** So many pages of 20 of these tokens, which all differ. */
export const pagesOf = (count: number): ReadonlyArray<string> => {
  const now = Date.now()
  return Array.from(
    { length: count },
    (_, at) => `/api/tokens?limit=20&endDate=${new Date(now - at * 50_000).toISOString()}`,
  )
}
