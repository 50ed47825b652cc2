import { inspect } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { readSettings } from "../src/Settings.ts"
import { PRODUCTION } from "./ProductionSettings.ts"

const ARCHIVE = "https://CANARYkey:CANARY%2F%3Asecret@s3.example.com/a-log"

const archiveOf = (url: string) =>
  Effect.map(readSettings({ ...PRODUCTION, INBOX_ARCHIVE_URL: url }), ({ indexer }) => indexer.archive!)
const faultsOf = (values: Readonly<Record<string, string>>) =>
  Effect.map(Effect.flip(readSettings({ ...PRODUCTION, ...values })), ({ faults }) => faults)

describe("INBOX_ARCHIVE_URL", () => {
  it.effect("names a bucket of an S3 service, and hides key and secret", () =>
    Effect.gen(function* () {
      assert.isUndefined((yield* readSettings(PRODUCTION)).indexer.archive)
      const archive = yield* archiveOf(ARCHIVE)
      assert.deepInclude(archive, { bucket: "a-log", endpoint: "https://s3.example.com", region: "us-east-1" })
      assert.deepStrictEqual([archive.key, archive.secret].map(Redacted.value), ["CANARYkey", "CANARY/:secret"])
      assert.notInclude(inspect(archive, { depth: 9 }), "CANARY")
      assert.deepInclude(yield* archiveOf("http://a:b@127.0.0.1:9000/storage/v1/s3/a-log/?region=auto"), {
        ...{ bucket: "a-log", endpoint: "http://127.0.0.1:9000/storage/v1/s3", region: "auto" },
      })
    }),
  )

  it.effect("is refused where it is none, without its value", () =>
    Effect.gen(function* () {
      for (const url of [
        "CANARY",
        "ftp://CANARY:b@s3.example.com/a-log",
        "http://CANARY:b@s3.example.com/a-log",
        "https://s3.example.com/CANARY",
        "https://CANARY@s3.example.com/a-log",
        "https://CANARY:%zz@s3.example.com/a-log",
        "https://a:CANARY/secret@s3.example.com/a-log",
        "https://a:CANARY@s3.example.com",
        "https://a:CANARY@s3.example.com/A_Bucket",
        "https://a:CANARY@s3.example.com/a-log?region=EU West",
        "https://a:CANARY@s3.example.com/a-log?prefix=b",
        "https://a:CANARY@s3.example.com/a-log#b",
      ]) {
        const faults = yield* faultsOf({ INBOX_ARCHIVE_URL: url })
        assert.lengthOf(faults, 1, url)
        assert.match(faults[0]!, /^INBOX_ARCHIVE_URL: expected a bucket of an S3 service/)
        assert.notInclude(faults[0]!, "CANARY")
      }
    }),
  )

  it.effect("does not go with a setting that deletes from the log", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* faultsOf({ INBOX_ARCHIVE_URL: ARCHIVE, INBOX_KEEP_DAYS: "30" }), [
        "INBOX_KEEP_DAYS: expected no value with INBOX_ARCHIVE_URL: the log is moved, not deleted",
      ])
    }),
  )
})
