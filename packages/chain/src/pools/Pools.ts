import { NotFound } from "@launch-registry/domain/http/NotFound"
import { Unavailable } from "@launch-registry/domain/http/Unavailable"
import { Cache, Context, Duration, Effect, Exit, Layer, Option } from "effect"
import { fewAtOnce } from "../rpc/FewAtOnce.ts"
import { Rpc } from "../rpc/Rpc.ts"
import { type AccountsAtSlot, type ExtraAccounts, type RawAccount, readAccounts } from "../accounts/AccountReads.ts"
import { type ConfigAccount, decodeConfig } from "../dbc/ConfigAccount.ts"
import { clockOf, pointOf } from "../accounts/Clock.ts"
import { type Curve, type CurveSnapshot, pairOf, type PoolFacts } from "../dbc/CurveSnapshot.ts"
import { curveVenue } from "../dbc/CurveVenue.ts"
import { dammV1Destination } from "../dammV1/DammV1.ts"
import { dammV2Destination } from "../dammV2/DammV2.ts"
import { decodePool, type PoolAccount } from "../dbc/PoolAccount.ts"
import { PoolDirectory, type PoolHint } from "./PoolDirectory.ts"
import { hintsOfTransactions } from "./TransactionHints.ts"
import { DBC_PROGRAM, NATIVE_MINT, SYSVAR_CLOCK } from "../accounts/Programs.ts"
import { mintOf } from "../accounts/TokenLayouts.ts"
import type { TokenPair } from "../venues/TokenPair.ts"

/** Decimals of SOL. */
export const NATIVE_DECIMALS = 9
/** A mint without a pool is not searched for again before this has passed. */
const MISS_MILLIS = 10_000
/** Any address can be asked about, and a search reads up to three transactions. */
const [SEARCHES_AT_ONCE, SEARCHES_WAITING] = [4, 12]

/** Least recently used entries are evicted. */
const MINTS_MAX = 2_000
const CONFIGS_MAX = 1_000
const QUOTE_MINTS_MAX = 1_000

/** Addresses of accounts to read in the same request as a pool; `undefined` ones are not read. */
export type ExtraAddresses<Name extends string> = (
  facts: PoolFacts,
) => Promise<Readonly<Record<Name, string | undefined>>>

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
    readonly getCurve: (baseMint: string) => Effect.Effect<CurveSnapshot, NotFound | Unavailable>
    /** The pool and more accounts at the same slot, in one request. */
    readonly getCurveWith: <Name extends string>(
      baseMint: string,
      extraAddresses: ExtraAddresses<Name>,
    ) => Effect.Effect<
      { readonly curve: CurveSnapshot; readonly accounts: ExtraAccounts<Name> },
      NotFound | Unavailable
    >
    /** Costs no request once the mint has been seen. */
    readonly getFacts: (baseMint: string) => Effect.Effect<PoolFacts, NotFound | Unavailable>
    readonly getConfig: (config: string) => Effect.Effect<ConfigAccount, NotFound | Unavailable>
    readonly readAccounts: (addresses: ReadonlyArray<string>) => Effect.Effect<AccountsAtSlot, Unavailable>
    /** Where the pool of a mint will be once its transaction has landed. */
    readonly expect: (baseMint: string, hint: PoolHint) => Effect.Effect<void>
  }
>()("@launch-registry/chain/pools/Pools") {
  static readonly layer = Layer.effect(
    Pools,
    Effect.gen(function* () {
      const rpc = yield* Rpc
      const directory = yield* PoolDirectory
      const read = (addresses: ReadonlyArray<string>) => readAccounts(rpc, addresses)

      const readConfig = Effect.fnUntraced(function* (config: string) {
        const known = configOf((yield* read([config])).accounts[0])
        return known ?? (yield* new NotFound({ resource: "config", id: config }))
      })
      const configs = yield* Cache.makeWith(readConfig, { capacity: CONFIGS_MAX, timeToLive: foreverIfFound })

      const decimals = yield* Cache.makeWith(
        (mint: string) => Effect.map(read([mint]), ({ accounts }) => mintOf(accounts[0])?.decimals),
        { capacity: QUOTE_MINTS_MAX, timeToLive: foreverIfFound },
      )

      const expected = yield* Cache.make({
        capacity: MINTS_MAX,
        lookup: (_mint: string): Effect.Effect<PoolHint | undefined> => Effect.succeed(undefined),
      })

      /** Checks hints against the chain; caches the configurations that were read with them. */
      const settle = Effect.fnUntraced(function* (baseMint: string, hints: ReadonlyArray<PoolHint>) {
        if (hints.length === 0) return undefined
        const hinted: Array<string> = []
        for (const config of new Set(hints.flatMap((hint) => hint.config ?? [])))
          if (!(yield* Cache.has(configs, config))) hinted.push(config)
        const { accounts } = yield* read([...hints.map(({ pool }) => pool), ...hinted])
        for (const [index, config] of hinted.entries()) {
          const known = configOf(accounts[hints.length + index])
          if (known !== undefined) yield* Cache.set(configs, config, known)
        }
        for (const [index, { pool }] of hints.entries()) {
          const decoded = poolOf(accounts[index], baseMint)
          if (decoded !== undefined) return { pool, config: decoded.config }
        }
        return undefined
      })

      const inTurn = fewAtOnce(
        SEARCHES_AT_ONCE,
        SEARCHES_WAITING,
        () => new Unavailable({ service: "chain", reason: "too many unknown mints are looked for" }),
      )
      const searches = yield* Cache.makeWith(
        (baseMint: string) =>
          inTurn(Effect.flatMap(hintsOfTransactions(rpc, baseMint), (hints) => settle(baseMint, hints))),
        {
          capacity: MINTS_MAX,
          timeToLive: (exit) => (Exit.isSuccess(exit) && exit.value === undefined ? MISS_MILLIS : 0),
        },
      )

      const locate = Effect.fn("Pools.locate")(function* (baseMint: string) {
        const expectation = Option.toArray(yield* Cache.getSuccess(expected, baseMint))
        const hints = [...expectation.flatMap((hint) => hint ?? []), ...(yield* directory.find(baseMint))]
        const found = (yield* settle(baseMint, hints)) ?? (yield* Cache.get(searches, baseMint))
        return found ?? (yield* new NotFound({ resource: "pool", id: baseMint }))
      })

      /** What never changes about a pool, and its configuration as bytes. */
      const learn = Effect.fnUntraced(function* (baseMint: string) {
        const { config: configAddress, pool } = yield* locate(baseMint)
        const { account: config, bytes } = yield* Cache.get(configs, configAddress).pipe(
          Effect.catchTag("NotFound", () => new NotFound({ resource: "pool", id: baseMint })),
        )
        const { quoteMint } = config
        const quoteDecimals = quoteMint === NATIVE_MINT ? NATIVE_DECIMALS : yield* Cache.get(decimals, quoteMint)
        // A node that has the pool has its mints.
        if (quoteDecimals === undefined) return yield* new Unavailable({ service: "chain" })
        const pair = pairOf(config, baseMint, quoteDecimals)
        const destination = yield* Effect.promise(() => destinationOf(config, pair))
        const facts: PoolFacts = { ...pair, address: pool, config, destination }
        return { facts, configBytes: bytes }
      })
      const known = yield* Cache.makeWith(learn, { capacity: MINTS_MAX, timeToLive: foreverIfFound })

      const getCurveWith = Effect.fn("Pools.getCurve")(function* <Name extends string>(
        baseMint: string,
        extraAddresses: ExtraAddresses<Name>,
      ) {
        const { configBytes, facts } = yield* Cache.get(known, baseMint)
        const { address, config, destination } = facts
        const extra = Object.entries<string | undefined>(yield* Effect.promise(() => extraAddresses(facts))).flatMap(
          ([name, at]) => (at === undefined ? [] : [{ name, at }]),
        )
        // Both venues are read: only the account of the curve tells at which of them the token trades.
        const { accounts, slot } = yield* read([
          ...[address, SYSVAR_CLOCK, ...extra.map(({ at }) => at)],
          ...(destination?.accounts ?? []),
        ])
        const [poolAccount, sysvar, ...rest] = accounts
        const pool = poolOf(poolAccount, baseMint)
        if (pool === undefined) return yield* new NotFound({ resource: "pool", id: baseMint })
        const clock = yield* clockOf(slot, sysvar)
        const currentPoint = pointOf(clock, config.activationType)
        const curve: Curve = { ...facts, slot, pool, poolBytes: poolAccount!.data, configBytes, currentPoint }
        const opened = pool.isMigrated ? destination?.open(rest.slice(extra.length), clock) : undefined
        const snapshot: CurveSnapshot = { ...curve, venue: opened ?? curveVenue(curve) }
        const named = Object.fromEntries(extra.map(({ name }, index) => [name, rest[index]]))
        return { curve: snapshot, accounts: named as ExtraAccounts<Name> }
      })

      return Pools.of({
        getCurve: (baseMint) =>
          Effect.map(
            getCurveWith(baseMint, () => Promise.resolve({})),
            ({ curve }) => curve,
          ),
        getCurveWith,
        getFacts: Effect.fn("Pools.getFacts")(function* (baseMint: string) {
          return (yield* Cache.get(known, baseMint)).facts
        }),
        getConfig: Effect.fn("Pools.getConfig")(function* (config: string) {
          return (yield* Cache.get(configs, config)).account
        }),
        readAccounts: read,
        // The first expectation stays: a later build for the same mint must not replace it.
        expect: Effect.fnUntraced(function* (baseMint: string, hint: PoolHint) {
          if (!(yield* Cache.has(expected, baseMint))) yield* Cache.set(expected, baseMint, hint)
        }),
      })
    }),
  )
}

/** Time to live in a cache: failures and misses are not cached. */
const foreverIfFound = (exit: Exit.Exit<unknown, unknown>): Duration.Input =>
  Exit.isSuccess(exit) && exit.value !== undefined ? Duration.infinity : 0

/** The configuration in an account, when it is one of the DBC program. */
const configOf = (account: RawAccount | undefined): KnownConfig | undefined => {
  const decoded = account?.owner === DBC_PROGRAM ? decodeConfig(account.data) : undefined
  return decoded && { account: decoded, bytes: account!.data }
}

/** The pool in an account, when it is one of the DBC program and of this mint. */
const poolOf = (account: RawAccount | undefined, baseMint: string): PoolAccount | undefined => {
  const pool = account?.owner === DBC_PROGRAM ? decodePool(account.data) : undefined
  return pool?.baseMint === baseMint ? pool : undefined
}

/** By `migrationOption`. */
const DESTINATIONS = [dammV1Destination, dammV2Destination]

/** Where curves of a configuration migrate to; `undefined` for an option that is not known. */
const destinationOf = async ({ migrationFeeOption, migrationOption }: ConfigAccount, pair: TokenPair) =>
  DESTINATIONS[migrationOption]?.(pair, migrationFeeOption)
