import type { PriceOptions } from "@launch-registry/server/prices/PriceSource"
import { Redacted } from "effect"
import type { Fault } from "./WholeSetting.ts"

export const PRICE_NAMES: ReadonlyArray<string> = ["PRICE_URL", "PRICE_API_KEY"]

/** The source of prices in US dollars among `values`, undefined without PRICE_URL; faults are reported as name and expectation. */
export const readPriceSettings = (
  values: Readonly<Record<string, string | undefined>>,
  fault: Fault,
): PriceOptions | undefined => {
  const { PRICE_API_KEY: apiKey, PRICE_URL: url } = values
  if (url === undefined) {
    for (const name of PRICE_NAMES) if (values[name] !== undefined) fault(name, "PRICE_URL to be set as well")
    return undefined
  }
  const parsed = URL.parse(url)
  if (!["https:", "http:"].includes(parsed?.protocol ?? "") || /\s/.test(url))
    fault("PRICE_URL", "a URL starting with https:// or http://")
  else if (parsed!.username !== "" || parsed!.password !== "" || parsed!.hash !== "")
    fault("PRICE_URL", "a URL without user name, password and fragment")
  else if (parsed!.searchParams.has("ids")) fault("PRICE_URL", "a URL without ids: they are added")
  // An invalid header value would fail every request with an error that contains it.
  if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey))
    fault("PRICE_API_KEY", "visible ASCII characters without spaces")
  return { url: Redacted.make(url), apiKey: apiKey === undefined ? undefined : Redacted.make(apiKey) }
}
