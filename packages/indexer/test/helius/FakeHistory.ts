import type { RawTransaction } from "@launch-registry/chain/transactions/RawTransaction"
import { isAddress } from "./WebhookRequest.ts"

export type Landed = RawTransaction & { readonly transactionIndex: number }

/** The data of `getTransactionsForAddress`, and its requests. */
export interface FakeHistory {
  /** In the order of the chain. */
  landed: ReadonlyArray<Landed>
  finalizedSlot: number
  /** Maximum whole transactions per page: the documentation says both 100 and 1,000. */
  fullMax: number
  asked: Array<AskedConfig>
  /** Changes a result before it is sent. */
  tamper?: (result: HistoryResult) => unknown
}

export interface AskedConfig {
  readonly transactionDetails: "full" | "signatures"
  readonly limit: number
  readonly maxSupportedTransactionVersion?: number
  readonly minContextSlot?: number
  readonly paginationToken?: string
  readonly filters: { readonly slot: { readonly gte: number; readonly lte: number }; readonly status: string }
}

export interface HistoryResult {
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly data: ReadonlyArray<any>
  readonly paginationToken: string | null
}

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0

/** Why the parameters are invalid (openapi/rpc-http/getTransactionsForAddress.yaml). */
const faultOf = (history: FakeHistory, address: unknown, config: Record<string, unknown>): string | undefined => {
  const { commitment, encoding, filters, limit, maxSupportedTransactionVersion, ...rest } = config
  const { minContextSlot, paginationToken, sortOrder, transactionDetails, ...more } = rest
  const unknown = Object.keys(more)[0]
  if (unknown !== undefined) return `unknown parameter ${unknown}`
  if (typeof address !== "string" || !isAddress(address)) return "address"
  if (transactionDetails !== "full" && transactionDetails !== "signatures") return "transactionDetails"
  if (sortOrder !== "asc" || commitment !== "finalized" || !isCount(minContextSlot ?? 0)) return "order or commitment"
  const max = transactionDetails === "full" ? history.fullMax : 1_000
  if (!isCount(limit) || limit === 0 || (limit as number) > max) return "limit"
  if (transactionDetails === "full" && (encoding !== "json" || maxSupportedTransactionVersion !== 1)) return "encoding"
  if (paginationToken !== undefined && !/^\d+:\d+$/.test(String(paginationToken))) return "paginationToken"
  const { slot, status, ...other } = filters as { slot: AskedConfig["filters"]["slot"]; status: string }
  if (Object.keys(other).length > 0 || !["any", "succeeded", "failed"].includes(status)) return "filters"
  return isCount(slot.gte) && isCount(slot.lte) ? undefined : "slot"
}

export const answerHistory = (
  history: FakeHistory,
  text: string,
  say: (status: number, body: unknown) => void,
): void => {
  const { id, method, params } = JSON.parse(text)
  const fail = (status: number, code: number, message: string) =>
    say(status, { jsonrpc: "2.0", id, error: { code, message } })
  if (method !== "getTransactionsForAddress") return fail(200, -32601, "Method not found")
  const fault = faultOf(history, params[0], params[1])
  if (fault !== undefined) return fail(400, -32602, `Invalid params: ${fault}`)
  const config = params[1] as AskedConfig
  history.asked.push(config)
  if ((config.minContextSlot ?? 0) > history.finalizedSlot)
    return fail(200, -32016, "Minimum context slot has not been reached")

  const [slotAfter, indexAfter] = (config.paginationToken ?? "-1:-1").split(":").map(Number) as [number, number]
  const { slot, status } = config.filters
  const matching = history.landed.filter(
    (one) =>
      one.slot >= slot.gte &&
      one.slot <= slot.lte &&
      (one.slot > slotAfter || (one.slot === slotAfter && one.transactionIndex > indexAfter)) &&
      (status === "any" || (one.meta.err === null) === (status === "succeeded")),
  )
  const page = matching.slice(0, config.limit)
  const last = page.at(-1)
  const result: HistoryResult = {
    data: config.transactionDetails === "full" ? page : page.map(nameOf),
    paginationToken:
      last !== undefined && matching.length > page.length ? `${last.slot}:${last.transactionIndex}` : null,
  }
  say(200, { jsonrpc: "2.0", id, result: history.tamper === undefined ? result : history.tamper(result) })
}

const nameOf = ({ blockTime, meta, slot, transaction, transactionIndex }: Landed) => ({
  signature: transaction.signatures[0],
  slot,
  transactionIndex,
  err: meta.err,
  memo: null,
  blockTime,
  confirmationStatus: "finalized",
})
