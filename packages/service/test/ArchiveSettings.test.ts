import { inspect } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { readSettings } from "../src/Settings.ts"
import { PRODUCTION } from "./ProductionSettings.ts"

const ARCHIVE = {
  INBOX_ARCHIVE_BUCKET: "a-log",
  INBOX_ARCHIVE_ENDPOINT: "https://s3.example.com/",
  INBOX_ARCHIVE_KEY: "CANARY-KEY",
  INBOX_ARCHIVE_SECRET: "CANARY-SECRET",
}

const indexerOf = (values: Readonly<Record<string, string>>) =>
  Effect.map(readSettings({ ...PRODUCTION, ...values }), ({ indexer }) => indexer)
const faultsOf = (values: Readonly<Record<string, string>>) =>
  Effect.map(Effect.flip(readSettings({ ...PRODUCTION, ...values })), ({ faults }) => faults)

describe("Settings of the archive of the log", () => {
  it.effect("are off by default, and keep segments here for a day", () =>
    Effect.gen(function* () {
      const { archive, archiveKeepDays } = yield* indexerOf({})
      assert.deepStrictEqual([archive, archiveKeepDays], [undefined, 1])
    }),
  )

  it.effect("are read, and hide key and secret", () =>
    Effect.gen(function* () {
      const { archive, archiveKeepDays } = yield* indexerOf({ ...ARCHIVE, INBOX_ARCHIVE_KEEP_DAYS: "0" })
      assert.deepInclude(archive, {
        bucket: "a-log",
        endpoint: "https://s3.example.com",
        region: "us-east-1",
        prefix: "inbox/",
      })
      assert.strictEqual(archiveKeepDays, 0)
      assert.strictEqual(Redacted.value(archive!.secret), "CANARY-SECRET")
      assert.notInclude(inspect(archive, { depth: 9 }), "CANARY")
      const others = { INBOX_ARCHIVE_REGION: "auto", INBOX_ARCHIVE_PREFIX: "mainnet/log-", INBOX_KEEP_DAYS: "0" }
      assert.deepInclude((yield* indexerOf({ ...ARCHIVE, ...others })).archive, {
        region: "auto",
        prefix: "mainnet/log-",
      })
      assert.strictEqual((yield* indexerOf({ ...ARCHIVE, INBOX_ARCHIVE_PREFIX: "" })).archive!.prefix, "inbox/")
    }),
  )

  it.effect("name what is wrong, and no value", () =>
    Effect.gen(function* () {
      const wrong = {
        ...{ INBOX_ARCHIVE_BUCKET: "A_Bucket", INBOX_ARCHIVE_ENDPOINT: "http://CANARY@s3.example.com" },
        ...{ INBOX_ARCHIVE_REGION: "EU West", INBOX_ARCHIVE_PREFIX: "a/../b", INBOX_ARCHIVE_KEEP_DAYS: "-1" },
      }
      const faults = yield* faultsOf({ ...ARCHIVE, ...wrong })
      assert.sameMembers(
        faults.map((fault) => fault.split(":")[0]),
        Object.keys(wrong),
      )
      assert.notInclude(faults.join(), "CANARY")
    }),
  )

  it.effect("need one another", () =>
    Effect.gen(function* () {
      for (const name of ["INBOX_ARCHIVE_ENDPOINT", "INBOX_ARCHIVE_KEY", "INBOX_ARCHIVE_SECRET"])
        assert.deepStrictEqual(yield* faultsOf({ ...ARCHIVE, [name]: "" }), [
          `${name}: expected a value with INBOX_ARCHIVE_BUCKET`,
        ])
      assert.deepStrictEqual(yield* faultsOf({ INBOX_ARCHIVE_KEEP_DAYS: "3" }), [
        "INBOX_ARCHIVE_BUCKET: expected a bucket, because INBOX_ARCHIVE_KEEP_DAYS is set",
      ])
    }),
  )

  it.effect("do not go with settings that delete from the log", () =>
    Effect.gen(function* () {
      for (const name of ["INBOX_KEEP_DAYS", "INBOX_KEEP_MEGABYTES"]) {
        const [fault, ...others] = yield* faultsOf({ ...ARCHIVE, [name]: "30" })
        assert.deepStrictEqual(others, [])
        assert.include(fault!, `${name}: expected no value with INBOX_ARCHIVE_BUCKET`)
      }
    }),
  )
})
