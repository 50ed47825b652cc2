import { requireWallet } from "@launch-registry/domain/access/Caller"
import { QuoteNotTrusted, SwapEnded } from "@launch-registry/domain/bridge/BridgeErrors"
import type { BridgeQuoteRequest } from "@launch-registry/domain/bridge/BridgeQuote"
import { IdempotencyKeyReused } from "@launch-registry/domain/http/IdempotencyErrors"
import { UuidV7 } from "@launch-registry/postgres/UuidV7"
import { isAddress } from "@launch-registry/domain/solana/AddressText"
import { Clock, Effect, Schema } from "effect"
import type { BridgeSwaps, RequestKey } from "./BridgeSwaps.ts"
import type { BridgeTokens } from "./BridgeTokens.ts"
import type { IntentsClient } from "./intents/IntentsClient.ts"
import { IntentsQuoteResponse } from "./intents/IntentsSchemas.ts"
import { quoteFaults } from "./intents/QuoteCheck.ts"
import { quoteRefusal } from "./intents/QuoteRefusal.ts"
import { isQuoteSigned, MANAGER_KEY } from "./intents/QuoteSignature.ts"
import { dryQuote, storedQuote } from "./QuoteAnswer.ts"
import { type QuoteDraft, quoteDraft, requestHash } from "./QuoteDraft.ts"
import { quotedSwap } from "./QuotedSwap.ts"
import type { Upstream } from "./Upstream.ts"

const decodeQuote = Schema.decodeEffect(Schema.fromJsonString(IntentsQuoteResponse))

/** What quotes are made with. */
interface QuoteParts {
  readonly intents: IntentsClient
  readonly upstream: Upstream
  readonly tokens: BridgeTokens
  readonly swaps: BridgeSwaps
  readonly hasApiKey: boolean
  readonly quoteKey: string | undefined
}

/** Quotes: dry ones, and those that become swaps. */
export const bridgeQuotes = ({ hasApiKey, intents, quoteKey = MANAGER_KEY, swaps, tokens, upstream }: QuoteParts) => {
  const ids = new UuidV7()

  /** A quote that may be paid: made for this request, and signed. */
  const ask = Effect.fnUntraced(function* ({ asked, destination, origin }: QuoteDraft) {
    const counted = asked.swapType === "EXACT_OUTPUT" ? destination : origin
    const received = yield* upstream
      .now(asked.dry ? "dry" : "quote", intents.quote(asked))
      .pipe(Effect.catchTag("IntentsRefused", ({ messages }) => Effect.fail(quoteRefusal(messages, counted))))
    const [fault] = quoteFaults(asked, received.response, yield* Clock.currentTimeMillis)
    if (fault !== undefined || !isQuoteSigned(received.raw, quoteKey))
      return yield* distrust(fault ?? "it is not signed by the swap service", received.response)
    return received
  })

  const distrust = Effect.fnUntraced(function* (reason: string, { correlationId }: IntentsQuoteResponse) {
    yield* Effect.logError("A quote of the swap service cannot be trusted and is refused").pipe(
      Effect.annotateLogs({ reason, correlationId }),
    )
    return yield* new QuoteNotTrusted({ reason })
  })

  /** The answer of a stored quote, unless it is too old to pay. */
  const again = Effect.fnUntraced(function* (id: string) {
    const swap = yield* Effect.orDie(swaps.get(id))
    if (swap.depositBy.getTime() <= (yield* Clock.currentTimeMillis))
      return yield* new SwapEnded({ id, status: swap.status, substatus: swap.substatus })
    const { signedQuote } = yield* swaps.details(id)
    return storedQuote(swap, yield* Effect.orDie(decodeQuote(signedQuote)))
  })

  /** The answer of an earlier request with this key. */
  const before = Effect.fnUntraced(function* (key: RequestKey | undefined) {
    const known = key && (yield* swaps.byKey(key.key))
    if (known === undefined) return undefined
    if (known.requestHash !== key!.hash) return yield* new IdempotencyKeyReused()
    return yield* again(known.id)
  })

  const real = Effect.fn("BridgeQuotes.real")(function* (draft: QuoteDraft, key: RequestKey | undefined) {
    const { raw, response } = yield* ask(draft)
    const millis = yield* Clock.currentTimeMillis
    const row = quotedSwap(draft, response, { id: ids.next(millis), hasApiKey, millis })
    if (yield* swaps.add(row, raw, key)) return yield* again(row.id)
    // Its deposits would be those of two swaps, unless another request with the key was faster.
    return (yield* before(key)) ?? (yield* distrust("quote.depositAddress is that of another swap", response))
  })

  /** With a key, a real request gives one swap; a dry one creates nothing. */
  const quote = Effect.fn("BridgeQuotes.quote")(function* (request: BridgeQuoteRequest, key: string | undefined) {
    const isDry = request.dry ?? true
    const sent = isDry || key === undefined ? undefined : { key, hash: requestHash(request) }
    const known = yield* before(sent)
    if (known !== undefined) return known
    const draft = yield* quoteDraft(request, tokens, yield* Clock.currentTimeMillis)
    if (isDry) return dryQuote(draft.asked, (yield* ask(draft)).response, hasApiKey)
    // The record of the transfer is listed for this user.
    if (isAddress(draft.userAddress)) yield* requireWallet(draft.userAddress, "the user of the transfer")
    return yield* real(draft, sent)
  })

  return { quote }
}
