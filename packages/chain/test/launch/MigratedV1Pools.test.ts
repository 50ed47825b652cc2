import { assert, describe, it } from "@effect/vitest"
import { decodeBase58 } from "@launch-registry/domain/solana/Base58"
import { Effect, Layer } from "effect"
import { PoolDirectory } from "../../src/pools/PoolDirectory.ts"
import { Pools } from "../../src/pools/Pools.ts"
import { poolState, stateAccounts } from "../../src/pools/PoolViews.ts"
import { NATIVE_MINT, TOKEN_PROGRAM } from "../../src/accounts/Programs.ts"
import { Swaps } from "../../src/swaps/Swaps.ts"
import { LocalChain } from "../../src/localnet/LocalChain.ts"
import type { SeedAccount } from "../../src/localnet/SeedAccounts.ts"
import { counted, rpcOver } from "./CountedChain.ts"
import { AT, MIGRATED_DAMM_V1, migratedDammV1Accounts } from "./MigratedDammV1.ts"

const SIGNER = "2gPJHzn5khcuAjvLQxyVVyLDTAyvj1Xx8chWb4PPg1CR"
const { baseMint, config, curve: pool, pool: migratedPool } = MIGRATED_DAMM_V1
const directory = Layer.succeed(PoolDirectory, { find: () => Effect.succeed([{ pool, config }]) })

type Change = (accounts: Array<SeedAccount>) => void | Promise<void>

/** Swaps and pools over a chain with the captured accounts, changed; and the requests that they make. */
const onChain = <A, E>(
  change: Change,
  use: (methods: Array<string>) => Effect.Effect<A, E, Pools | Swaps>,
): Effect.Effect<A, E> =>
  Effect.gen(function* () {
    const accounts = [...migratedDammV1Accounts()]
    yield* Effect.promise(async () => change(accounts))
    return yield* Effect.gen(function* () {
      const { methods, url } = yield* counted((yield* LocalChain).url)
      const services = Swaps.layer.pipe(
        Layer.provideMerge(Layer.provide(Pools.layer, directory)),
        Layer.provide(rpcOver(url)),
      )
      return yield* use(methods).pipe(Effect.provide(services))
    }).pipe(Effect.provide(LocalChain.layer({ accounts })))
  }).pipe(Effect.scoped) as Effect.Effect<A, E>

const unchanged: Change = () => undefined
const buy = { baseMint, amountIn: 1_000_000_000n, slippageBps: 100, swapBaseForQuote: false }
const sale = { baseMint, amountIn: 1_000_000_000n, slippageBps: 100, swapBaseForQuote: true }
const quoteOf = (swap: typeof buy) => Effect.flatMap(Swaps, ({ quote }) => quote(swap))
const refusalOf = (swap: typeof buy) => Effect.flip(quoteOf(swap))
const stateRead = Effect.flatMap(Pools, (pools) =>
  Effect.map(pools.getCurveWith(baseMint, stateAccounts), ({ accounts, curve }) => poolState(curve, accounts)),
)

describe("A curve that migrated to DAMM v1", () => {
  it.live("is read and traded at its pool, with one request once it is known", () =>
    onChain(unchanged, (methods) =>
      Effect.gen(function* () {
        const state = yield* stateRead
        assert.deepInclude(state, { venue: "damm_v1", graduatedPool: migratedPool as never, isMigrated: true })
        const migrated = state.migratedPool!
        assert.deepInclude(migrated, {
          ...{ pool: migratedPool as never, feeBps: 100, baseFeeBps: 100, dynamicFeeBps: 0, collectFeeMode: 3 },
          ...{ isEnabled: true, permanentLockedLiquidity: "0" },
        })
        // Of what the pool's shares are worth, rounded down on both sides.
        const [base, quote] = [BigInt(migrated.baseReserve), BigInt(migrated.quoteReserve)]
        assert.isBelow(Math.abs(Number(migrated.price) / ((Number(quote) / Number(base)) * 1e-3) - 1), 1e-9)
        const root = BigInt(migrated.liquidity) >> 64n
        assert.isTrue(root * root <= base * quote && base * quote < (root + 1n) ** 2n)
        methods.length = 0
        const { unsigned, ...built } = yield* Effect.flatMap(Swaps, ({ build }) => build({ ...buy, signer: SIGNER }))
        assert.deepStrictEqual(
          methods.filter((method) => method !== "getLatestBlockhash"),
          ["getMultipleAccounts"],
        )
        assert.deepInclude(built.quote, { venue: "damm_v1", pool: migratedPool as never, fee: "10000000" })
        assert.isNotEmpty(unsigned.transaction)
        assert.deepStrictEqual(yield* quoteOf(buy), built.quote)
      }),
    ),
  )

  it.live("says what of its liquidity is locked for ever", () =>
    onChain(
      (accounts) => {
        const lpSupply = new DataView(accounts[AT.lpMint]!.data.buffer).getBigUint64(36, true)
        new DataView(accounts[AT.pool]!.data.buffer).setBigUint64(395, lpSupply / 2n, true)
      },
      () =>
        Effect.map(stateRead, ({ migratedPool: found }) => {
          const [locked, all] = [found!.permanentLockedLiquidity, found!.liquidity].map(BigInt)
          assert.isTrue(locked! * 2n <= all! && all! < locked! * 2n + all! / 1_000n)
        }),
    ),
  )

  const refused: ReadonlyArray<readonly [what: string, Change, swap: typeof buy, reason: string | RegExp]> = [
    ["its pool is switched off", (all) => void (all[AT.pool]!.data[233] = 0), buy, "disabled"],
    ["the vault of SOL takes nothing", (all) => void (all[AT.vaultB]!.data[8] = 0), buy, "vault_disabled"],
    ["the vault of the token takes nothing", (all) => void (all[AT.vaultA]!.data[8] = 0), sale, "vault_disabled"],
    ["it gives nothing", unchanged, { ...sale, amountIn: 1n }, /^expected a larger amount/],
    [
      "the vault has lent out nearly all",
      (all) => new DataView(all[AT.tokenVaultB]!.data.buffer).setBigUint64(64, 1_000_000n, true),
      { ...sale, amountIn: 10n ** 15n },
      /^expected at most [\d.]+ of \w+ \(\d+\): the vault of the pool/,
    ],
    [
      "the vault has lent out all",
      (all) => new DataView(all[AT.tokenVaultB]!.data.buffer).setBigUint64(64, 0n, true),
      { ...sale, amountIn: 10n ** 15n },
      /it has no liquidity at this price$/,
    ],
  ]
  for (const [what, change, swap, reason] of refused)
    it.live(`is refused where ${what}`, () =>
      onChain(change, () =>
        Effect.map(refusalOf(swap), (error) => {
          if (typeof reason === "string") {
            assert.deepInclude(error, { _tag: "PoolNotSwappable", pool: migratedPool, reason } as never)
            return
          }
          assert.strictEqual(error._tag, "InvalidRequest")
          if (error._tag === "InvalidRequest") assert.match(error.issues[0]!.message, reason)
        }),
      ),
    )

  it.live("pays out of a vault that takes nothing more", () =>
    onChain(
      (all) => void (all[AT.vaultB]!.data[8] = 0),
      () => Effect.asVoid(quoteOf(sale)),
    ),
  )

  it.live("fills the amount that a refusal names, and nothing above", () =>
    onChain(
      (all) => new DataView(all[AT.tokenVaultB]!.data.buffer).setBigUint64(64, 1_000_000_000n, true),
      () =>
        Effect.gen(function* () {
          const error = yield* refusalOf({ ...sale, amountIn: 10n ** 15n })
          const text = error._tag === "InvalidRequest" ? error.issues[0]!.message : error._tag
          const amountIn = BigInt(/at most [\d.]+ .+ \((\d+)\):/.exec(text)![1]!)
          yield* quoteOf({ ...sale, amountIn })
          yield* refusalOf({ ...sale, amountIn: amountIn + 1n })
        }),
    ),
  )

  it.live("opens when it says, as the wallet is told", () =>
    onChain(
      (all) => {
        const view = new DataView(all[AT.pool]!.data.buffer)
        view.setBigUint64(403, 99_999_999_999n, true)
        view.setUint8(475, 1)
      },
      () =>
        Effect.gen(function* () {
          const { simulation } = yield* Effect.flatMap(Swaps, ({ build }) => build({ ...buy, signer: SIGNER }))
          assert.include(
            simulation.problems.map(({ code }) => code),
            "not_active_yet",
          )
        }),
    ),
  )

  const unusable: Readonly<Record<string, Change>> = {
    "that is of another program": (all) => void (all[AT.pool] = { ...all[AT.pool]!, owner: TOKEN_PROGRAM }),
    "of other tokens": (all) => all[AT.pool]!.data.set(decodeBase58(NATIVE_MINT)!, 40),
    "with another kind of curve": (all) => void (all[AT.pool]!.data[874] = 1),
    "that is cut off": (all) => void (all[AT.pool] = { ...all[AT.pool]!, data: all[AT.pool]!.data.slice(0, 500) }),
    "over another vault than the one of the mint": (all) => all[AT.pool]!.data.set(decodeBase58(NATIVE_MINT)!, 104),
    "whose vault is no vault": (all) => void (all[AT.vaultB] = { ...all[AT.vaultB]!, owner: TOKEN_PROGRAM }),
    "whose vault is cut off": (all) =>
      void (all[AT.vaultB] = { ...all[AT.vaultB]!, data: all[AT.vaultB]!.data.slice(0, 99) }),
  }
  for (const [what, change] of Object.entries(unusable))
    it.live(`names a pool ${what}, and takes no swaps`, () =>
      onChain(change, () =>
        Effect.gen(function* () {
          const error = yield* refusalOf(buy)
          assert.deepInclude(error, { _tag: "CurveCompleted", graduatedPool: migratedPool, venue: "damm_v1" } as never)
          assert.deepInclude(yield* stateRead, { venue: "damm_v1", migratedPool: null })
        }),
      ),
    )
})
