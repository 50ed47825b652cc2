import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { readSettings } from "../src/Settings.ts"
import { PRODUCTION } from "./ProductionSettings.ts"

const KEY = "CANARY-of-at-least-thirty-two-characters"
const WALLET = "2gPJHzn5khcuAjvLQxyVVyLDTAyvj1Xx8chWb4PPg1CR"

const accessOf = (environment: Readonly<Record<string, string>>) =>
  Effect.map(readSettings(environment), ({ access }) => access)

const faultsOf = (environment: Readonly<Record<string, string>>) =>
  Effect.map(Effect.flip(readSettings(environment)), ({ faults }) => faults)

describe("Settings of access", () => {
  it.effect("are open by default", () =>
    Effect.gen(function* () {
      for (const environment of [{}, { WRITE_AUTH: "off", CORS_ORIGINS: "*" }]) {
        const access = yield* accessOf(environment)
        assert.deepInclude(access, { writeAuth: [], adminKeys: [], adminWallets: [], auditDays: 365 })
        assert.isUndefined(access.corsOrigins)
        // That all may read does not say that all may write.
        const own = ["http://localhost:3001"]
        assert.deepStrictEqual(access.writingOrigins, "CORS_ORIGINS" in environment ? "all" : own)
      }
    }),
  )

  it.effect("name modes, admins, the site that wallets sign for, and origins", () =>
    Effect.gen(function* () {
      const access = yield* accessOf({
        ...PRODUCTION,
        PUBLIC_URL: "https://api.example/registry/",
        WRITE_AUTH: "api-key, wallet",
        ADMIN_KEY: `${KEY}, ${KEY}2`,
        ADMIN_WALLETS: WALLET,
        AUDIT_RETENTION_DAYS: "30",
        CORS_ORIGINS: "https://app.example, http://localhost:5173",
      })
      assert.deepInclude(access, { writeAuth: ["api-key", "wallet"], adminWallets: [WALLET], auditDays: 30 })
      assert.deepStrictEqual(access.site, {
        ...{ domain: "api.example", uri: "https://api.example/registry", chainId: "mainnet" },
      })
      assert.deepStrictEqual(access.corsOrigins, ["https://app.example", "http://localhost:5173"])
      assert.deepStrictEqual(access.writingOrigins, [...access.corsOrigins!, "https://api.example"])
      assert.deepStrictEqual(access.adminKeys.map(Redacted.value), [KEY, `${KEY}2`])
      assert.notInclude(JSON.stringify(access), "CANARY")
      assert.strictEqual((yield* accessOf({ WRITE_AUTH: "wallet", PORT: "8080" })).site.domain, "localhost:8080")
    }),
  )

  it.effect("refuse what would not do what it says", () =>
    Effect.gen(function* () {
      const { PUBLIC_URL: _, ...noUrl } = PRODUCTION
      const wrong: ReadonlyArray<readonly [Readonly<Record<string, string>>, string]> = [
        [{ WRITE_AUTH: "on" }, "WRITE_AUTH"],
        [{ WRITE_AUTH: "off,wallet" }, "WRITE_AUTH"],
        [{ WRITE_AUTH: "api-key," }, "WRITE_AUTH"],
        [{ ADMIN_KEY: "CANARY" }, "ADMIN_KEY"],
        [{ ADMIN_KEY: `${KEY} ${KEY}` }, "ADMIN_KEY"],
        [{ ADMIN_KEY: `${KEY},${KEY},${KEY}` }, "ADMIN_KEY"],
        [{ WRITE_AUTH: "wallet", ADMIN_WALLETS: "CANARY" }, "ADMIN_WALLETS"],
        [{ ADMIN_WALLETS: WALLET }, "ADMIN_WALLETS"],
        [{ AUDIT_RETENTION_DAYS: "0" }, "AUDIT_RETENTION_DAYS"],
        [{ AUDIT_RETENTION_DAYS: "4000" }, "AUDIT_RETENTION_DAYS"],
        [{ CORS_ORIGINS: "https://app.example/" }, "CORS_ORIGINS"],
        [{ CORS_ORIGINS: "app.example" }, "CORS_ORIGINS"],
        [{ CORS_ORIGINS: "https://app.example,*" }, "CORS_ORIGINS"],
        [{ ...noUrl, IPFS_GATEWAY_URL: "https://ipfs.example", WRITE_AUTH: "wallet" }, "PUBLIC_URL"],
      ]
      for (const [environment, name] of wrong) {
        const faults = yield* faultsOf(environment)
        assert.deepStrictEqual(
          faults.map((fault) => fault.split(":")[0]),
          [name],
          JSON.stringify(environment),
        )
        assert.notInclude(faults.join(), "CANARY")
      }
    }),
  )
})
