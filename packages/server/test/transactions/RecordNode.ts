import { encodeBase58 } from "@launch-registry/solana/Base58"
import { Effect } from "effect"
import { result, standInNode } from "../../../chain/test/rpc/StandInNode.ts"

/** Signatures for tests, one per seed. */
export const signature = (seed: number) => {
  const bytes = Uint8Array.from({ length: 64 }, (_, at) => (at * 7) % 251)
  new DataView(bytes.buffer).setUint32(0, seed)
  return encodeBase58(bytes)
}

export const landed = { slot: 90, confirmations: null, err: null, confirmationStatus: "finalized" }
export const failed = { ...landed, err: { InstructionError: [2, { Custom: 6002 }] } }
export const processed = { ...landed, confirmationStatus: "processed" }

/** The state of a node and its signatures; tests change it. */
export interface NodeFacts {
  statuses: Readonly<Record<string, object>>
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
