import { decodeTransaction } from "@launch-registry/chain/events/DecodeTransaction"
import type { RawTransaction } from "@launch-registry/chain/transactions/RawTransaction"
import { DAMM_V1_PROGRAM, DAMM_V2_PROGRAM, DBC_PROGRAM, NATIVE_MINT } from "@launch-registry/chain/accounts/Programs"
import { NATIVE_DECIMALS } from "@launch-registry/chain/pools/Pools"
import type { Rpc } from "@launch-registry/chain/rpc/Rpc"
import { TRANSACTION_VERSION_MAX } from "@launch-registry/chain/rpc/TransactionVersion"
import type { Signature } from "@solana/kit"
import { Effect } from "effect"
import type { TradeRecord } from "./TradeRecords.ts"
import { type ChainTrade, tradeVerdict, type TradeVerdict } from "./TradeVerdict.ts"

/** What a token account held before or after; the account by its index in the transaction. */
interface OwnedBalance {
  readonly accountIndex: number
  readonly mint: string
  /** Nodes leave it out of old transactions. */
  readonly owner?: string
  readonly uiTokenAmount: { readonly amount: string; readonly decimals: number }
}

/** A landed transaction as a node answers it in JSON. */
interface Landed extends RawTransaction {
  readonly meta: RawTransaction["meta"] & {
    readonly fee?: number
    readonly preBalances?: ReadonlyArray<number> | null
    readonly postBalances?: ReadonlyArray<number> | null
    readonly preTokenBalances?: ReadonlyArray<OwnedBalance> | null
    readonly postTokenBalances?: ReadonlyArray<OwnedBalance> | null
  }
  readonly transaction: RawTransaction["transaction"] & {
    readonly message: { readonly addressTableLookups?: ReadonlyArray<unknown> | null }
  }
}

const VENUE_PROGRAMS = [DBC_PROGRAM, DAMM_V2_PROGRAM, DAMM_V1_PROGRAM]
const UNKNOWN: TradeVerdict = { _tag: "Unknown" }
const NO_TRADE: TradeVerdict = { _tag: "Contradicted", contradictions: [] }

const asJson = (answer: object): Landed =>
  JSON.parse(
    JSON.stringify(answer, (_, value: unknown) => (typeof value === "bigint" ? Number(value) : value)),
  ) as Landed

const accountsOf = ({ meta: { loadedAddresses }, transaction }: Landed): ReadonlyArray<string> => [
  ...transaction.message.accountKeys,
  ...(loadedAddresses?.writable ?? []),
  ...(loadedAddresses?.readonly ?? []),
]

/** What is absent is unknown: a node that did not record it leaves it out. */
const isWhole = ({ meta, transaction: { message } }: Landed): boolean =>
  Array.isArray(meta.innerInstructions) &&
  ((message.addressTableLookups ?? []).length === 0 || (meta.loadedAddresses ?? null) !== null)

/** What a wallet's holdings of a token changed by; `undefined` where the node does not say. */
const changeOf = (landed: Landed, wallet: string, mint: string): { amount: bigint; decimals: number } | undefined => {
  const { fee = 0, postBalances, postTokenBalances, preBalances, preTokenBalances } = landed.meta
  if (!Array.isArray(preTokenBalances) || !Array.isArray(postTokenBalances)) return undefined
  const all = [...preTokenBalances, ...postTokenBalances] as ReadonlyArray<OwnedBalance>
  if (all.some(({ owner }) => typeof owner !== "string")) return undefined
  const own = (balances: ReadonlyArray<OwnedBalance>) => balances.filter(({ owner }) => owner === wallet)
  const held = (balances: ReadonlyArray<OwnedBalance>) =>
    own(balances).reduce((sum, one) => (one.mint === mint ? sum + BigInt(one.uiTokenAmount.amount) : sum), 0n)
  const tokens = held(postTokenBalances) - held(preTokenBalances)
  if (mint !== NATIVE_MINT) {
    const known = all.find((one) => one.mint === mint)
    return { amount: tokens, decimals: known?.uiTokenAmount.decimals ?? 0 }
  }
  const lamports = (...at: ReadonlyArray<number>) =>
    at.reduce((sum, one) => sum + (postBalances?.[one] ?? Number.NaN) - (preBalances?.[one] ?? Number.NaN), 0)
  const index = accountsOf(landed).indexOf(wallet)
  // Who pays the fee pays the rent of its token accounts, which is no payment: with that and wrapped SOL, their lamports are its own.
  const change =
    index === 0
      ? lamports(0, ...new Set(own(all).map(({ accountIndex }) => accountIndex))) + fee
      : lamports(index) + Number(tokens)
  return Number.isNaN(change) ? undefined : { amount: BigInt(change), decimals: NATIVE_DECIMALS }
}

/**
 * A trade on a pool that is no launch's, or that was paid in another token: what the user's own holdings changed by, where the pool took
 * part and the user signed.
 */
const tradeOfHoldings = (landed: Landed, record: TradeRecord, signers: ReadonlySet<string>): TradeVerdict => {
  const { action, baseToken, poolAddress, quoteToken, userAddress } = record
  if (!signers.has(userAddress) || !accountsOf(landed).includes(poolAddress)) return NO_TRADE
  const base = changeOf(landed, userAddress, baseToken)
  const quote = changeOf(landed, userAddress, quoteToken)
  if (base === undefined || quote === undefined) return UNKNOWN
  const [got, paid] = action === "BUY" ? [base.amount, quote.amount] : [quote.amount, base.amount]
  const [gotMint, paidMint] = action === "BUY" ? [baseToken, quoteToken] : [quoteToken, baseToken]
  const wrong = [...(got > 0n ? [] : [gotMint]), ...(paid < 0n ? [] : [paidMint])]
  // SOL that it was also paid or tipped can outweigh its trade, and says no side then; a token does.
  if (wrong.length > 0) return wrong.every((mint) => mint === NATIVE_MINT) ? UNKNOWN : NO_TRADE
  const size = (amount: bigint) => (amount < 0n ? -amount : amount)
  const trade: ChainTrade = {
    ...{ pool: poolAddress, baseMint: baseToken, quoteMint: quoteToken, trader: userAddress, side: action },
    ...{ baseAmount: size(base.amount), baseDecimals: base.decimals },
    ...{ quoteAmount: size(quote.amount), quoteDecimals: quote.decimals, isOfLaunch: false },
  }
  return tradeVerdict(record, [trade])
}

/** Decimals of each mint that the transaction moved. */
const decimalsOf = ({ meta: { postTokenBalances, preTokenBalances } }: Landed): ReadonlyMap<string, number> =>
  new Map([
    [NATIVE_MINT, NATIVE_DECIMALS],
    ...[...(preTokenBalances ?? []), ...((postTokenBalances ?? []) as ReadonlyArray<OwnedBalance>)].map(
      ({ mint, uiTokenAmount: { decimals } }): [string, number] => [mint, decimals],
    ),
  ])

/** What a landed transaction, as a node answered it, says of a record. Its balances may have any form: then it says nothing. */
export const landedVerdict = (answer: object, record: TradeRecord): TradeVerdict => {
  try {
    return verdictOf(asJson(answer), record)
  } catch {
    return UNKNOWN
  }
}

const verdictOf = (landed: Landed, record: TradeRecord): TradeVerdict => {
  if (landed.meta.err !== null || !isWhole(landed)) return UNKNOWN
  const signers = new Set(landed.transaction.message.accountKeys.slice(0, landed.transaction.signatures.length))
  const decimals = decimalsOf(landed)
  const events = decodeTransaction(landed)
  const trades = events.flatMap((event): ReadonlyArray<ChainTrade> => {
    if (event.type !== "Swapped") return []
    const { amountIn, amountOut, baseMint, pool, quoteMint, side, trader, venue } = event
    const [baseAmount, quoteAmount] = side === "BUY" ? [amountOut, amountIn] : [amountIn, amountOut]
    const units = {
      baseDecimals: decimals.get(baseMint) ?? null,
      quoteDecimals: decimals.get(quoteMint) ?? null,
    }
    // Anybody can open another AMM pool of a token; a mint has one curve.
    const isOfLaunch = venue === "dbc" || (record.isPoolOfLaunch && pool === record.poolAddress)
    return [{ pool, baseMint, quoteMint, trader, side, baseAmount, quoteAmount, ...units, isOfLaunch }]
  })
  if (trades.length > 0) {
    const verdict = tradeVerdict(record, trades, signers)
    const isRoute = trades.some((one) => one.pool === record.poolAddress && one.quoteMint !== record.quoteToken)
    return verdict._tag === "Unknown" && isRoute ? tradeOfHoldings(landed, record, signers) : verdict
  }
  if (!record.isPoolOfLaunch) return tradeOfHoldings(landed, record, signers)
  // A call of these programs that succeeds emits an event: without one the answer may be cut.
  const accounts = accountsOf(landed)
  return events.length === 0 && VENUE_PROGRAMS.some((program) => accounts.includes(program)) ? UNKNOWN : NO_TRADE
}

/** Reads a transaction that landed; `undefined` where no node has it. */
export const readLanded = (rpc: Rpc["Service"], signature: string) =>
  rpc
    .call((kit) =>
      kit.getTransaction(signature as Signature, {
        ...{ commitment: "confirmed", encoding: "json", maxSupportedTransactionVersion: TRANSACTION_VERSION_MAX },
      }),
    )
    .pipe(Effect.map((answer) => answer ?? undefined))
