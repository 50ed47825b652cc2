import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { digestOf } from "@launch-registry/indexer/replay/Digest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { commandFile } from "../CommandFile.ts"

const INDEXER = commandFile("indexer")

/** Digests of the derived tables as they are, and after they were derived from the log once more. */
export const deriveAgain = Effect.fnUntraced(function* (databaseUrl: string) {
  const sql = yield* SqlClient
  const derived = yield* digestOf(sql)
  yield* Effect.promise(() =>
    promisify(execFile)(process.execPath, [INDEXER, "replay"], {
      env: { PATH: process.env.PATH, DATABASE_URL: databaseUrl, INDEXER_SOURCE: "off" },
    }),
  )
  return { derived, replayed: yield* digestOf(sql) }
})
