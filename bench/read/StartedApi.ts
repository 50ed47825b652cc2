import { freePort } from "../../packages/service/test/RunningService.ts"
import { SOL, tokenDraft } from "../../packages/service/test/Samples.ts"
import { type BenchAddress, clientOf } from "../BenchDatabase.ts"
import { ServiceProcess } from "../ServiceProcess.ts"

/** What is started, from there, and further settings. */
export interface ApiOptions {
  readonly checkout: string
  readonly main?: string
  readonly environment?: Readonly<Record<string, string>>
}

/** The api role as it is deployed: each request is a line of its log, in JSON, to a pipe that is read here. */
export const startApi = async (
  { database, socketDirectory, username }: BenchAddress,
  { environment, ...started }: ApiOptions,
): Promise<ServiceProcess> =>
  ServiceProcess.start({
    ...{ ...started, port: await freePort(), dataFolder: "" },
    environment: {
      DATABASE_URL: `postgres://${username}@localhost/${database}?host=${socketDirectory}`,
      ...{ RUN_MODE: "production", HOST: "127.0.0.1", PUBLIC_URL: "https://api.example", ROLE: "api" },
      ...{ NETWORK: "localnet", RPC_URL: "http://127.0.0.1:9", RPC_GENESIS_HASH: "any" },
      LOG_LEVEL: "info",
      ...environment,
    },
  })

/** Not one of the samples. */
const FIRST_MINT = "9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin"
const IDS = 1_000

/** Registers a token by the API, and copies its rows until there are so many. Returns ids to ask for. */
export const fillTokens = async (
  url: string,
  address: BenchAddress,
  tokens: number,
): Promise<ReadonlyArray<string>> => {
  const dbcConfig = { buildCurveMode: 1, totalTokenSupply: 1_000_000_000, migrationOption: 1 }
  const draft = tokenDraft({
    ...{ mintAddress: FIRST_MINT, tags: ["meme", "bench"] },
    tokenConfig: { quoteMint: SOL, dbcConfig },
  })
  const headers = { "content-type": "application/json" }
  const made = await fetch(`${url}/api/tokens`, { method: "POST", headers, body: JSON.stringify(draft) })
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
  await client.query("vacuum (analyze) tokens")
  const { rows } = await client.query("select id from tokens order by md5(id::text) limit $1", [IDS])
  await client.end()
  return rows.map(({ id }) => String(id))
}
