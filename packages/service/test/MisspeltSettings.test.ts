import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readSettings } from "../src/Settings.ts"
import { PRODUCTION } from "./ProductionSettings.ts"

describe("Misspelt settings", () => {
  it.effect("are reported by name, and nothing else is", () =>
    Effect.gen(function* () {
      const misspelt = {
        ...{ DATABSE_URL: "CANARY", INTENTS_KEY: "CANARY", RPC_BACKUP_URL_FIEL: "CANARY", Log_Level: "CANARY" },
        ...{ HELIUS_WEBHOOK_SECRETS_FILE: "CANARY", Port: "CANARY", IPFS_ANYTHING: "CANARY" },
        ...{ RATE_LIMIT_WINDOW_SECONDS: "CANARY", RECORDS_PER_DAY: "CANARY", LISTS_MEGABYTES_MAX: "CANARY" },
      }
      const innocent = {
        ...{ HOME: "x", PATH: "x", HOSTNAME: "x", NODE_ENV: "x", PGHOST: "x", DATABASE_HOST: "x", POSTGRES_URL: "x" },
        ...{ IPFS_EMPTY: "", KUBERNETES_PORT: "x", npm_config_registry: "x", LOGNAME: "x", NO_PROXY: "x" },
        // Variables of a Kubernetes namespace with services of these names, of Kubo, and others.
        ...{ RPC_SERVICE_HOST: "x", RPC_SERVICE_PORT: "x", RPC_SERVICE_PORT_HTTP: "x", RPC_PORT: "x", IPFS_PORT: "x" },
        ...{ RPC_PORT_8899_TCP: "x", RPC_PORT_8899_TCP_ADDR: "x", INDEXER_PORT: "x", LAUNCHPAD_SERVICE_PORT: "x" },
        ...{ IPFS_PATH: "x", IPFS_LOGGING: "x", IPFS_TELEMETRY: "x", POST: "x", ROLES: "x", HOSTS: "x", SPORT: "x" },
      }
      const settings = yield* readSettings({ ...PRODUCTION, ...misspelt, ...innocent })
      assert.sameMembers(
        settings.misspelt.map((text) => text.split(" ")[0]!),
        Object.keys(misspelt),
      )
      assert.include(settings.misspelt, "DATABSE_URL is not a setting; did you mean DATABASE_URL?")
      assert.notInclude(settings.misspelt.join(), "CANARY")
      assert.deepStrictEqual((yield* readSettings(PRODUCTION)).misspelt, [])
      // A warning next to other errors, and not an error itself.
      const wrong = yield* Effect.flip(readSettings({ ...PRODUCTION, ROLE: "x", DATABSE_URL: "CANARY" }))
      assert.deepStrictEqual(wrong.message.split("\n"), [
        "Invalid settings:",
        "  - ROLE: expected all, api, indexer",
        "Warning: DATABSE_URL is not a setting; did you mean DATABASE_URL?",
      ])
    }),
  )
})
