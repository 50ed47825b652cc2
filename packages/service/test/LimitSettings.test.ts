import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { LIMIT_NAMES } from "../src/LimitSettings.ts"
import { readSettings } from "../src/Settings.ts"

describe("The settings of limits", () => {
  it.effect("are the server's defaults unless they are set", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* readSettings({})).limits, { http: {}, addresses: {} })
      const { limits } = yield* readSettings({
        ...{ KEEP_ALIVE_SECONDS: "620", TRUSTED_PROXIES: "10.0.0.0/8, ::1", RATE_LIMIT_REQUESTS: "600" },
        ...{ WRITES_PER_DAY: "5", UPLOAD_MEGABYTES_PER_DAY: "6", STORED_MEGABYTES_MAX: "8" },
      })
      assert.deepStrictEqual(limits, {
        rate: { requests: 600, windowMillis: 60_000 },
        writes: { uploadsPerDay: 5, uploadBytesPerDay: 6_291_456, recordsPerDay: 5, storedBytes: 8_388_608 },
        http: { keepAliveMillis: 620_000 },
        addresses: { trustedProxies: ["10.0.0.0/8", "::1"] },
      })
    }),
  )

  it.effect("are refused when they are invalid", () =>
    Effect.gen(function* () {
      const { faults } = yield* Effect.flip(
        readSettings({
          ...{ TRUSTED_PROXIES: "10.0.0.0/33", KEEP_ALIVE_SECONDS: "0", RATE_LIMIT_REQUESTS: "1.5" },
          ...{
            WRITES_PER_DAY: "0",
            UPLOAD_MEGABYTES_PER_DAY: "-1",
            STORED_MEGABYTES_MAX: "1e3",
          },
        }),
      )
      assert.deepStrictEqual(
        faults.map((fault) => fault.split(":")[0]),
        [...LIMIT_NAMES],
      )
    }),
  )
})
