import type { CheckedMethod } from "../../../src/rpc/Methods.ts"

export const KEY = "4QjEBrJnATvydaCoPb7j4cneA5vSJNFsAYHQwRAjAjmQ"
const OTHER_KEY = "2gPJHzn5khcuAjvLQxyVVyLDTAyvj1Xx8chWb4PPg1CR"
export const SIGNATURE = "5".repeat(87)
const SLOT = 371_000_000

/** A result with only the checked fields, and other valid values of these. */
export interface SampleResult {
  readonly params: ReadonlyArray<unknown>
  readonly result: unknown
  /** By path, valid values other than the sample's; `undefined` where a field may be missing. */
  readonly alsoRight?: Readonly<Record<string, ReadonlyArray<unknown>>>
}

const BASE64 = { encoding: "base64" }
const account = { lamports: 2_039_280, owner: KEY, data: ["AAECAwQ=", "base64"], space: 5 }
const sliced = { lamports: 2_039_280, owner: KEY, data: ["AAECAwQ=", "base64"] }
const inContext = (value: unknown) => ({ context: { slot: SLOT }, value })
const instruction = { programIdIndex: 1, accounts: [0], data: "3Bxs", stackHeight: 1 }

/** Left out, or `null`. */
const OPTIONAL = [undefined, null]
const ERROR = [null, "l".repeat(44), "AccountInUse", { InstructionError: [2, { Custom: 6002 }] }]
const COUNTS = { "": [0] }
const SLICE = { encoding: "base64", dataSlice: { offset: 32, length: 5 } }
const instructionAt = (path: string) => ({
  [`${path}.accounts`]: [[]],
  [`${path}.data`]: ["5", ""],
  [`${path}.stackHeight`]: OPTIONAL,
})

/** A sample for every method that can be called. */
export const SAMPLE_RESULTS: Readonly<Record<CheckedMethod, SampleResult>> = {
  getBalance: { params: [KEY], result: inContext(5) },
  getBlock: {
    params: [SLOT, { transactionDetails: "signatures" }],
    result: { blockHeight: 350_000_000, blockTime: 1_800_000_000, signatures: [SIGNATURE] },
    alsoRight: { "": [null], blockHeight: OPTIONAL, blockTime: OPTIONAL, signatures: [[]] },
  },
  getBlockHeight: { params: [], result: 350_000_000, alsoRight: COUNTS },
  getBlockTime: { params: [SLOT], result: 1_800_000_000, alsoRight: { "": [null] } },
  getEpochInfo: { params: [], result: { absoluteSlot: SLOT, blockHeight: 350_000_000 } },
  getFirstAvailableBlock: { params: [], result: 0 },
  getGenesisHash: { params: [], result: KEY },
  getLatestBlockhash: { params: [], result: inContext({ blockhash: KEY, lastValidBlockHeight: 350_000_150 }) },
  isBlockhashValid: { params: [KEY], result: inContext(true), alsoRight: { value: [false] } },
  getMinimumBalanceForRentExemption: { params: [0], result: 890_880 },
  getMultipleAccounts: {
    params: [[KEY, OTHER_KEY], BASE64],
    result: inContext([account, null]),
    alsoRight: { "value.0": OPTIONAL, "value.0.space": [undefined], "value.1": [] },
  },
  getProgramAccounts: {
    params: [KEY, SLICE],
    result: [{ pubkey: OTHER_KEY, account: sliced }],
    alsoRight: { "": [[]] },
  },
  getRecentPrioritizationFees: {
    params: [[KEY]],
    result: [{ slot: SLOT, prioritizationFee: 10_000 }],
    alsoRight: { "": [[]] },
  },
  getSignatureStatuses: {
    params: [[SIGNATURE]],
    result: inContext([{ slot: SLOT, err: null, confirmationStatus: "confirmed" }]),
    alsoRight: { "value.0": OPTIONAL, "value.0.err": ERROR, "value.0.confirmationStatus": OPTIONAL },
  },
  getSignaturesForAddress: {
    params: [KEY, { limit: 1 }],
    result: [{ signature: SIGNATURE, slot: SLOT, err: null }],
    alsoRight: { "": [[]], "0.err": ERROR },
  },
  getSlot: { params: [], result: SLOT },
  getTokenLargestAccounts: {
    params: [KEY],
    result: inContext([{ address: OTHER_KEY }]),
    alsoRight: { value: [[]] },
  },
  getTransaction: {
    params: [SIGNATURE],
    result: {
      slot: SLOT,
      blockTime: 1_800_000_000,
      transactionIndex: 7,
      meta: {
        err: null,
        innerInstructions: [{ index: 0, instructions: [instruction] }],
        loadedAddresses: { writable: [KEY], readonly: [KEY] },
        logMessages: ["Program log: no"],
      },
      transaction: { message: { accountKeys: [KEY, OTHER_KEY], instructions: [instruction] }, signatures: [SIGNATURE] },
    },
    alsoRight: {
      "": [null],
      blockTime: OPTIONAL,
      transactionIndex: OPTIONAL,
      "meta.err": ERROR,
      "meta.innerInstructions": [...OPTIONAL, []],
      "meta.innerInstructions.0.instructions": [[]],
      ...instructionAt("meta.innerInstructions.0.instructions.0"),
      "meta.loadedAddresses": OPTIONAL,
      "meta.loadedAddresses.writable": [[]],
      "meta.loadedAddresses.readonly": [[]],
      "meta.logMessages": [...OPTIONAL, []],
      "meta.logMessages.0": ["5", "", "é", "l".repeat(44), "1".repeat(20_000)],
      "transaction.message.instructions": [[]],
      ...instructionAt("transaction.message.instructions.0"),
    },
  },
  requestAirdrop: { params: [KEY, 1], result: SIGNATURE },
  sendTransaction: { params: ["AQ=="], result: SIGNATURE },
  simulateTransaction: {
    params: ["AQ=="],
    result: inContext({ err: null, logs: ["Program log: no"], unitsConsumed: 60_000 }),
    alsoRight: {
      "value.err": ERROR,
      "value.logs": [null, []],
      "value.logs.0": ["5", "", "é", "l".repeat(44), "1".repeat(20_000)],
      "value.unitsConsumed": OPTIONAL,
    },
  },
}
