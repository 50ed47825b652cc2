import type { RawInstruction, RawTransaction } from "@launch-registry/chain/transactions/RawTransaction"

type Inner = NonNullable<RawTransaction["meta"]["innerInstructions"]>
type Cut = (whole: RawTransaction) => unknown

const withMeta = (whole: RawTransaction, meta: object) => ({ ...whole, meta: { ...whole.meta, ...meta } })
const withInner = (whole: RawTransaction, change: (inner: Inner) => Inner) =>
  withMeta(whole, { innerInstructions: change(whole.meta.innerInstructions ?? []) })
const withMessage = (whole: RawTransaction, message: object): RawTransaction => ({
  ...whole,
  transaction: { ...whole.transaction, message: { ...whole.transaction.message, ...message } },
})
const without = (whole: object, name: string) =>
  Object.fromEntries(Object.entries(whole).filter(([key]) => key !== name))
const withoutMeta = (whole: RawTransaction, name: string) => ({ ...whole, meta: without(whole.meta, name) })

/** All calls that a transaction's instructions made, up to one of them. */
const upTo = (inner: Inner, count: number): Inner => {
  let left = count
  return inner.flatMap(({ index, instructions }) => {
    const kept = instructions.slice(0, Math.max(left, 0))
    left -= instructions.length
    return kept.length === 0 ? [] : [{ index, instructions: kept }]
  })
}
const countOf = (inner: Inner): number => inner.reduce((sum, { instructions }) => sum + instructions.length, 0)

const parsed = (one: RawInstruction) => ({ programId: String(one.programIdIndex), parsed: { type: "swap" } })

const withNul = (key: string): string => (/^(dbcij|cpamd|Eo7Wj)/.test(key) ? key : `\u0000${key}`)

/** The ways in which sources leave out a part of a transaction that was seen as a whole. */
export const CUTS = {
  "inner instructions null": (whole) => withMeta(whole, { innerInstructions: null }),
  "no inner instructions": (whole) => withoutMeta(whole, "innerInstructions"),
  "inner instructions empty": (whole) => withInner(whole, () => []),
  "the last call cut off": (whole) => withInner(whole, (inner) => upTo(inner, countOf(inner) - 1)),
  "half of the calls cut off": (whole) => withInner(whole, (inner) => upTo(inner, Math.floor(countOf(inner) / 2))),
  "all calls but the first cut off": (whole) => withInner(whole, (inner) => upTo(inner, 1)),
  "the calls of the last instruction cut off": (whole) => withInner(whole, (inner) => inner.slice(0, -1)),
  "meta null": (whole) => ({ ...whole, meta: null }),
  "no meta": (whole) => without(whole, "meta"),
  "no outcome": (whole) => withoutMeta(whole, "err"),
  "addresses of lookup tables null": (whole) => withMeta(whole, { loadedAddresses: null }),
  "no addresses of lookup tables": (whole) => withoutMeta(whole, "loadedAddresses"),
  "addresses of lookup tables empty": (whole) => withMeta(whole, { loadedAddresses: { writable: [], readonly: [] } }),
  "block time null": (whole) => ({ ...whole, blockTime: null }),
  "no block time": (whole) => without(whole, "blockTime"),
  "account keys parsed": (whole) =>
    withMessage(whole, {
      accountKeys: whole.transaction.message.accountKeys.map((pubkey) => ({ pubkey, signer: false, writable: true })),
    }),
  "no account keys": (whole) => withMessage(whole, { accountKeys: undefined }),
  "the last account keys cut off": (whole) =>
    withMeta(withMessage(whole, { accountKeys: whole.transaction.message.accountKeys.slice(0, 2) }), {
      loadedAddresses: null,
    }),
  "instructions parsed": (whole) =>
    withMessage(whole, { instructions: whole.transaction.message.instructions.map(parsed) }),
  "instructions empty": (whole) => withMessage(whole, { instructions: [] }),
  "account keys with NUL": (whole) =>
    withMessage(whole, { accountKeys: whole.transaction.message.accountKeys.map((key) => withNul(key)) }),
  "a block time beyond all calendars": (whole) => ({ ...whole, blockTime: 9e15 }),
  "a place that no block has": (whole) => ({ ...whole, indexWithinBlock: 2 ** 40 }),
  "no slot": (whole) => without(whole, "slot"),
  "no transaction": (whole) => without(whole, "transaction"),
  "neither logs nor calls": (whole) => withMeta(whole, { logMessages: null, innerInstructions: [] }),
  "no balances": (whole) => withoutMeta(whole, "postTokenBalances"),
} as const satisfies Readonly<Record<string, Cut>>

export type CutName = keyof typeof CUTS
export const CUT_NAMES = Object.keys(CUTS) as ReadonlyArray<CutName>
