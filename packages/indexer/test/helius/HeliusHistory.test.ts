import { assert, describe, it } from "@effect/vitest"
import { decodeTransaction } from "@launch-registry/chain/events/DecodeTransaction"
import type { RawTransaction } from "@launch-registry/chain/transactions/RawTransaction"
import { Cause, Effect, Exit, Fiber, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import captured from "../../fixtures/captured-transactions.json" with { type: "json" }
import { HeliusHistory, type HistoryRequest } from "../../src/helius/HeliusHistory.ts"
import type { HistoryDetails, HistoryItems } from "../../src/helius/HistoryPage.ts"
import { assertNoCanary } from "./Canaries.ts"
import { API_KEY, type FakeHelius, fakeHelius } from "./FakeHelius.ts"
import type { HistoryResult, Landed } from "./FakeHistory.ts"

const ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
const originals = captured as unknown as ReadonlyArray<RawTransaction>

const signatureOf = (index: number): string =>
  `${"5".repeat(84)}${[3, 2, 1, 0].map((power) => ALPHABET[Math.floor(index / 58 ** power) % 58]).join("")}`

/** Captured transactions repeated, three in every second slot from 1,000 on; every fifth failed. */
const landedOf = (count: number): ReadonlyArray<Landed> =>
  Array.from({ length: count }, (_, index) => {
    const { indexWithinBlock: __, ...original } = originals[index % originals.length]!
    return {
      ...original,
      slot: 1_000 + Math.floor(index / 3) * 2,
      transactionIndex: (index % 3) * 100,
      meta: { ...original.meta, err: index % 5 === 4 ? "AccountInUse" : null },
      transaction: { ...original.transaction, signatures: [signatureOf(index)] },
    }
  })

const FAR = 1_000_000

const historyWith = (helius: FakeHelius, landed: ReadonlyArray<Landed>) =>
  Effect.gen(function* () {
    Object.assign(helius.history, { landed, finalizedSlot: FAR })
    const layer = HeliusHistory.layer({ rpcUrl: Redacted.make(`${helius.url}/?api-key=${API_KEY}`) })
    return yield* Effect.provide(
      Effect.gen(function* () {
        return yield* HeliusHistory
      }),
      yield* Layer.build(Layer.fresh(layer)),
    )
  })

/** All pages of a range. */
const read = <D extends HistoryDetails>(history: HeliusHistory["Service"], request: HistoryRequest<D>) =>
  Effect.gen(function* () {
    const pages: Array<ReadonlyArray<HistoryItems[D]>> = []
    let token: string | undefined
    do {
      const { items, next } = yield* history.page({ ...request, token })
      pages.push(items)
      token = next
    } while (token !== undefined)
    return pages
  })

const ALL = { fromSlot: 0, toSlot: FAR }
const sizes = (pages: ReadonlyArray<ReadonlyArray<unknown>>) => pages.map(({ length }) => length)

describe("The history of the program", () => {
  it.effect("has every transaction once, in order, with all its fields and its index in the block", () =>
    Effect.gen(function* () {
      const helius = yield* fakeHelius
      const landed = landedOf(2_350)
      const history = yield* historyWith(helius, landed)
      const pages = yield* read(history, { ...ALL, details: "full" })
      assert.deepStrictEqual(sizes(pages), [1_000, 1_000, 350])
      assert.deepStrictEqual(
        pages.flat(),
        landed.map((one) => ({ ...one, indexWithinBlock: one.transactionIndex })),
      )
      assert.deepStrictEqual(helius.history.asked[1], {
        ...{ transactionDetails: "full", sortOrder: "asc", commitment: "finalized", minContextSlot: FAR, limit: 1_000 },
        ...{ encoding: "json", maxSupportedTransactionVersion: 1, paginationToken: "1666:0" },
        filters: { slot: { gte: 0, lte: FAR }, status: "any" },
      } as never)
      const decoded = pages.flat().slice(0, originals.length).map(decodeTransaction)
      assert.isAbove(decoded.flat().length, 0)
    }),
  )

  it.effect("uses pages of a hundred when a thousand are refused, and asks for a thousand only once", () =>
    Effect.gen(function* () {
      const helius = yield* fakeHelius
      helius.history.fullMax = 100
      const history = yield* historyWith(helius, landedOf(250))
      const pages = yield* read(history, { ...ALL, details: "full" })
      assert.deepStrictEqual(sizes(pages), [100, 100, 50])
      assert.lengthOf(new Set(pages.flat().map(({ transaction }) => transaction.signatures[0])), 250)
      assert.lengthOf(helius.calls, 4)
    }),
  )

  it.effect("lists signatures, a thousand per page, including failed ones", () =>
    Effect.gen(function* () {
      const helius = yield* fakeHelius
      const landed = landedOf(1_500)
      const history = yield* historyWith(helius, landed)
      const pages = yield* read(history, { ...ALL, details: "signatures" })
      assert.deepStrictEqual(sizes(pages), [1_000, 500])
      assert.deepStrictEqual(
        pages.flat(),
        landed.map(({ meta, slot, transaction, transactionIndex }) => ({
          ...{ signature: transaction.signatures[0]!, slot, err: meta.err, transactionIndex },
        })),
      )
      const succeeded = yield* read(history, { ...ALL, details: "signatures", status: "succeeded" })
      assert.deepStrictEqual(sizes(succeeded), [1_000, 200])
    }),
  )

  it.effect("begins and ends with the requested slots", () =>
    Effect.gen(function* () {
      const history = yield* historyWith(yield* fakeHelius, landedOf(30))
      const slots = (fromSlot: number, toSlot: number) =>
        Effect.map(history.page({ fromSlot, toSlot, details: "full" }), ({ items, next }) => {
          assert.isUndefined(next)
          return items.map(({ slot }) => slot)
        })
      assert.deepStrictEqual(yield* slots(1_002, 1_004), [1_002, 1_002, 1_002, 1_004, 1_004, 1_004])
      assert.deepStrictEqual(yield* slots(1_003, 1_003), [])
    }),
  )

  it.effect("says that a page is larger than is read", () =>
    Effect.gen(function* () {
      const helius = yield* fakeHelius
      const history = yield* historyWith(helius, landedOf(1))
      helius.history.tamper = () => "1".repeat(65 * 1024 * 1024)
      const error = yield* Effect.flip(history.page({ ...ALL, details: "full" }))
      assert.deepInclude(error, { _tag: "HeliusUnavailable", reason: "too_large" })
    }),
  )

  it.effect("fails when the node has not reached the end of the range", () =>
    Effect.gen(function* () {
      const helius = yield* fakeHelius
      const history = yield* historyWith(helius, landedOf(30))
      helius.history.finalizedSlot = 1_010
      const error = yield* Effect.flip(history.page({ fromSlot: 0, toSlot: 1_011, details: "full" }))
      assert.deepInclude(error, { _tag: "HeliusUnavailable", code: -32016 })
      assert.lengthOf((yield* history.page({ fromSlot: 0, toSlot: 1_010, details: "full" })).items, 18)
    }),
  )

  const full: ReadonlyArray<readonly [why: string, tamper: (result: HistoryResult) => unknown]> = [
    ["no result", () => null],
    ["no list", ({ paginationToken }) => ({ paginationToken })],
    ["a list of another kind", () => []],
    ["a token that is none", (result) => ({ ...result, paginationToken: 7 })],
    ["an empty token", (result) => ({ ...result, paginationToken: "" })],
    ["the token it was asked with", (result) => ({ ...result, paginationToken: "1:1" })],
    [
      "a full page without a token",
      ({ data }) => ({ data: landedOf(1_000).map((_, at) => ({ ...data[0], slot: at + 1 })) }),
    ],
    ["more than were asked for", (result) => ({ ...result, data: landedOf(1_001) })],
    [
      "items of the other kind",
      ({ data }) => ({ data: [...data, { signature: signatureOf(1), slot: FAR, transactionIndex: 0, err: null }] }),
    ],
    ["a hole", ({ data }) => ({ data: [null, ...data] })],
    ["a transaction twice", ({ data }) => ({ data: [data[0], ...data] })],
    ["the newest first", ({ data }) => ({ data: data.toReversed() })],
    ["a slot before the range", ({ data }) => ({ data: [{ ...data[0], slot: 0 }, ...data] })],
    ["a slot after the range", ({ data }) => ({ data: [...data, { ...data[0], slot: FAR + 1 }] })],
    ...(
      [
        ["no place in the block", { transactionIndex: undefined }],
        ["a negative place", { transactionIndex: -1 }],
        ["a slot in words", { slot: "1000" }],
        ["a time that no clock shows", { blockTime: 1e15 }],
        ["no block time", { blockTime: undefined }],
        ["no meta", { meta: null }],
        ["no word on failure", { meta: { innerInstructions: [] } }],
        ["no transaction", { transaction: undefined }],
        ["a transaction in base64", { transaction: ["AQ==", "base64"] }],
        [
          "parsed accounts",
          {
            transaction: {
              signatures: [signatureOf(1)],
              message: { accountKeys: [{ pubkey: "a" }], instructions: [] },
            },
          },
        ],
        ["no signature", { transaction: { signatures: [], message: { accountKeys: ["a"], instructions: [] } } }],
      ] as const
    ).map(
      ([why, changes]) =>
        [
          why,
          ({ data, ...rest }: HistoryResult) => ({ ...rest, data: [{ ...data[0], ...changes }, ...data.slice(1)] }),
        ] as const,
    ),
  ]
  it.effect("rejects pages that are not as documented", () =>
    Effect.gen(function* () {
      const helius = yield* fakeHelius
      const history = yield* historyWith(helius, landedOf(9))
      const request = { fromSlot: 1, toSlot: FAR, token: "1:1", details: "full" } as const
      assert.lengthOf((yield* history.page(request)).items, 9)
      for (const [why, tamper] of full) {
        helius.history.tamper = tamper
        const error = yield* Effect.flip(history.page(request)).pipe(Effect.catch(() => Effect.fail(`Taken: ${why}`)))
        assert.deepInclude(error, { _tag: "HeliusUnavailable", reason: "malformed" }, why)
      }
    }),
  )

  const names: ReadonlyArray<readonly [why: string, changes: Record<string, unknown>]> = [
    ["no signature", { signature: undefined }],
    ["a signature that is none", { signature: "short" }],
    ["no word on failure", { err: undefined }],
    ["no place in the block", { transactionIndex: undefined }],
    ["what is not final", { confirmationStatus: "confirmed" }],
  ]
  it.effect("rejects signatures with missing fields", () =>
    Effect.gen(function* () {
      const helius = yield* fakeHelius
      const history = yield* historyWith(helius, landedOf(9))
      for (const [why, changes] of names) {
        helius.history.tamper = ({ data, ...rest }) => ({ ...rest, data: [{ ...data[0], ...changes }] })
        const error = yield* Effect.flip(history.page({ ...ALL, details: "signatures" }))
        assert.deepInclude(error, { _tag: "HeliusUnavailable", reason: "malformed" }, why)
      }
    }),
  )

  it.effect("fails as refused or unavailable, without the key or the address in the error", () =>
    Effect.gen(function* () {
      const helius = yield* fakeHelius
      const history = yield* historyWith(helius, landedOf(9))
      const failure = Effect.gen(function* () {
        const exit = yield* Effect.exit(history.page({ ...ALL, details: "signatures" }))
        if (Exit.isSuccess(exit)) return assert.fail("It succeeded")
        assertNoCanary(exit, Cause.pretty(exit.cause), Cause.squash(exit.cause))
        return Cause.squash(exit.cause) as { readonly _tag: string; readonly reason?: string }
      })
      for (const status of [400, 401, 403, 404]) {
        helius.failNext(1, status)
        assert.strictEqual((yield* failure)._tag, "HeliusRefused")
      }
      for (const trouble of [302, 408, 429, 500, 503, 504, "cut", "html"] as const) {
        helius.failNext(1, trouble)
        assert.strictEqual((yield* failure)._tag, "HeliusUnavailable")
      }
      helius.failNext(1, "hang")
      const received = helius.nextCall()
      const hanging = yield* Effect.forkChild(failure)
      yield* Effect.promise(() => received)
      yield* TestClock.adjust("30 seconds")
      assert.deepInclude(yield* Fiber.join(hanging), { _tag: "HeliusUnavailable", reason: "deadline" })
      assert.lengthOf((yield* history.page({ ...ALL, details: "signatures" })).items, 9)
    }),
  )
})
