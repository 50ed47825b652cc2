import { DBC_PROGRAM } from "@launch-registry/chain/accounts/Programs"
import { HttpConnection } from "@launch-registry/chain/rpc/HttpConnection"
import { AnswerTooLarge, type HttpReply } from "@launch-registry/chain/rpc/HttpTarget"
import { parseLossless } from "@launch-registry/chain/rpc/LosslessJson"
import { TRANSACTION_VERSION_MAX, UNSUPPORTED_VERSION } from "@launch-registry/chain/rpc/TransactionVersion"
import { Context, Effect, Layer, Predicate, type Redacted } from "effect"
import { faultOfStatus, HeliusRefused, HeliusUnavailable } from "./HeliusErrors.ts"
import { type HistoryDetails, type HistoryPage, pageOf } from "./HistoryPage.ts"

const METHOD = "getTransactionsForAddress"
/** A thousand whole transactions have some 10 MB. */
const ANSWER_BYTES_MAX = 64 * 1024 * 1024
const PAGE_SIZE = 1_000
/** The page size for whole transactions by older documentation, and perhaps on older plans. */
const SMALL_PAGE_SIZE = 100
/** A thousand whole transactions are some 10 MB; Helius advises 30 to 60 s. */
const DEADLINE_MILLIS = 30_000

/** JSON-RPC: invalid request, no such method, invalid parameters, a transaction version beyond what was asked for. */
const REFUSALS = new Set([-32600, -32601, -32602, UNSUPPORTED_VERSION])
const INVALID_PARAMS = -32602

/** A page to ask for; slots are inclusive. A token is valid only with the range, details and status it came from. */
export interface HistoryRequest<D extends HistoryDetails> {
  /** Whose transactions; of the DBC program unless said otherwise. */
  readonly address?: string
  readonly fromSlot: number
  /** At most the finalized slot: a node that has not reached it answers with an error instead of a partial page. */
  readonly toSlot: number
  readonly details: D
  readonly token?: string | undefined
  /** Of signatures, a thousand by default. */
  readonly limit?: number
  /** `any` by default. Failed transactions emit no events but fill pages, which cost 100 credits each. */
  readonly status?: "any" | "succeeded"
}

/**
 * Finalized transactions in the order of the chain: `getTransactionsForAddress`, which only Helius has
 * (https://www.helius.dev/docs/api-reference/rpc/http/gettransactionsforaddress). Reaches back to the start on mainnet
 * and two weeks on devnet.
 *
 * Whole numbers of transactions are exact: those beyond 2^53, such as large balances, are bigints.
 */
export class HeliusHistory extends Context.Service<
  HeliusHistory,
  {
    /**
     * One page, oldest first; never a partial one. Fails with `HeliusUnavailable` when there is no answer, a temporary
     * error, or an answer that is not as documented (`malformed`); with `HeliusRefused` when the key or plan lacks this
     * method, or a parameter is not accepted.
     */
    readonly page: <D extends HistoryDetails>(
      request: HistoryRequest<D>,
    ) => Effect.Effect<HistoryPage<D>, HeliusUnavailable | HeliusRefused>
  }
>()("@launch-registry/indexer/helius/HeliusHistory") {
  /** `rpcUrl` holds the key. */
  static readonly layer = (options: { readonly rpcUrl: Redacted.Redacted }) =>
    Layer.effect(
      HeliusHistory,
      Effect.gen(function* () {
        const connection = yield* Effect.acquireRelease(
          Effect.sync(() => new HttpConnection(options.rpcUrl, ANSWER_BYTES_MAX)),
          (open) => Effect.promise(() => open.close()),
        )
        let fullSize = PAGE_SIZE

        const pageOfSize = Effect.fnUntraced(function* <D extends HistoryDetails>(
          request: HistoryRequest<D>,
          limit: number,
        ) {
          const body = JSON.stringify({
            jsonrpc: "2.0",
            id: "history",
            method: METHOD,
            params: [request.address ?? DBC_PROGRAM, configOf(request, limit)],
          })
          const result = yield* Effect.flatMap(posted(connection, body), readResult)
          const page = pageOf(result, { ...request, token: request.token, limit })
          return page ?? (yield* new HeliusUnavailable({ reason: "malformed", status: 200 }))
        })

        const page = <D extends HistoryDetails>(request: HistoryRequest<D>) => {
          if (request.details !== "full") return pageOfSize(request, request.limit ?? PAGE_SIZE)
          if (fullSize === SMALL_PAGE_SIZE) return pageOfSize(request, SMALL_PAGE_SIZE)
          return pageOfSize(request, PAGE_SIZE).pipe(
            Effect.catchIf(isInvalid, () =>
              // When the smaller page works, the size was the problem; otherwise the error is returned.
              Effect.tap(pageOfSize(request, SMALL_PAGE_SIZE), () => Effect.sync(() => (fullSize = SMALL_PAGE_SIZE))),
            ),
          )
        }
        return HeliusHistory.of({ page })
      }),
    )
}

const configOf = ({ details, fromSlot, status, toSlot, token }: HistoryRequest<HistoryDetails>, limit: number) => ({
  transactionDetails: details,
  sortOrder: "asc",
  commitment: "finalized",
  minContextSlot: toSlot,
  limit,
  // With no version, or one that is too low, a single newer transaction fails the page.
  ...(details === "full" ? { encoding: "json", maxSupportedTransactionVersion: TRANSACTION_VERSION_MAX } : {}),
  filters: { slot: { gte: fromSlot, lte: toSlot }, status: status ?? "any" },
  ...(token === undefined ? {} : { paginationToken: token }),
})

const posted = (connection: HttpConnection, body: string): Effect.Effect<HttpReply, HeliusUnavailable> =>
  Effect.tryPromise({
    try: (signal) => connection.post(body, signal),
    catch: (error) => new HeliusUnavailable({ reason: error instanceof AnswerTooLarge ? "too_large" : "network" }),
  }).pipe(
    Effect.timeoutOrElse({
      duration: DEADLINE_MILLIS,
      orElse: () => Effect.fail(new HeliusUnavailable({ reason: "deadline" })),
    }),
  )

/** The status decides about refused keys and server faults; bad parameters show in the status or the body. */
const readResult = ({ status, text }: HttpReply): Effect.Effect<unknown, HeliusUnavailable | HeliusRefused> => {
  const fault = faultOfStatus(status)
  if (fault?._tag === "HeliusUnavailable" || status === 401 || status === 403) return Effect.fail(fault!)
  const body = jsonOf(text)
  const error = Predicate.hasProperty(body, "error") ? body.error : undefined
  if (Predicate.isNotNullish(error)) {
    const code = Predicate.hasProperty(error, "code") && Predicate.isNumber(error.code) ? error.code : undefined
    if (code === undefined) return Effect.fail(fault ?? new HeliusUnavailable({ reason: "malformed", status }))
    return Effect.fail(
      REFUSALS.has(code)
        ? new HeliusRefused({ status, code })
        : new HeliusUnavailable({ reason: "status", status, code }),
    )
  }
  if (fault !== undefined) return Effect.fail(fault)
  return Predicate.hasProperty(body, "result")
    ? Effect.succeed(body.result)
    : Effect.fail(new HeliusUnavailable({ reason: "malformed", status }))
}

const jsonOf = (text: string): unknown => {
  try {
    return parseLossless(text)
  } catch {
    return undefined
  }
}

const isInvalid = (error: HeliusUnavailable | HeliusRefused): boolean =>
  error._tag === "HeliusRefused" && (error.status === 400 || error.code === INVALID_PARAMS)
