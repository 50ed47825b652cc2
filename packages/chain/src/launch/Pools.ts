import { ChainUnavailable, ConfigNotFound, PoolNotFound } from "@launch-registry/domain/launch/LaunchErrors"
import { Clock, Context, Effect, Layer } from "effect"
import { Rpc } from "../rpc/Rpc.ts"
import { AccountReader } from "./AccountReader.ts"
import { type AccountsAtSlot, type RawAccount, readAccounts } from "./AccountReads.ts"
import { type ConfigAccount, decodeConfig } from "./ConfigAccount.ts"
import { decodePool, type PoolAccount } from "./PoolAccount.ts"
import { PoolDirectory, type PoolHint } from "./PoolDirectory.ts"
import { hintsOfTransactions } from "./PoolTransactions.ts"
import { DBC_PROGRAM, NATIVE_MINT, SYSVAR_CLOCK } from "./Programs.ts"
import type { CurveSnapshot } from "./SwapQuoting.ts"
import { mintOf } from "./TokenLayouts.ts"

/** Decimals of SOL. */
export const NATIVE_DECIMALS = 9
/** A mint that nothing knew is not looked for again before this has passed. */
const MISS_MILLIS = 10_000
const MISSES_MAX = 10_000

/** What never changes about a pool. */
export interface PoolFacts {
  readonly pool: string
  readonly config: ConfigAccount
  readonly baseMint: string
}

/** What never changes about a pool, with the decimals of what it trades for. */
export interface QuotedPoolFacts extends PoolFacts {
  readonly quoteDecimals: number
}

/** A pool with its configuration and the moment it was read at. */
export interface LocatedCurve extends CurveSnapshot {
  readonly address: string
  readonly slot: bigint
  /** Accounts that were asked for beside the pool, at the same slot. */
  readonly beside: ReadonlyArray<RawAccount | undefined>
}

/** Accounts to read in the same request as a pool. */
export type Beside = (facts: PoolFacts) => Promise<ReadonlyArray<string>>

const NOTHING_BESIDE: Beside = () => Promise.resolve([])

/** A configuration decoded and as bytes; it never changes. */
interface KnownConfig {
  readonly account: ConfigAccount
  readonly bytes: Uint8Array
}

/**
 * Reads pools from the chain: in one request once the mint has been seen, because where its pool is, the configuration
 * and the decimals of the quote token never change. The first sight of a mint costs one or two more.
 */
export class Pools extends Context.Service<
  Pools,
  {
    readonly getCurve: (
      baseMint: string,
      beside?: Beside,
    ) => Effect.Effect<LocatedCurve, PoolNotFound | ChainUnavailable>
    /** Costs no request once the mint has been seen. */
    readonly getFacts: (baseMint: string) => Effect.Effect<QuotedPoolFacts, PoolNotFound | ChainUnavailable>
    readonly getConfig: (config: string) => Effect.Effect<ConfigAccount, ConfigNotFound | ChainUnavailable>
    readonly readAccounts: (addresses: ReadonlyArray<string>) => Effect.Effect<AccountsAtSlot, ChainUnavailable>
    /** Where the pool of a mint will be once its transaction has landed. */
    readonly expect: (baseMint: string, hint: PoolHint) => void
  }
>()("@launch-registry/chain/launch/Pools") {
  static readonly layer = Layer.effect(
    Pools,
    Effect.gen(function* () {
      const rpc = yield* Rpc
      const directory = yield* PoolDirectory
      const locations = new Map<string, { readonly pool: string; readonly config: string }>()
      const expected = new Map<string, PoolHint>()
      const configs = new Map<string, KnownConfig>()
      const decimalsOf = new Map<string, number>([[NATIVE_MINT, NATIVE_DECIMALS]])
      const missedAt = new Map<string, number>()

      const read = (addresses: ReadonlyArray<string>) => readAccounts(rpc, addresses)

      const rememberConfig = (address: string, account: RawAccount | undefined): KnownConfig | undefined => {
        const decoded = account?.owner === DBC_PROGRAM ? decodeConfig(account.data) : undefined
        if (decoded !== undefined) configs.set(address, { account: decoded, bytes: account!.data })
        return configs.get(address)
      }

      const getConfig = Effect.fn("Pools.getConfig")(function* (config: string) {
        const known = configs.get(config) ?? rememberConfig(config, (yield* read([config])).accounts[0])
        return known?.account ?? (yield* new ConfigNotFound({ config }))
      })

      /** Checks hints against the chain; remembers the right one, and the configurations that came with it. */
      const settle = Effect.fnUntraced(function* (baseMint: string, hints: ReadonlyArray<PoolHint>) {
        if (hints.length === 0) return undefined
        const hinted = [...new Set(hints.flatMap(({ config }) => config ?? []))].filter(
          (config) => !configs.has(config),
        )
        const { accounts } = yield* read([...hints.map(({ pool }) => pool), ...hinted])
        for (const [index, config] of hinted.entries()) rememberConfig(config, accounts[hints.length + index])
        for (const [index, { pool }] of hints.entries()) {
          const decoded = poolOf(accounts[index], baseMint)
          if (decoded !== undefined) {
            const location = { pool, config: decoded.config }
            locations.set(baseMint, location)
            expected.delete(baseMint)
            return location
          }
        }
        return undefined
      })

      const locate = Effect.fn("Pools.locate")(function* (baseMint: string) {
        const known = locations.get(baseMint)
        if (known !== undefined) return known
        const now = yield* Clock.currentTimeMillis
        const isMissing = now - (missedAt.get(baseMint) ?? Number.NEGATIVE_INFINITY) < MISS_MILLIS
        const expectedHere = expected.get(baseMint)
        const hints = [...(expectedHere === undefined ? [] : [expectedHere]), ...(yield* directory.find(baseMint))]
        const found =
          (yield* settle(baseMint, hints)) ??
          (isMissing ? undefined : yield* settle(baseMint, yield* hintsOfTransactions(rpc, baseMint)))
        if (found !== undefined) return found
        if (missedAt.size >= MISSES_MAX) missedAt.clear()
        if (!isMissing) missedAt.set(baseMint, now)
        return yield* new PoolNotFound({ baseMint })
      })

      /** Whatever else never changes about a pool, read once. */
      const learn = Effect.fnUntraced(function* (baseMint: string, configAddress: string) {
        const config =
          configs.get(configAddress) ?? rememberConfig(configAddress, (yield* read([configAddress])).accounts[0])
        if (config === undefined) return yield* new PoolNotFound({ baseMint })
        const { quoteMint } = config.account
        let quoteDecimals = decimalsOf.get(quoteMint)
        if (quoteDecimals === undefined) {
          const mint = mintOf((yield* read([quoteMint])).accounts[0])
          quoteDecimals = mint?.decimals ?? NATIVE_DECIMALS
          if (mint !== undefined) decimalsOf.set(quoteMint, quoteDecimals)
        }
        return { config, quoteDecimals }
      })

      const getCurve = Effect.fn("Pools.getCurve")(function* (baseMint: string, beside: Beside = NOTHING_BESIDE) {
        const location = yield* locate(baseMint)
        const { config, quoteDecimals } = yield* learn(baseMint, location.config)
        const more = yield* Effect.promise(() => beside({ pool: location.pool, config: config.account, baseMint }))
        const { accounts, slot } = yield* read([location.pool, SYSVAR_CLOCK, ...more])
        const [poolAccount, clock, ...besides] = accounts
        const pool = poolOf(poolAccount, baseMint)
        if (pool === undefined) return yield* new PoolNotFound({ baseMint })
        return {
          address: location.pool,
          slot,
          pool,
          poolBytes: poolAccount!.data,
          config: config.account,
          configBytes: config.bytes,
          currentPoint: yield* currentPoint(clock, slot, config.account),
          quoteDecimals,
          beside: besides,
        }
      })

      const getFacts = Effect.fn("Pools.getFacts")(function* (baseMint: string) {
        const location = yield* locate(baseMint)
        const { config, quoteDecimals } = yield* learn(baseMint, location.config)
        return { pool: location.pool, config: config.account, baseMint, quoteDecimals }
      })

      const expect = (baseMint: string, hint: PoolHint) => {
        if (expected.size >= MISSES_MAX) expected.clear()
        // The first one stays: who builds for somebody else's mint must not push it out.
        if (!expected.has(baseMint)) expected.set(baseMint, hint)
      }
      return Pools.of({ getCurve, getFacts, getConfig, readAccounts: read, expect })
    }),
  )
}

/** The pool in an account, when it is one of the DBC program and of this mint. */
const poolOf = (account: RawAccount | undefined, baseMint: string): PoolAccount | undefined => {
  const pool = account?.owner === DBC_PROGRAM ? decodePool(account.data) : undefined
  return pool?.baseMint === baseMint ? pool : undefined
}

const CLOCK_BYTES = 40

/** Slot or seconds, as the configuration counts; the Clock sysvar holds the slot @0 and the time @32, and is on every chain. */
const currentPoint = (
  clock: RawAccount | undefined,
  slot: bigint,
  { activationType }: ConfigAccount,
): Effect.Effect<bigint, ChainUnavailable> => {
  if (activationType === 0) return Effect.succeed(slot)
  return clock?.data.length === CLOCK_BYTES
    ? Effect.succeed(new AccountReader(clock.data).u64(32))
    : Effect.fail(new ChainUnavailable())
}
