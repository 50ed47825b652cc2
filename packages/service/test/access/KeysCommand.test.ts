import { execFile } from "node:child_process"
import { join } from "node:path"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { assert, it } from "@effect/vitest"
import { withNewCluster } from "@launch-registry/migrations/NewCluster"
import { embeddedPostgres } from "@launch-registry/postgres/embedded/EmbeddedPostgres"
import * as Database from "@launch-registry/postgres/Database"
import { migrate } from "@launch-registry/migrations/Migrate"
import { parseApiKey } from "@launch-registry/server/access/keys/ApiKey"
import { Effect } from "effect"
import { commandFile } from "../CommandFile.ts"

const MAIN = commandFile("keys")

const run = (environment: Readonly<Record<string, string>>, ...args: ReadonlyArray<string>) =>
  Effect.promise(
    () =>
      new Promise<{ readonly code: number; readonly out: string; readonly err: string }>((resolve) => {
        execFile(process.execPath, [MAIN, ...args], { env: { ...process.env, ...environment } }, (error, out, err) =>
          resolve({ code: error === null ? 0 : Number(error.code), out, err }),
        )
      }),
  )

it.live("the command of keys makes a key, prints it once, and lists it", () =>
  Effect.gen(function* () {
    const folder = mkdtempSync(join(tmpdir(), "registry-keys-"))
    yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(folder, { recursive: true, force: true })))
    const { address } = yield* embeddedPostgres({ folder: withNewCluster(folder), isThrowaway: true })
    yield* Effect.scoped(Effect.provide(migrate(), Database.layer(address)))
    const { database, socketDirectory, username } = address
    const at = { DATABASE_URL: `postgres://${username}@localhost/${database}?host=${socketDirectory}` }
    const made = yield* run(at, "create", "--name", "my dApp", "--scopes", "write,read", "--days", "30")
    assert.strictEqual(made.code, 0, made.err)
    const key = parseApiKey(made.out.trim())!
    const again = yield* run(at, "revoke", "nothing")
    assert.deepStrictEqual([again.code, again.err], [1, "No key with the id nothing is in use\n"])
    const listed = yield* run(at, "list")
    assert.match(listed.out, new RegExp(`^${key.id} {2}"my dApp" {2}write,read .* used never {2}ends 2.*\n$`))
    assert.notInclude(listed.out + listed.err, key.secret)
    const file = join(folder, "database-url")
    writeFileSync(file, `${at.DATABASE_URL}\n`)
    const byFile = yield* run({ DATABASE_URL_FILE: file }, "list")
    assert.deepStrictEqual([byFile.code, byFile.out], [0, listed.out], byFile.err)
  }).pipe(Effect.scoped),
)
