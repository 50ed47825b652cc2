import { ChainUnavailable, ConfigNotFound, PoolNotFound } from "@launch-registry/domain/launch/LaunchErrors"
import type { Address, Base58EncodedBytes } from "@solana/kit"
import { Context, Effect, Layer } from "effect"
import type { RpcError } from "../rpc/RpcError.ts"
import { Rpc } from "../rpc/Rpc.ts"
import { AccountReader } from "./AccountReader.ts"
import { type ConfigAccount, decodeConfig } from "./ConfigAccount.ts"
import { decodePool, POOL_BASE_MINT_OFFSET } from "./PoolAccount.ts"
import { DBC_PROGRAM, NATIVE_MINT, SYSVAR_CLOCK } from "./Programs.ts"
import type { CurveSnapshot } from "./SwapQuoting.ts"

/** Decimals of SOL. */
export const NATIVE_DECIMALS = 9
/** Offset of `decimals` in a mint. */
export const MINT_DECIMALS_OFFSET = 44
/** `config` and `baseMint` of a pool lie within its first 168 bytes. */
const POOL_HEAD_BYTES = 168

/** An account as raw bytes with the program that owns it. */
export interface RawAccount {
  readonly owner: string
  readonly data: Uint8Array
}

/** A pool with its configuration and the moment it was read at. */
export interface LocatedCurve extends CurveSnapshot {
  readonly address: string
  readonly slot: bigint
}

/**
 * Reads pools from the chain. Where a mint's pool is, and configurations, never change: both are remembered, so that
 * reading a known pool takes one request.
 */
export class Pools extends Context.Service<
  Pools,
  {
    readonly getCurve: (baseMint: string) => Effect.Effect<LocatedCurve, PoolNotFound | ChainUnavailable>
    readonly getConfig: (config: string) => Effect.Effect<ConfigAccount, ConfigNotFound | ChainUnavailable>
    /** Accounts in the order asked for, at one slot. */
    readonly readAccounts: (
      addresses: ReadonlyArray<string>,
    ) => Effect.Effect<
      { readonly slot: bigint; readonly accounts: ReadonlyArray<RawAccount | undefined> },
      ChainUnavailable
    >
  }
>()("@launch-registry/chain/launch/Pools") {
  static readonly layer = Layer.effect(
    Pools,
    Effect.gen(function* () {
      const rpc = yield* Rpc
      const locations = new Map<string, { readonly pool: string; readonly config: string }>()
      const configs = new Map<string, { readonly account: ConfigAccount; readonly bytes: Uint8Array }>()
      const decimalsOf = new Map<string, number>([[NATIVE_MINT, NATIVE_DECIMALS]])

      const readAccounts = Effect.fn("Pools.readAccounts")(function* (addresses: ReadonlyArray<string>) {
        const { context, value } = yield* rpc
          .call((kit) =>
            kit.getMultipleAccounts(addresses as ReadonlyArray<Address>, {
              encoding: "base64",
              commitment: "confirmed",
            }),
          )
          .pipe(Effect.catch(chainUnavailable))
        const accounts = value.map((account) =>
          account === null
            ? undefined
            : { owner: String(account.owner), data: Uint8Array.from(Buffer.from(account.data[0], "base64")) },
        )
        return { slot: context.slot, accounts }
      })

      const locate = Effect.fn("Pools.locate")(function* (baseMint: string) {
        const known = locations.get(baseMint)
        if (known !== undefined) return known
        const filter = {
          memcmp: {
            offset: BigInt(POOL_BASE_MINT_OFFSET),
            bytes: baseMint as Base58EncodedBytes,
            encoding: "base58" as const,
          },
        }
        const found = yield* rpc
          .call((kit) =>
            kit.getProgramAccounts(DBC_PROGRAM, {
              encoding: "base64",
              filters: [{ dataSize: 424n }, filter],
              dataSlice: { offset: 0, length: POOL_HEAD_BYTES },
            }),
          )
          .pipe(Effect.catch(chainUnavailable))
        const [first] = found
        if (first === undefined) return yield* new PoolNotFound({ baseMint })
        const head = new AccountReader(Uint8Array.from(Buffer.from(first.account.data[0], "base64")))
        const location = { pool: String(first.pubkey), config: head.address(72) }
        locations.set(baseMint, location)
        return location
      })

      const rememberConfig = (address: string, account: RawAccount | undefined) => {
        const decoded = account === undefined ? undefined : decodeConfig(account.data)
        if (decoded !== undefined) configs.set(address, { account: decoded, bytes: account!.data })
      }

      const getConfig = Effect.fn("Pools.getConfig")(function* (config: string) {
        if (!configs.has(config)) rememberConfig(config, (yield* readAccounts([config])).accounts[0])
        return configs.get(config)?.account ?? (yield* new ConfigNotFound({ config }))
      })

      const getQuoteDecimals = Effect.fn("Pools.getQuoteDecimals")(function* (mint: string) {
        const known = decimalsOf.get(mint)
        if (known !== undefined) return known
        const [account] = (yield* readAccounts([mint])).accounts
        const decimals = account?.data[MINT_DECIMALS_OFFSET] ?? NATIVE_DECIMALS
        decimalsOf.set(mint, decimals)
        return decimals
      })

      const getCurve = Effect.fn("Pools.getCurve")(function* (baseMint: string) {
        const location = yield* locate(baseMint)
        const missing = configs.has(location.config) ? [] : [location.config]
        const { accounts, slot } = yield* readAccounts([location.pool, SYSVAR_CLOCK, ...missing])
        const [poolAccount, clock, configAccount] = accounts
        if (missing.length > 0) rememberConfig(location.config, configAccount)
        const pool = poolAccount === undefined ? undefined : decodePool(poolAccount.data)
        const config = configs.get(location.config)
        if (pool === undefined || config === undefined) return yield* new PoolNotFound({ baseMint })
        return {
          address: location.pool,
          slot,
          pool,
          poolBytes: poolAccount!.data,
          config: config.account,
          configBytes: config.bytes,
          currentPoint: currentPoint(clock, slot, config.account),
          quoteDecimals: yield* getQuoteDecimals(config.account.quoteMint),
        }
      })

      return Pools.of({ getCurve, getConfig, readAccounts })
    }),
  )
}

/** Slot or seconds, as the configuration counts; the Clock sysvar holds the slot @0 and the time @32. */
const currentPoint = (clock: RawAccount | undefined, slot: bigint, { activationType }: ConfigAccount): bigint => {
  if (activationType === 0) return slot
  return clock === undefined ? 0n : new AccountReader(clock.data).u64(32)
}

/** Whatever the endpoints had, the caller can only try again. That they are out of use has been logged once already. */
export const chainUnavailable = (error: RpcError): Effect.Effect<never, ChainUnavailable> =>
  Effect.andThen(
    error.reason._tag === "Rejected" ? Effect.logWarning(error.message) : Effect.logDebug(error.message),
    Effect.fail(new ChainUnavailable()),
  )
