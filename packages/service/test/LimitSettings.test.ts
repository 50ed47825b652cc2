import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readSettings } from "../src/Settings.ts"

describe("The settings of limits", () => {
  it.effect("are the server's defaults unless they are set", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* readSettings({})).limits, { http: {}, addresses: {} })
      const { limits } = yield* readSettings({
        ...{ CONNECTIONS_PER_ADDRESS_MAX: "20", STREAMS_PER_ADDRESS_MAX: "3", UPLOADS_PER_ADDRESS_MAX: "2" },
        ...{ LISTS_PER_ADDRESS_MAX: "4", LISTS_MEGABYTES_MAX: "8", UNSENT_MEGABYTES_MAX: "16" },
        ...{ RESPONSE_STALL_SECONDS: "30", KEEP_ALIVE_SECONDS: "65", TRUSTED_PROXIES: "10.0.0.0/8, ::1" },
        ...{ RATE_LIMIT_REQUESTS: "600", RATE_LIMIT_WINDOW_SECONDS: "30" },
        ...{ UPLOADS_PER_DAY: "5", UPLOAD_MEGABYTES_PER_DAY: "6", RECORDS_PER_DAY: "7", STORED_MEGABYTES_MAX: "8" },
      })
      assert.deepStrictEqual(limits, {
        rate: { requests: 600, windowMillis: 30_000 },
        writes: { uploadsPerDay: 5, uploadBytesPerDay: 6_291_456, recordsPerDay: 7, storedBytes: 8_388_608 },
        http: { stallMillis: 30_000, unsentBytesMax: 16_777_216, listBytesMax: 8_388_608, keepAliveMillis: 65_000 },
        addresses: { connections: 20, streams: 3, uploads: 2, lists: 4, trustedProxies: ["10.0.0.0/8", "::1"] },
      })
      const { rate } = (yield* readSettings({ RATE_LIMIT_REQUESTS: "600" })).limits
      assert.deepStrictEqual(rate, { requests: 600, windowMillis: 60_000 })
    }),
  )

  it.effect("are refused when they are invalid", () =>
    Effect.gen(function* () {
      const { faults } = yield* Effect.flip(
        readSettings({
          ...{ CONNECTIONS_PER_ADDRESS_MAX: "0", RESPONSE_STALL_SECONDS: "1.5", LISTS_MEGABYTES_MAX: "-1" },
          ...{ TRUSTED_PROXIES: "10.0.0.0/33", RATE_LIMIT_WINDOW_SECONDS: "10" },
        }),
      )
      assert.deepStrictEqual(
        faults.map((fault) => fault.split(":")[0]),
        [
          "TRUSTED_PROXIES",
          "CONNECTIONS_PER_ADDRESS_MAX",
          "RESPONSE_STALL_SECONDS",
          "LISTS_MEGABYTES_MAX",
          "RATE_LIMIT_REQUESTS",
        ],
      )
    }),
  )
})
