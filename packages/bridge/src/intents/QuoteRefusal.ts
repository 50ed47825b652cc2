import { BridgeQuoteRequest } from "@launch-registry/domain/bridge/BridgeQuote"
import type { InvalidIssue } from "@launch-registry/domain/http/ErrorEnvelope"
import { InvalidRequest } from "@launch-registry/domain/http/RequestErrors"
import { plain } from "@launch-registry/domain/text/PlainText"

const MESSAGES_MAX = 10
const LENGTH_MAX = 300

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

/** "Amount is too low for bridge, try at least 8516130": smallest units of the asset whose amount was given. */
const LEAST_UNITS = /\btoo low\b.*?\bat least (\d{1,78})(?![\d.,]*\d)/i
/** "Temporary swap limits: minimum swap amount is $1,000". */
const LEAST_USD = /\bminimum (?:swap )?amount is (?:USD )?\$\s?(\d{1,3}(?:,\d{3})+|\d{1,15})(\.\d{1,6})?(?![\d,.]*\d)/i

/** The least amount that the service swaps, which only its refusals name, in one of two units. */
export const leastAmount = (messages: ReadonlyArray<string>): string | undefined => {
  const text = messages.join("\n")
  const units = LEAST_UNITS.exec(text)?.[1]?.replace(/^0+(?=\d)/, "")
  if (units !== undefined) return `${units} in the smallest units of the asset`
  const usd = LEAST_USD.exec(text)
  return usd === null ? undefined : `worth ${usd[1]!.replaceAll(",", "")}${usd[2] ?? ""} USD`
}

const FIELDS = new Set(Object.keys(BridgeQuoteRequest.fields))

/** The field of the request that a message of the swap service is about, if it begins with one. */
const pathOf = (message: string): string => {
  const name = /^(?:each value in )?(?:property )?([A-Za-z]+)/.exec(message)?.[1] ?? ""
  return FIELDS.has(name) ? `body.${name}` : "body"
}

/** What the caller has to change after a refusal of the swap service. */
export const quoteRefusal = (messages: ReadonlyArray<string>): InvalidRequest => {
  const least = leastAmount(messages)
  if (least !== undefined) return InvalidRequest.at("body.amount", `is too low: expected at least ${least}`)
  const issues = messages.map((message): InvalidIssue => ({ path: pathOf(message), message }))
  return new InvalidRequest({
    issues: issues.length === 0 ? [{ path: "body", message: "the swap service refuses it without a reason" }] : issues,
  })
}
