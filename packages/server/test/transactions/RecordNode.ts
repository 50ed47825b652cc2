import { encodeBase58 } from "@launch-registry/domain/solana/Base58"
import { Effect } from "effect"
import { result, standInNode } from "../../../chain/test/rpc/StandInNode.ts"
import { SOL } from "../../../service/test/Samples.ts"

/** Signatures for tests, one per seed. */
export const signature = (seed: number) => {
  const bytes = Uint8Array.from({ length: 64 }, (_, at) => (at * 7) % 251)
  new DataView(bytes.buffer).setUint32(0, seed)
  return encodeBase58(bytes)
}

/** What a record says of its trade, as far as a node needs it. */
interface SentTrade {
  readonly userAddress: string
  readonly action: string
  readonly baseToken: string
  readonly quoteToken: string
  readonly poolAddress: string
}

const sentTrades = new Map<string, SentTrade>()

/** From now on every node that knows this signature has such a trade for it, on a pool of another program. */
export const willTrade = (txHash: string, sent: SentTrade) => void sentTrades.set(txHash, sent)

/** The answer of `getTransaction` for the trade of a record: its user paid 3 and got 2, in smallest units. */
export const tradedAnswer = (
  txHash: string,
  { action, baseToken, poolAddress, quoteToken, userAddress }: SentTrade,
  meta: Readonly<Record<string, unknown>> = {},
) => {
  const balance = (accountIndex: number, mint: string, amount: number) => ({
    ...{ accountIndex, mint, owner: userAddress },
    uiTokenAmount: { amount: String(amount), decimals: 0 },
  })
  const isBuy = action === "BUY"
  const held = (base: number, quote: number) => [balance(2, baseToken, base), balance(3, quoteToken, quote)]
  const [before, after] = isBuy ? [held(0, 3), held(2, 0)] : [held(3, 0), held(0, 2)]
  // An account of wrapped SOL has as many lamports.
  const lamports = (balances: typeof before) =>
    balances.map(({ mint, uiTokenAmount }) => (mint === SOL ? Number(uiTokenAmount.amount) : 0))
  return {
    slot: 90,
    blockTime: 1_700_000_000,
    version: "legacy",
    meta: {
      err: null,
      fee: 5_000,
      preBalances: [10_000, 0, ...lamports(before)],
      postBalances: [5_000, 0, ...lamports(after)],
      preTokenBalances: before,
      postTokenBalances: after,
      innerInstructions: [],
      ...meta,
    },
    transaction: {
      signatures: [txHash],
      message: { accountKeys: [userAddress, poolAddress, baseToken, quoteToken], instructions: [] },
    },
  }
}

export const landed = { slot: 90, confirmations: null, err: null, confirmationStatus: "finalized" }
export const failed = { ...landed, err: { InstructionError: [2, { Custom: 6002 }] } }
/** A block holds it, but its fee payer could not pay. */
export const unexecuted = { ...landed, err: "InsufficientFundsForFee" }
export const processed = { ...landed, confirmationStatus: "processed" }

/** The state of a node and its signatures; tests change it. */
export interface NodeFacts {
  statuses: Readonly<Record<string, object>>
  /** Answers of `getTransaction`; others are of trades as they were sent. */
  transactions: Readonly<Record<string, object | null>>
  /** Its processed slot. */
  slot: number
  finalizedSlot: number
  finalizedHeight: number
  /** Time of the finalized block, in milliseconds since 1970. */
  readonly finalizedMillis: () => number
  /** Slot, height and time of the oldest block it keeps. */
  firstSlot: number
  firstHeight: number
  firstMillis: number
}

/** A node with a complete ledger, at slot 5000 and block height 4000, that knows no transaction. */
export const recordNode = Effect.fn(function* (changes: Partial<NodeFacts> = {}) {
  const facts: NodeFacts = {
    statuses: {},
    transactions: {},
    slot: 5_032,
    finalizedSlot: 5_000,
    finalizedHeight: 4_000,
    finalizedMillis: () => Date.now(),
    firstSlot: 0,
    firstHeight: 0,
    firstMillis: 0,
    ...changes,
  }
  const node = yield* standInNode
  const answers: Readonly<Record<string, (params: ReadonlyArray<unknown>) => unknown>> = {
    getEpochInfo: () => ({
      absoluteSlot: facts.finalizedSlot,
      blockHeight: facts.finalizedHeight,
      epoch: 0,
      slotIndex: facts.finalizedSlot,
      slotsInEpoch: 432_000,
      transactionCount: null,
    }),
    getSignatureStatuses: ([asked]) => ({
      context: { slot: facts.slot },
      value: (asked as ReadonlyArray<string>).map((one) => facts.statuses[one] ?? null),
    }),
    getTransaction: ([asked]) => {
      const [txHash, sent] = [asked as string, sentTrades.get(asked as string)]
      if (facts.transactions[txHash] !== undefined) return facts.transactions[txHash]
      return sent === undefined ? null : tradedAnswer(txHash, sent)
    },
    getFirstAvailableBlock: () => facts.firstSlot,
    getBlock: () => ({
      blockHeight: facts.firstHeight,
      blockTime: Math.floor(facts.firstMillis / 1_000),
      blockhash: "4QjEBrJnATvydaCoPb7j4cneA5vSJNFsAYHQwRAjAjmQ",
      parentSlot: facts.firstSlot - 1,
      previousBlockhash: "4QjEBrJnATvydaCoPb7j4cneA5vSJNFsAYHQwRAjAjmQ",
    }),
    getBlockTime: () => Math.floor(facts.finalizedMillis() / 1_000),
  }
  const behave = () => {
    for (const [method, answer] of Object.entries(answers))
      node.behave(method, (response, call) => result(answer(call.params))(response, call))
  }
  behave()
  return Object.assign(facts, {
    node,
    /** Removes the faults of a test. */
    recover: () => {
      node.recover()
      behave()
    },
  })
})

export type RecordNode = Effect.Success<ReturnType<typeof recordNode>>
