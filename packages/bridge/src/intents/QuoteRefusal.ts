import { plainDecimal } from "@launch-registry/domain/amounts/Decimal"
import type { BridgeAsset } from "@launch-registry/domain/bridge/BridgeAsset"
import { BridgeQuoteRequest } from "@launch-registry/domain/bridge/BridgeQuote"
import type { InvalidIssue } from "@launch-registry/domain/http/ErrorEnvelope"
import { InvalidRequest } from "@launch-registry/domain/http/RequestErrors"
import { plain } from "@launch-registry/domain/text/PlainText"

const MESSAGES_MAX = 10
const LENGTH_MAX = 300
const SYMBOL_LENGTH_MAX = 20

type Counted = Pick<BridgeAsset, "decimals" | "symbol">

/**
 * Where one message of a class-validator ends and the next begins in a text joined by commas: before the name of
 * a property that must or should something. Other texts hold commas themselves ("too low, try at least", "$1,000").
 */
const BOUNDARY = /,\s*(?=(?:each value in )?(?:property )?[A-Za-z][\w.]* (?:must|should)\b)/

/** The messages of a refusal, safe to show: one line each, no deceptive characters, bounded length. */
export const refusalTexts = (message: string | ReadonlyArray<string>): ReadonlyArray<string> =>
  (typeof message === "string" ? [message] : message)
    .slice(0, MESSAGES_MAX)
    .flatMap((text) => text.slice(0, MESSAGES_MAX * LENGTH_MAX).split(BOUNDARY))
    .map((text) => plain(text.replaceAll(/\s+/g, " "), LENGTH_MAX))
    .filter((text) => text !== "")
    .slice(0, MESSAGES_MAX)

const FIELDS = new Set(Object.keys(BridgeQuoteRequest.fields))

/** The field of the request that a message of the swap service is about, if it begins with one ("Amount is too low …"). */
const pathOf = (message: string): string => {
  const [, first = "", rest = ""] = /^(?:each value in )?(?:property )?([A-Za-z])([A-Za-z]*)/.exec(message) ?? []
  const name = first.toLowerCase() + rest
  return FIELDS.has(name) ? `body.${name}` : "body"
}

/** The bound of an amount in a message: smallest units, never dollars ("$1,000") or a number with separators. */
const BOUND = /\b(at least|at most) (\d{1,38})(?![\d.,]*\d)/

/** A message about the amount as our own errors say amounts: "at least 8.51613 USDC (8516130)". */
const inTokens = (message: string, { decimals, symbol }: Counted): string =>
  message.replace(BOUND, (said, bound: string, units: string) => {
    const whole = plainDecimal(`${units}e-${decimals}`)
    return whole === undefined ? said : `${bound} ${whole} ${plain(symbol, SYMBOL_LENGTH_MAX)} (${units})`
  })

/** What the caller has to change after a refusal of the swap service; `counted` is the asset that `amount` is of. */
export const quoteRefusal = (messages: ReadonlyArray<string>, counted: Counted): InvalidRequest => {
  const issues = messages.map((message): InvalidIssue => {
    const path = pathOf(message)
    return { path, message: path === "body.amount" ? inTokens(message, counted) : message }
  })
  return new InvalidRequest({
    issues: issues.length === 0 ? [{ path: "body", message: "the swap service refuses it without a reason" }] : issues,
  })
}
