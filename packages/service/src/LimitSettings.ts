import { parseNetwork } from "@launch-registry/http/listener/CallerAddress"
import type { LimitOptions } from "@launch-registry/http/limits/ServerLimits"
import { type Fault, wholeSettings } from "./WholeSetting.ts"

const MIB = 1024 * 1024
const RATE_LIMIT_WINDOW_MILLIS = 60_000

export const LIMIT_NAMES: ReadonlyArray<string> = [
  ...["TRUSTED_PROXIES", "RATE_LIMIT_REQUESTS"],
  ...["WRITES_PER_DAY", "STORED_MEGABYTES_MAX"],
]

/** The limits among `values`; faults are reported as name and expectation. */
export const readLimitSettings = (values: Readonly<Record<string, string | undefined>>, fault: Fault): LimitOptions => {
  const read = wholeSettings(values, fault)
  const whole = (name: string, unit: string, max: number) => read(name, unit, 1, max)
  const proxies = values.TRUSTED_PROXIES?.split(",").map((text) => text.trim())
  if (proxies?.some((text) => parseNetwork(text) === undefined))
    fault("TRUSTED_PROXIES", "comma-separated addresses and networks, such as 10.0.0.0/8,2001:db8::1")
  const requests = whole("RATE_LIMIT_REQUESTS", "requests", 1_000_000)
  const writesPerDay = whole("WRITES_PER_DAY", "writes", 1_000_000)
  const storedMegabytes = whole("STORED_MEGABYTES_MAX", "megabytes", 1_000_000)
  const writes = {
    ...(writesPerDay && { writesPerDay }),
    ...(storedMegabytes && { storedBytes: storedMegabytes * MIB }),
  }
  return {
    ...(requests && { rate: { requests, windowMillis: RATE_LIMIT_WINDOW_MILLIS } }),
    ...(Object.keys(writes).length > 0 && { writes }),
    addresses: proxies === undefined ? {} : { trustedProxies: proxies },
  }
}
