import { InvalidRequest } from "@launch-registry/domain/http/RequestErrors"
import { createHash } from "node:crypto"
import type { BridgeAsset } from "@launch-registry/domain/bridge/BridgeAsset"
import type { BridgeQuoteRequest } from "@launch-registry/domain/bridge/BridgeQuote"
import type { InvalidIssue } from "@launch-registry/domain/http/ErrorEnvelope"
import { parseIsoMillis } from "@launch-registry/domain/time/Timestamp"
import { Effect, Option } from "effect"
import { canonicalJson } from "@launch-registry/http/requests/CanonicalJson"
import type { BridgeTokens } from "./BridgeTokens.ts"
import type { IntentsQuoteRequest } from "./intents/IntentsSchemas.ts"

const SLIPPAGE_BPS = 100
const DEADLINE_MILLIS = 30 * 60_000
/** A deadline that a caller may ask for: no payment comes sooner, and no price holds for longer. */
const AHEAD_MILLIS_MIN = 60_000
const AHEAD_MILLIS_MAX = 24 * 3_600_000
/** Chains whose blocks come so rarely that a deposit would often be late. */
const SLOW_DEADLINE_MILLIS = 60 * 60_000
const SLOW_CHAINS: ReadonlySet<string> = new Set(["btc", "bch", "ltc", "doge", "dash", "zec"])
/** Chains on which a deposit address is shared and the memo tells whose deposit it is. */
const MEMO_CHAINS: ReadonlySet<string> = new Set(["stellar"])

/** A request and the assets it names. */
export interface QuoteDraft {
  readonly asked: IntentsQuoteRequest
  readonly origin: BridgeAsset
  readonly destination: BridgeAsset
  readonly userAddress: string
}

/** The same for the same request, in whatever order its fields were written. */
export const requestHash = (request: BridgeQuoteRequest): string =>
  createHash("sha256").update(canonicalJson(request)).digest("hex")

const unknown = (path: string): InvalidIssue => ({
  path,
  message: "is no asset that can be swapped: GET /api/bridge/tokens lists them",
})

const deadlineOf = ({ deadline }: BridgeQuoteRequest, { blockchain }: BridgeAsset, nowMillis: number): number =>
  deadline === undefined
    ? nowMillis + (SLOW_CHAINS.has(blockchain) ? SLOW_DEADLINE_MILLIS : DEADLINE_MILLIS)
    : parseIsoMillis(deadline)!

/** An account inside the swap service has one owner, on whatever chain the asset is. */
const depositMode = ({ depositMode: mode, depositType }: BridgeQuoteRequest, { blockchain }: BridgeAsset) =>
  mode ?? (depositType !== "INTENTS" && MEMO_CHAINS.has(blockchain) ? ("MEMO" as const) : undefined)

/** What the swap service is asked for, or everything that is wrong with the request at once. */
export const quoteDraft = Effect.fnUntraced(function* (
  request: BridgeQuoteRequest,
  tokens: BridgeTokens,
  nowMillis: number,
) {
  const origin = yield* tokens.find(request.originAsset)
  const destination = yield* tokens.find(request.destinationAsset)
  const issues: Array<InvalidIssue> = []
  if (Option.isNone(origin)) issues.push(unknown("body.originAsset"))
  if (Option.isNone(destination)) issues.push(unknown("body.destinationAsset"))
  if (request.originAsset === request.destinationAsset)
    issues.push({ path: "body.destinationAsset", message: "expected another asset than originAsset" })
  if (request.deadline !== undefined) {
    const ahead = parseIsoMillis(request.deadline)! - nowMillis
    if (ahead < AHEAD_MILLIS_MIN || ahead > AHEAD_MILLIS_MAX)
      issues.push({
        path: "body.deadline",
        message: `${ahead <= 0 ? "is over: " : ""}expected a time at least 1 minute and at most 24 hours ahead`,
      })
  }
  if (request.customRecipientMsg !== undefined && request.acceptCustomRecipientMsgRisk !== true)
    issues.push({
      path: "body.acceptCustomRecipientMsgRisk",
      message: "must be true with customRecipientMsg: a recipient that does not understand it may lose the funds",
    })
  if (issues.length > 0 || Option.isNone(origin) || Option.isNone(destination))
    return yield* new InvalidRequest({ issues })

  const mode = depositMode(request, origin.value)
  const { acceptCustomRecipientMsgRisk: _risk, userAddress = request.refundTo, ...given } = request
  const asked: IntentsQuoteRequest = {
    ...{ dry: true, swapType: "EXACT_INPUT", slippageTolerance: SLIPPAGE_BPS },
    ...{ depositType: "ORIGIN_CHAIN", refundType: "ORIGIN_CHAIN", recipientType: "DESTINATION_CHAIN" },
    ...given,
    deadline: new Date(deadlineOf(request, origin.value, nowMillis)).toISOString(),
    ...(mode && { depositMode: mode }),
  }
  const draft: QuoteDraft = { asked, origin: origin.value, destination: destination.value, userAddress }
  return draft
})
