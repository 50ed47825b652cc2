import type { AddressLimits } from "@launch-registry/http/listener/AddressCaps"
import { parseNetwork } from "@launch-registry/http/listener/CallerAddress"
import type { LimitOptions } from "@launch-registry/http/listener/ServerLimits"

const MIB = 1024 * 1024

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
]

/** The limits among `values`; faults are reported as name and expectation. */
export const readLimitSettings = (
  values: Readonly<Record<string, string | undefined>>,
  fault: (name: string, expected: string) => void,
): LimitOptions => {
  const whole = (name: string, unit: string, max: number): number | undefined => {
    const text = values[name]
    if (text === undefined) return undefined
    const value = /^[1-9]\d{0,6}$/.test(text) ? Number(text) : Number.NaN
    if (value <= max) return value
    fault(name, `a whole number of ${unit} from 1 to ${max}`)
    return undefined
  }
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
  return {
    http: {
      ...(stallSeconds !== undefined && { stallMillis: stallSeconds * 1_000 }),
      ...(unsent !== undefined && { unsentBytesMax: unsent * MIB }),
      ...(lists !== undefined && { listBytesMax: lists * MIB }),
    },
    addresses: { ...Object.fromEntries(caps), ...(proxies !== undefined && { trustedProxies: proxies }) },
  }
}
