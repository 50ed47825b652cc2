import type { AddressLimits } from "@launch-registry/http/listener/AddressCaps"
import { parseNetwork } from "@launch-registry/http/listener/CallerAddress"
import type { LimitOptions } from "@launch-registry/http/listener/ServerLimits"
import { type Fault, wholeSettings } from "./WholeSetting.ts"

const MIB = 1024 * 1024
const RATE_LIMIT_WINDOW_SECONDS = 60

/** Limits per address and their settings. */
const CAPS: ReadonlyArray<readonly [name: string, cap: Exclude<keyof AddressLimits, "trustedProxies">]> = [
  ["CONNECTIONS_PER_ADDRESS_MAX", "connections"],
  ["STREAMS_PER_ADDRESS_MAX", "streams"],
  ["UPLOADS_PER_ADDRESS_MAX", "uploads"],
  ["LISTS_PER_ADDRESS_MAX", "lists"],
]

export const LIMIT_NAMES: ReadonlyArray<string> = [
  ...CAPS.map(([name]) => name),
  ...["TRUSTED_PROXIES", "RESPONSE_STALL_SECONDS", "UNSENT_MEGABYTES_MAX", "LISTS_MEGABYTES_MAX"],
  "KEEP_ALIVE_SECONDS",
  ...["RATE_LIMIT_REQUESTS", "RATE_LIMIT_WINDOW_SECONDS"],
  ...["UPLOADS_PER_DAY", "UPLOAD_MEGABYTES_PER_DAY", "RECORDS_PER_DAY", "STORED_MEGABYTES_MAX"],
]

/** The limits among `values`; faults are reported as name and expectation. */
export const readLimitSettings = (values: Readonly<Record<string, string | undefined>>, fault: Fault): LimitOptions => {
  const read = wholeSettings(values, fault)
  const whole = (name: string, unit: string, max: number) => read(name, unit, 1, max)
  const proxies = values.TRUSTED_PROXIES?.split(",").map((text) => text.trim())
  if (proxies?.some((text) => parseNetwork(text) === undefined))
    fault("TRUSTED_PROXIES", "comma-separated addresses and networks, such as 10.0.0.0/8,2001:db8::1")
  const caps = CAPS.flatMap(([name, cap]) => {
    const value = whole(name, cap, 1_000_000)
    return value === undefined ? [] : [[cap, value] as const]
  })
  const stallSeconds = whole("RESPONSE_STALL_SECONDS", "seconds", 3_600)
  const unsent = whole("UNSENT_MEGABYTES_MAX", "megabytes", 100_000)
  const lists = whole("LISTS_MEGABYTES_MAX", "megabytes", 100_000)
  const keepAliveSeconds = whole("KEEP_ALIVE_SECONDS", "seconds", 3_600)
  const requests = whole("RATE_LIMIT_REQUESTS", "requests", 1_000_000)
  const windowSeconds = whole("RATE_LIMIT_WINDOW_SECONDS", "seconds", 3_600)
  if (values.RATE_LIMIT_REQUESTS === undefined && windowSeconds !== undefined)
    fault("RATE_LIMIT_REQUESTS", "a value in addition to RATE_LIMIT_WINDOW_SECONDS")
  const rate = requests && { requests, windowMillis: (windowSeconds ?? RATE_LIMIT_WINDOW_SECONDS) * 1_000 }
  const uploadsPerDay = whole("UPLOADS_PER_DAY", "uploads", 1_000_000)
  const uploadMegabytes = whole("UPLOAD_MEGABYTES_PER_DAY", "megabytes", 1_000_000)
  const recordsPerDay = whole("RECORDS_PER_DAY", "records", 1_000_000)
  const storedMegabytes = whole("STORED_MEGABYTES_MAX", "megabytes", 1_000_000)
  const writes = {
    ...(uploadsPerDay && { uploadsPerDay }),
    ...(uploadMegabytes && { uploadBytesPerDay: uploadMegabytes * MIB }),
    ...(recordsPerDay && { recordsPerDay }),
    ...(storedMegabytes && { storedBytes: storedMegabytes * MIB }),
  }
  return {
    ...(rate && { rate }),
    ...(Object.keys(writes).length > 0 && { writes }),
    http: {
      ...(stallSeconds !== undefined && { stallMillis: stallSeconds * 1_000 }),
      ...(unsent !== undefined && { unsentBytesMax: unsent * MIB }),
      ...(keepAliveSeconds !== undefined && { keepAliveMillis: keepAliveSeconds * 1_000 }),
      ...(lists !== undefined && { listBytesMax: lists * MIB }),
    },
    addresses: { ...Object.fromEntries(caps), ...(proxies !== undefined && { trustedProxies: proxies }) },
  }
}
