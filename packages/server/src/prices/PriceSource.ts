import { readBody } from "@launch-registry/domain/http/ReadBody"
import { Effect, Redacted, Schema } from "effect"

const DEADLINE_MILLIS = 5_000
const BYTES_MAX = 262_144
/** Tokens in a request: what Jupiter's Price API takes. */
const MINTS_MAX = 50
/** Prices between these are stored: what is more is a mistake of the source, and what is less has no digit that is stored. */
const [USD_MIN, USD_MAX] = [1e-18, 1e12]

/** Where prices in US dollars come from. */
export interface PriceOptions {
  /** A GET with `ids=<mints, comma-separated>` answers as Jupiter's Price API v3 does: `{"<mint>": {"usdPrice": 147.2}}`. May hold a key. */
  readonly url: Redacted.Redacted
  /** Sent as `x-api-key`. */
  readonly apiKey?: Redacted.Redacted | undefined
}

/** The source does not answer as it should. Holds neither URL nor key. */
export class PriceSourceFailed extends Schema.TaggedError<PriceSourceFailed>()("PriceSourceFailed", {
  reason: Schema.Literals(["network", "deadline", "status", "too_large", "malformed"]),
  status: Schema.optionalKey(Schema.Int),
}) {
  override get message(): string {
    return `The source of prices failed: ${this.reason}${this.status === undefined ? "" : ` (status ${this.status})`}`
  }
}

const decodePrices = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown)))

/** The price of an entry as text that PostgreSQL reads as a number; undefined if it is none that can be used. */
const usdOf = (entry: unknown): string | undefined => {
  const price = typeof entry === "object" && entry !== null && "usdPrice" in entry ? entry.usdPrice : undefined
  return typeof price === "number" && price >= USD_MIN && price <= USD_MAX ? String(price) : undefined
}

const textOf = async (response: Response): Promise<string> => {
  const body = await readBody(response, BYTES_MAX)
  if (body === undefined) throw new PriceSourceFailed({ reason: "too_large" })
  return body.toString()
}

/**
 * What one whole token of each of these mints is worth, in US dollars, as decimal text by mint; mints without a usable price are absent. One
 * request for fifty mints, no retries, no redirects.
 */
export const readUsdPrices = ({ apiKey, url }: PriceOptions) => {
  const readSome = (mints: ReadonlyArray<string>) =>
    Effect.gen(function* () {
      const asked = new URL(Redacted.value(url))
      asked.searchParams.set("ids", mints.join(","))
      // Plain `fetch`: Effect's client would write the URL, which may hold a key, into traces. The signal also ends reading the body.
      const abort = yield* Effect.acquireRelease(
        Effect.sync(() => new AbortController()),
        (controller) => Effect.sync(() => controller.abort()),
      )
      const text = yield* Effect.tryPromise({
        try: async () => {
          const response = await fetch(asked, {
            headers: { accept: "application/json", ...(apiKey && { "x-api-key": Redacted.value(apiKey) }) },
            redirect: "manual",
            signal: abort.signal,
          })
          if (response.status !== 200) throw new PriceSourceFailed({ reason: "status", status: response.status })
          return await textOf(response)
        },
        // The error of `fetch` may name the URL.
        catch: (error) => (error instanceof PriceSourceFailed ? error : new PriceSourceFailed({ reason: "network" })),
      })
      const entries = yield* Effect.mapError(decodePrices(text), () => new PriceSourceFailed({ reason: "malformed" }))
      return mints.flatMap((mint): ReadonlyArray<readonly [string, string]> => {
        const usd = Object.hasOwn(entries, mint) ? usdOf(entries[mint]) : undefined
        return usd === undefined ? [] : [[mint, usd]]
      })
    }).pipe(
      Effect.scoped,
      Effect.timeoutOrElse({
        duration: DEADLINE_MILLIS,
        orElse: () => Effect.fail(new PriceSourceFailed({ reason: "deadline" })),
      }),
    )

  return Effect.fn("PriceSource.read")(function* (mints: ReadonlyArray<string>) {
    const found = new Map<string, string>()
    for (let at = 0; at < mints.length; at += MINTS_MAX)
      for (const [mint, usd] of yield* readSome(mints.slice(at, at + MINTS_MAX))) found.set(mint, usd)
    return found as ReadonlyMap<string, string>
  })
}
