import type { Forbidden } from "@launch-registry/domain/access/AccessErrors"
import { requireWallet } from "@launch-registry/domain/access/Caller"
import { QuoteNotTrusted, SwapEnded } from "@launch-registry/domain/bridge/BridgeErrors"
import type { BridgeQuote, BridgeQuoteRequest } from "@launch-registry/domain/bridge/BridgeQuote"
import type { IdempotencyKeyReused } from "@launch-registry/domain/http/IdempotencyErrors"
import type { RequestInFlight } from "@launch-registry/domain/http/IdempotencyErrors"
import type { InvalidRequest } from "@launch-registry/domain/http/RequestErrors"
import type { Unavailable } from "@launch-registry/domain/http/Unavailable"
import { isAddress } from "@launch-registry/solana/AddressText"
import { Clock, Context, Data, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { UuidV7 } from "@launch-registry/postgres/UuidV7"
import { bridgeRequests, type OpenRequest } from "./BridgeRequests.ts"
import { BridgeSwaps } from "./BridgeSwaps.ts"
import { BridgeTokens } from "./BridgeTokens.ts"
import { BridgeUpstream } from "./BridgeUpstream.ts"
import { IntentsClient, type ReceivedQuote } from "./intents/IntentsClient.ts"
import { IntentsQuoteResponse } from "./intents/IntentsSchemas.ts"
import { discrepanciesOf } from "./intents/QuoteEcho.ts"
import { isQuoteSigned, MANAGER_KEY } from "./intents/QuoteSignature.ts"
import { newSwapRow } from "./NewSwapRow.ts"
import { dryQuote, storedQuote } from "./QuoteAnswer.ts"
import { type QuoteDraft, quoteDraft, requestHash } from "./QuoteDraft.ts"
import { quoteFault } from "./QuoteFault.ts"

type QuoteError =
  | InvalidRequest
  | QuoteNotTrusted
  | IdempotencyKeyReused
  | RequestInFlight
  | SwapEnded
  | Unavailable
  | Forbidden

/** Its deposits would be those of two swaps. */
class AddressTaken extends Data.TaggedError("AddressTaken") {}

const decodeQuote = Schema.decodeEffect(Schema.fromJsonString(IntentsQuoteResponse))

/** Quotes: dry ones, and those that become swaps. */
export class BridgeQuotes extends Context.Service<
  BridgeQuotes,
  {
    /** With a key, a real request is made once; a dry one creates nothing. */
    readonly quote: (request: BridgeQuoteRequest, key: string | undefined) => Effect.Effect<BridgeQuote, QuoteError>
  }
>()("@launch-registry/bridge/BridgeQuotes") {
  static readonly layer = (options: { readonly hasApiKey: boolean; readonly quoteKey?: string | undefined }) =>
    Layer.effect(
      BridgeQuotes,
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const intents = yield* IntentsClient
        const upstream = yield* BridgeUpstream
        const tokens = yield* BridgeTokens
        const swaps = yield* BridgeSwaps
        const requests = yield* bridgeRequests
        const ids = new UuidV7()
        const quoteKey = options.quoteKey ?? MANAGER_KEY

        const ask = ({ asked }: QuoteDraft) =>
          upstream
            .now(asked.dry ? "dry" : "quote", intents.quote(asked))
            .pipe(Effect.catchTag("IntentsRefused", (refused) => Effect.fail(quoteFault(refused))))

        /** Why the quote is refused, if it is. */
        const distrust = Effect.fnUntraced(function* ({ asked }: QuoteDraft, { raw, response }: ReceivedQuote) {
          const nowMillis = yield* Clock.currentTimeMillis
          const found = discrepanciesOf(asked, response, { nowMillis }).filter(
            // Never requested, as far as that check knows: here the caller may have.
            ({ field }) => field !== "quoteRequest.customRecipientMsg",
          )
          const faults = found.filter(({ isFatal }) => isFatal).map(({ field, problem }) => `${field} is ${problem}`)
          if ((response.quoteRequest.customRecipientMsg || undefined) !== asked.customRecipientMsg)
            faults.push("quoteRequest.customRecipientMsg is different")
          for (const { field, problem } of found.filter(({ isFatal }) => !isFatal))
            yield* Effect.logInfo(`A quote differs from its request: ${field} is ${problem}`)
          return faults[0] ?? (isQuoteSigned(raw, quoteKey) ? undefined : "it is not signed by the swap service")
        })

        const dry = Effect.fn("BridgeQuotes.dry")(function* (draft: QuoteDraft) {
          const received = yield* ask(draft)
          const reason = yield* distrust(draft, received)
          if (reason !== undefined) return yield* new QuoteNotTrusted({ reason })
          return dryQuote(draft.asked, received.response, options.hasApiKey)
        })

        /** The answer of an earlier request with this key. A quote that is too old to pay is not returned. */
        const again = Effect.fnUntraced(function* (id: string) {
          const swap = yield* Effect.orDie(swaps.get(id))
          if (swap.depositBy.getTime() <= (yield* Clock.currentTimeMillis)) return yield* new SwapEnded({ id })
          return storedQuote(swap, yield* Effect.orDie(decodeQuote(yield* swaps.signedQuote(id))))
        })

        /**
         * Swap, record and request in one transaction; nothing of it when another process has taken the request over, or the
         * address is that of another swap.
         */
        const commit = Effect.fnUntraced(function* (draft: QuoteDraft, open: OpenRequest, received: ReceivedQuote) {
          const millis = yield* Clock.currentTimeMillis
          const row = newSwapRow(draft, received.response, { ...open, hasApiKey: options.hasApiKey, millis })
          return yield* Effect.gen(function* () {
            if (!(yield* requests.finish(open))) return false
            if (!(yield* swaps.add({ row, signedQuote: received.raw }))) return yield* new AddressTaken()
            return true
          }).pipe(sql.withTransaction, Effect.uninterruptible, Effect.catchTag("SqlError", Effect.die))
        })

        const refuse = Effect.fnUntraced(function* (open: OpenRequest, received: ReceivedQuote, reason: string) {
          yield* Effect.orDie(requests.refuse(open, reason, received.raw))
          yield* Effect.logError("A quote of the swap service cannot be trusted and is refused").pipe(
            Effect.annotateLogs({ requestId: open.id, reason, correlationId: received.response.correlationId }),
          )
          return yield* new QuoteNotTrusted({ reason })
        })

        const make = Effect.fnUntraced(function* (draft: QuoteDraft, open: OpenRequest) {
          const received = yield* ask(draft)
          const distrusted = yield* distrust(draft, received)
          if (distrusted !== undefined) return yield* refuse(open, received, distrusted)
          return yield* commit(draft, open, received).pipe(
            Effect.catchTag("AddressTaken", () =>
              refuse(open, received, "quote.depositAddress is that of another swap"),
            ),
          )
        })

        const real = Effect.fn("BridgeQuotes.real")(function* (
          draft: QuoteDraft,
          key: string | undefined,
          hash: string,
        ) {
          for (;;) {
            const id = ids.next(yield* Clock.currentTimeMillis)
            const begun = yield* requests.begin(id, key, hash)
            if ("quoted" in begun) return yield* again(begun.quoted)
            const isCommitted = yield* make(draft, begun.open).pipe(
              // Also when the caller disconnects: nothing was disclosed, and the key is free again.
              Effect.onExit((exit) =>
                exit._tag === "Success" ? Effect.void : Effect.orDie(requests.drop(begun.open)),
              ),
            )
            if (isCommitted) return yield* again(begun.open.id)
          }
        })

        const quote = Effect.fn("BridgeQuotes.quote")(function* (request: BridgeQuoteRequest, key: string | undefined) {
          const isDry = request.dry ?? true
          const hash = requestHash(request)
          if (!isDry && key !== undefined) {
            const known = yield* requests.known(key, hash)
            if (known !== undefined) return yield* again(known)
          }
          const draft = yield* quoteDraft(request, tokens, yield* Clock.currentTimeMillis)
          if (isDry) return yield* dry(draft)
          // The record of the transfer is listed for this user.
          if (isAddress(draft.userAddress)) yield* requireWallet(draft.userAddress, "the user of the transfer")
          return yield* real(draft, key, hash)
        })

        return BridgeQuotes.of({ quote })
      }),
    )
}
