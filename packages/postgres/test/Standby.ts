import { execFileSync } from "node:child_process"
import { chownSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { type EmbeddedServer, embeddedPostgres } from "../src/embedded/EmbeddedPostgres.ts"

/** Copies the files of a running server to `folder`, as `pg_basebackup` does, so that what is started there follows it. */
const copied = Effect.fnUntraced(function* ({ address, folder: origin }: EmbeddedServer, folder: string) {
  const sql = yield* SqlClient
  const from = join(origin, "postgres", "data")
  const to = join(folder, "postgres", "data")
  // A backup begins and ends in one session.
  const session = yield* sql.reserve
  const ask = (statement: string) => session.execute(statement, [], undefined)
  yield* ask("select pg_backup_start('standby', true)")
  mkdirSync(join(folder, "postgres"), { recursive: true })
  // Files of a running server come and go: what they should be is in the log that is replayed.
  execFileSync("sh", ["-c", 'cp -a "$0" "$1" 2>/dev/null; test -f "$1/PG_VERSION"', from, to])
  const [stopped] = yield* ask("select labelfile from pg_backup_stop(false)")
  for (const name of ["postmaster.pid", "postmaster.opts"]) rmSync(join(to, name), { force: true })
  const conninfo = `host=${address.socketDirectory} user=${address.username}`
  const { gid, uid } = statSync(from)
  const written = {
    "standby.signal": "",
    "postgresql.auto.conf": `primary_conninfo = '${conninfo}'\n`,
    backup_label: String((stopped as { readonly labelfile: string }).labelfile),
  }
  for (const [name, text] of Object.entries(written)) {
    writeFileSync(join(to, name), text)
    chownSync(join(to, name), uid, gid)
  }
}, Effect.scoped)

/** A standby of a server, with its files in `folder`; needs a client of the server. Started again when it ends, as `embeddedPostgres` does. */
export const standbyOf = Effect.fnUntraced(function* (primary: EmbeddedServer, folder: string, isThrowaway = true) {
  yield* copied(primary, folder)
  return yield* embeddedPostgres({ folder, isThrowaway })
})
