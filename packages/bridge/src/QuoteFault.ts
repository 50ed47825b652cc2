import { BridgeQuoteRequest } from "@launch-registry/domain/bridge/BridgeQuote"
import type { InvalidIssue } from "@launch-registry/domain/http/ErrorEnvelope"
import { InvalidRequest } from "@launch-registry/domain/http/RequestErrors"
import type { IntentsRefused } from "./intents/IntentsErrors.ts"
import { minimumAmountOf } from "./intents/MinimumAmount.ts"

const FIELDS = new Set(Object.keys(BridgeQuoteRequest.fields))

/** The field of the request that a message of the swap service is about, if it begins with one. */
const pathOf = (message: string): string => {
  const name = /^(?:each value in )?(?:property )?([A-Za-z]+)/.exec(message)?.[1] ?? ""
  return FIELDS.has(name) ? `body.${name}` : "body"
}

/** What the caller has to change after a refusal of the swap service. */
export const quoteFault = ({ messages }: IntentsRefused): InvalidRequest => {
  const { minimumAmount = null, minimumAmountUsd = null } = minimumAmountOf(messages)
  if (minimumAmount !== null || minimumAmountUsd !== null) {
    const least =
      minimumAmount === null ? `worth ${minimumAmountUsd} USD` : `${minimumAmount} in the smallest units of the asset`
    return InvalidRequest.at("body.amount", `is too low: expected at least ${least}`)
  }
  const issues = messages.map((message): InvalidIssue => ({ path: pathOf(message), message }))
  return new InvalidRequest({
    issues: issues.length === 0 ? [{ path: "body", message: "the swap service refuses it without a reason" }] : issues,
  })
}
