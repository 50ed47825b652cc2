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

const FIELDS = new Set(Object.keys(BridgeQuoteRequest.fields))

/** The field of the request that a message of the swap service is about, if it begins with one ("Amount is too low …"). */
const pathOf = (message: string): string => {
  const [, first = "", rest = ""] = /^(?:each value in )?(?:property )?([A-Za-z])([A-Za-z]*)/.exec(message) ?? []
  const name = first.toLowerCase() + rest
  return FIELDS.has(name) ? `body.${name}` : "body"
}

/** What the caller has to change after a refusal of the swap service. */
export const quoteRefusal = (messages: ReadonlyArray<string>): InvalidRequest => {
  const issues = messages.map((message): InvalidIssue => ({ path: pathOf(message), message }))
  return new InvalidRequest({
    issues: issues.length === 0 ? [{ path: "body", message: "the swap service refuses it without a reason" }] : issues,
  })
}
