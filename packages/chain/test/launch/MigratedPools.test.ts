import { assert, layer } from "@effect/vitest"
import type { PoolNotSwappable } from "@launch-registry/domain/launch/LaunchErrors"
import { decodeBase58 } from "@launch-registry/domain/solana/Base58"
import { Effect, Layer } from "effect"
import launches from "../../fixtures/launches.json" with { type: "json" }
import migrations from "../../fixtures/migrated.json" with { type: "json" }
import { Pools } from "../../src/pools/Pools.ts"
import { poolState, stateAccounts } from "../../src/pools/PoolViews.ts"
import { DAMM_V1_CONFIGS, DBC_PROGRAM } from "../../src/accounts/Programs.ts"
import { Swaps } from "../../src/swaps/Swaps.ts"
import { LocalChain } from "../../src/localnet/LocalChain.ts"
import { SEEDED_MINTS } from "../../src/localnet/SeedAccounts.ts"
import { forwardToChain } from "../ForwardToChain.ts"
import { jsonServer } from "../JsonServer.ts"
import { rpcOver, seededDirectory } from "./CountedChain.ts"
import { keyOf, web3 } from "./MeteoraSdk.ts"

const SIGNER = "2gPJHzn5khcuAjvLQxyVVyLDTAyvj1Xx8chWb4PPg1CR"
const SOMEBODY = "8fo2FnWj4GEx1XWRjHWkVvLg9JSXWf7UqVvmFqKzVYxd"
const [
  {
    baseMint: SPL,
    accounts: [damm],
  },
  { baseMint: TOKEN_2022 },
] = migrations as [Migration, Migration]

type Migration = (typeof migrations)[number]

interface JsonAccount {
  owner: string
  data: [string, string]
  space: number
}

interface Call {
  readonly id: unknown
  readonly params?: readonly [ReadonlyArray<string>]
}

/** Changes an account as it is read: its bytes, or what is around them. */
type Change = (data: Buffer, account: JsonAccount) => Buffer | null | void

/** Swaps and pools over the chain, with one of its accounts changed on the way. */
const changing = <E>(address: string, change: Change, test: Effect.Effect<void, E, Pools | Swaps>) =>
  Effect.gen(function* () {
    const { url } = yield* LocalChain
    const proxy = yield* jsonServer<Call>((call, response) => {
      void forwardToChain(url, JSON.stringify(call), response, (answer) => {
        const body = JSON.parse(answer) as { result?: { value?: Array<JsonAccount | null> } }
        const asked = Array.isArray(call.params?.[0]) ? call.params[0] : []
        for (const [index, account] of (body.result?.value ?? []).entries?.() ?? []) {
          if (asked[index] !== address || account === null) continue
          const data = Buffer.from(account.data[0], "base64")
          const changed = change(data, account)
          if (changed === null) body.result!.value![index] = null
          else {
            account.data[0] = (changed ?? data).toString("base64")
            account.space = (changed ?? data).length
          }
        }
        return JSON.stringify(body)
      })
    })
    const services = Swaps.layer.pipe(
      Layer.provideMerge(Layer.provide(Pools.layer, seededDirectory)),
      Layer.provideMerge(rpcOver(proxy)),
    )
    yield* test.pipe(Effect.provide(Layer.fresh(services)))
  })

const swapOf = (baseMint: string) => ({
  ...{ baseMint, signer: SIGNER, amountIn: 1_000_000_000n, slippageBps: 100, swapBaseForQuote: false },
})

const refusal = (baseMint: string) => Effect.flatMap(Swaps, ({ build }) => Effect.flip(build(swapOf(baseMint))))

layer(LocalChain.layer({ stage: "migrated" }), { excludeTestServices: true })("The pool of a migrated curve", (it) => {
  const forgeries: Readonly<Record<string, Change>> = {
    "does not exist": () => null,
    "is of another program": (_, account) => void (account.owner = DBC_PROGRAM),
    "is of another kind": (data) => void data.writeUInt8(0, 0),
    "is of another size": (data) => data.subarray(0, 1_104),
    "is of another base token": (data) => void data.set(decodeBase58(SOMEBODY)!, 168),
    "is of another quote token": (data) => void data.set(decodeBase58(SOMEBODY)!, 200),
    "is of the tokens the other way round": (data) => {
      const [base, quote] = [Buffer.from(data.subarray(168, 200)), Buffer.from(data.subarray(200, 232))]
      data.set(quote, 168)
      data.set(base, 200)
    },
    "is of another token program": (data) => void data.writeUInt8(1, 482),
  }
  for (const [what, change] of Object.entries(forgeries))
    it.effect(`is not believed when the account ${what}`, () =>
      changing(
        damm!.address,
        change,
        Effect.gen(function* () {
          const error = yield* refusal(SPL)
          assert.strictEqual(error._tag, "CurveCompleted")
          if (error._tag === "CurveCompleted")
            assert.deepInclude(error, { isMigrated: true, graduatedPool: damm!.address, venue: "damm_v2" })
          const { accounts, curve } = yield* Effect.flatMap(Pools, (pools) => pools.getCurveWith(SPL, stateAccounts))
          const state = poolState(curve, accounts)
          assert.deepInclude(state, { venue: "damm_v2", migratedPool: null })
          assert.deepInclude(state.liquidityLocks, { basis: "pool", permanentLockedShare: null, unknownShare: null })
        }),
      ),
    )

  const refused: Readonly<Record<string, readonly [reason: PoolNotSwappable["reason"], change: Change]>> = {
    "swaps are switched off": ["disabled", (data) => void data.writeUInt8(1, 481)],
    "the base fee is of a newer kind": ["unknown_fee", (data) => void data.writeUInt8(5, 16)],
    "fees are collected in a newer way": ["unknown_fee", (data) => void data.writeUInt8(3, 484)],
    "the cap of the fee is a newer one": ["unknown_fee", (data) => void data.writeUInt8(2, 486)],
  }
  for (const [what, [reason, change]] of Object.entries(refused))
    it.effect(`is refused when ${what}`, () =>
      changing(
        damm!.address,
        change,
        Effect.gen(function* () {
          const error = yield* refusal(SPL)
          assert.deepInclude(error, { _tag: "PoolNotSwappable", mintAddress: SPL, pool: damm!.address, reason })
          const { accounts, curve } = yield* Effect.flatMap(Pools, (pools) => pools.getCurveWith(SPL, stateAccounts))
          assert.strictEqual(poolState(curve, accounts).migratedPool!.isEnabled, reason !== "disabled")
        }),
      ),
    )

  const sale = { ...swapOf(SPL), swapBaseForQuote: true, amountIn: 10n ** 18n }
  const saleRefused = (amountIn: bigint) =>
    Effect.gen(function* () {
      const error = yield* Effect.flatMap(Swaps, ({ quote }) => Effect.flip(quote({ ...sale, amountIn })))
      return error._tag === "InvalidRequest" ? error.issues[0]!.message : assert.fail(error._tag)
    })
  it.effect("fills amounts to the end of its price range", () =>
    changing(
      damm!.address,
      // The lowest sqrt price @424 becomes half of the current one @456.
      (data) => void data.writeBigUInt64LE(data.readBigUInt64LE(456) / 2n, 424),
      Effect.gen(function* () {
        const text = yield* saleRefused(sale.amountIn)
        const largest = BigInt(/^expected at most [\d.]+ of \w+ \((\d+)\): the price range/.exec(text)![1]!)
        yield* Effect.flatMap(Swaps, ({ quote }) => quote({ ...sale, amountIn: largest }))
        assert.match(yield* saleRefused(largest + 1n), /^expected at most/)
      }),
    ),
  )
  it.effect("fills nothing without liquidity", () =>
    changing(
      damm!.address,
      (data) => void data.fill(0, 360, 376),
      Effect.map(saleRefused(sale.amountIn), (text) => assert.match(text, /no liquidity at this price/)),
    ),
  )

  const withExtension =
    (type: number, payload: Buffer): Change =>
    (data) => {
      const header = Buffer.alloc(4)
      header.writeUInt16LE(type, 0)
      header.writeUInt16LE(payload.length, 2)
      return Buffer.concat([data, header, payload])
    }
  const extensions: ReadonlyArray<readonly [what: string, change: Change, reason?: PoolNotSwappable["reason"]]> = [
    ["takes a fee on transfers", withExtension(1, Buffer.alloc(108)), "transfer_fee"],
    ["calls a program on transfers", withExtension(14, Buffer.alloc(64, 1)), "transfer_hook"],
    ["is no mint", (data) => data.subarray(0, 60)],
  ]
  for (const [what, change, reason] of extensions)
    it.effect(`is refused when its token ${what}`, () =>
      changing(
        TOKEN_2022,
        change,
        Effect.map(refusal(TOKEN_2022), (error) => {
          assert.strictEqual(error._tag, reason === undefined ? "Unavailable" : "PoolNotSwappable")
          if (error._tag === "PoolNotSwappable") assert.strictEqual(error.reason, reason)
        }),
      ),
    )
  it.effect("is traded when its token has a hook that was never set", () =>
    changing(
      TOKEN_2022,
      withExtension(14, Buffer.alloc(64)),
      Effect.flatMap(Swaps, ({ build }) => Effect.asVoid(build(swapOf(TOKEN_2022)))),
    ),
  )

  it.effect("opens when it says, as the wallet is told", () =>
    changing(
      damm!.address,
      (data) => void data.writeBigUInt64LE(99_999_999_999n, 472),
      Effect.gen(function* () {
        const { simulation } = yield* Effect.flatMap(Swaps, ({ build }) => build(swapOf(SPL)))
        assert.include(
          simulation.problems.map(({ code }) => code),
          "not_active_yet",
        )
      }),
    ),
  )

  it.effect("is named where the curve went to a DAMM v1 pool that is not there", () => {
    const { config } = launches[0]!
    const option = Buffer.from(config.data, "base64")[243]!
    const mints = [SPL, "So11111111111111111111111111111111111111112"].map((mint) => Buffer.from(decodeBase58(mint)!))
    const [larger, smaller] = mints.toSorted((left, right) => Buffer.compare(right, left))
    const program = keyOf("Eo7WjKq67rjJQSZxS6z3YkapzY3eMj6Xy8X5EQVn5UaB")
    const seeds = [larger, smaller, decodeBase58(DAMM_V1_CONFIGS[option]!)!]
    const graduatedPool = web3.PublicKey.findProgramAddressSync(seeds, program)[0].toBase58()
    return changing(
      config.address,
      (data) => void data.writeUInt8(0, 233),
      Effect.gen(function* () {
        const error = yield* refusal(SEEDED_MINTS.spl)
        assert.deepInclude(error, { _tag: "CurveCompleted", isMigrated: true, graduatedPool, venue: "damm_v1" })
        const { accounts, curve } = yield* Effect.flatMap(Pools, (pools) => pools.getCurveWith(SPL, stateAccounts))
        assert.deepInclude(poolState(curve, accounts), { venue: "damm_v1", graduatedPool, migratedPool: null })
      }),
    )
  })
})
