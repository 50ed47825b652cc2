import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { migrated } from "@launch-registry/migrations/TestDatabase"
import { parseApiKey } from "@launch-registry/server/access/ApiKeys"
import { Effect } from "effect"
import { commandFile } from "../CommandFile.ts"
import { commandOutput } from "../CommandOutput.ts"
import { testUrlOf } from "../DatabaseUrls.ts"
import { temporaryFolder } from "../TemporaryFolder.ts"

it.live("The command of keys makes a key, prints it once, and lists it", () =>
  Effect.gen(function* () {
    const DATABASE_URL = testUrlOf(yield* migrated)
    const run = (...args: ReadonlyArray<string>) =>
      Effect.promise(() => commandOutput(commandFile("keys"), args, { DATABASE_URL }))
    const made = yield* run("create", "--name", "my dApp", "--scopes", "write,read", "--days", "30")
    assert.strictEqual(made.code, 0, made.err)
    const key = parseApiKey(made.out.trim())!
    const again = yield* run("revoke", "nothing")
    assert.deepStrictEqual([again.code, again.err], [1, "No key with the id nothing is in use\n"])
    const listed = yield* run("list")
    assert.match(listed.out, new RegExp(`^${key.id} {2}"my dApp" {2}write,read .* used never {2}ends 2.*\n$`))
    assert.notInclude(listed.out + listed.err, key.secret)
    const DATABASE_URL_FILE = join(yield* temporaryFolder, "database-url")
    writeFileSync(DATABASE_URL_FILE, `${DATABASE_URL}\n`)
    const byFile = yield* Effect.promise(() => commandOutput(commandFile("keys"), ["list"], { DATABASE_URL_FILE }))
    assert.deepStrictEqual([byFile.code, byFile.out], [0, listed.out], byFile.err)
  }).pipe(Effect.scoped),
)
