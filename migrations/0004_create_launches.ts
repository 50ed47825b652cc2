import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** What the launch endpoints remember: built configurations (never their keys) and the whitelist. The server writes these tables. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // deploy-token can follow dbc-config before the configuration has landed, so what was built must be known here.
  yield* sql`
    create table launch_configs (
      config_address text collate "C" primary key,
      signer text collate "C" not null,
      launchpad text not null check (launchpad in ('launchpad_a', 'launchpad_b')),
      quote_mint text collate "C" not null,
      token_type smallint not null check (token_type in (0, 1)),
      token_decimals smallint not null,
      created_at timestamptz(3) not null
    )`

  // A row is an explicit decision; a mint without one was never decided on.
  yield* sql`
    create table token_whitelist (
      mint_address text collate "C" primary key,
      whitelisted boolean not null,
      updated_at timestamptz(3) not null
    )`
})
