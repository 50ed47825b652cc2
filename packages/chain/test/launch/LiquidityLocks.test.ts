import { assert, describe, it } from "@effect/vitest"
import type { DbcConfig } from "@launch-registry/domain/pools/DbcConfig"
import type { LiquidityLocks } from "@launch-registry/domain/pools/LiquidityLocks"
import { AccountRole, type Address } from "@solana/kit"
import { getCreateAssociatedTokenIdempotentInstruction } from "@solana-program/token"
import { Effect } from "effect"
import { associatedTokenAddress } from "../../src/accounts/DerivedAddresses.ts"
import { NATIVE_MINT, TOKEN_PROGRAM } from "../../src/accounts/Programs.ts"
import { readFees } from "../../src/claims/PoolFeeReads.ts"
import { tokenLiquidity } from "../../src/claims/TokenLiquidity.ts"
import { decodeTransaction } from "../../src/events/DecodeTransaction.ts"
import { Pools } from "../../src/pools/Pools.ts"
import { poolState, stateAccounts } from "../../src/pools/PoolViews.ts"
import type { PoolMigrated } from "../../src/transactions/DbcEvent.ts"
import { Rpc } from "../../src/rpc/Rpc.ts"
import { completedLaunch, migrate } from "./GraduatedLaunch.ts"
import { landed } from "./MigratedSwaps.ts"
import { hasDammV2Programs, launchServices } from "./RealPrograms.ts"
import { held, sendInstruction } from "./Wallet.ts"

const SHARES: DbcConfig = {
  ...{ partnerLockedLpPercentage: 29, creatorLockedLpPercentage: 29, partnerLpPercentage: 5, creatorLpPercentage: 7 },
  partnerLiquidityVesting: { vestingPercentage: 10, cliffDurationFromMigrationTime: 600 },
  creatorLiquidityVesting: {
    ...{ vestingPercentage: 20, bpsPerPeriod: 2_000, numberOfPeriods: 4 },
    ...{ cliffDurationFromMigrationTime: 100, totalDuration: 4_000 },
  },
}
const ALL_LOCKED: DbcConfig = {
  ...{ partnerLockedLpPercentage: 60, creatorLockedLpPercentage: 40, partnerLpPercentage: 0, creatorLpPercentage: 0 },
}
const COMPOUNDING: DbcConfig = {
  migrationFeeOption: 6,
  migratedPoolFee: { collectFeeMode: 2, dynamicFee: 0, poolFeeBps: 100, compoundingFeeBps: 5_000 },
}

const locksOf = Effect.fn(function* (baseMint: string) {
  const pools = yield* Pools
  const { accounts, curve } = yield* pools.getCurveWith(baseMint, stateAccounts)
  return poolState(curve, accounts).liquidityLocks as LiquidityLocks
})

/** Who can take the liquidity away, with the positions that a migration created or without. */
const liquidityOf = Effect.fn(function* (baseMint: string, nftMints: ReadonlyArray<string> | undefined) {
  const directory = { find: () => Effect.succeed(nftMints) }
  return tokenLiquidity(yield* readFees({ pools: yield* Pools, directory }, baseMint, () => Promise.resolve({})))
})

const ADDED_LIQUIDITY = 64n << 64n
const LOCKED_LIQUIDITY = 16n << 64n
const all = Array.from({ length: 15 }, (_, index) => index)
const bytesOf = (value: bigint) => Buffer.from(value.toString(16).padStart(32, "0"), "hex").toReversed()

/**
 * `remove_all_liquidity`, whose accounts are those of a claim, `add_liquidity`, which has them without the authority, and
 * `permanent_lock_position`.
 */
const INSTRUCTIONS = {
  withdrawn: { accounts: all, head: "0a333d2370691855", data: Buffer.alloc(16) },
  added: {
    ...{ accounts: all.slice(1), head: "b59d59438fb63448" },
    data: Buffer.concat([bytesOf(ADDED_LIQUIDITY), Buffer.alloc(16, 255)]),
  },
  locked_permanently: {
    ...{ accounts: [1, 2, 9, 10, 13, 14], head: "a5b07d06e7abbad5", data: bytesOf(LOCKED_LIQUIDITY) },
  },
}

/** Withdraws what is unlocked, adds liquidity, or locks some for ever; what the index sees of it, and what the wallet got. */
const changes = Effect.fn(function* (
  wallet: Effect.Success<ReturnType<typeof completedLaunch>>["wallet"],
  baseMint: string,
  nftMints: ReadonlyArray<string>,
  position: string,
  change: keyof typeof INSTRUCTIONS,
) {
  const [rpc, pools] = [yield* Rpc, yield* Pools]
  const { base } = yield* pools.getFacts(baseMint)
  const baseAccount = yield* Effect.promise(() => associatedTokenAddress(wallet.address, baseMint, base.program))
  const ata = yield* Effect.promise(() => associatedTokenAddress(wallet.address, NATIVE_MINT, TOKEN_PROGRAM))
  const creation = { ata, owner: wallet.address as Address, mint: NATIVE_MINT as Address }
  yield* Effect.promise(() =>
    sendInstruction(rpc, wallet, (payer) => getCreateAssociatedTokenIdempotentInstruction({ payer, ...creation })),
  )
  const directory = { find: () => Effect.succeed(nftMints) }
  const { fees } = yield* readFees({ pools, directory }, baseMint, () => Promise.resolve({}))
  const { held: nft, position: found } = fees.find((fee) => fee.position?.address === position)!
  const claim = found!.claim(nft!.nftAccount, { wallet: wallet.address, baseAccount, quoteAccount: ata })
  const instruction = INSTRUCTIONS[change]
  const writable = claim.accounts!.map((one, index) => (index === 1 ? { ...one, role: AccountRole.WRITABLE } : one))
  const accounts = instruction.accounts.map((index) => writable[index]!)
  const data = Uint8Array.from(Buffer.concat([Buffer.from(instruction.head, "hex"), instruction.data]))
  const [before] = yield* held([ata])
  const signature = yield* Effect.promise(() => sendInstruction(rpc, wallet, () => ({ ...claim, accounts, data })))
  const [after] = yield* held([ata])
  const [event] = decodeTransaction(yield* landed(signature))
  return { event, received: after! - before! }
})

describe.skipIf(!hasDammV2Programs)("Locks of liquidity on the real programs (needs the program files)", () => {
  const cases: Readonly<Record<string, DbcConfig>> = {
    "a part is locked": { ...SHARES, migrationFeeOption: 2 },
    "a part is locked, and fees are compounded": { ...SHARES, ...COMPOUNDING },
    "all is locked": { ...ALL_LOCKED, migrationFeeOption: 2 },
    "all is locked, and fees are compounded": { ...ALL_LOCKED, ...COMPOUNDING },
  }
  for (const [what, config] of Object.entries(cases))
    it.live(`are announced before the migration and read after it, where ${what}`, () =>
      Effect.gen(function* () {
        const { baseMint, pool, wallet } = yield* completedLaunch(config)
        const before = yield* locksOf(baseMint)
        const isAllLocked = config.partnerLpPercentage === 0
        assert.deepInclude(before, {
          basis: "configuration",
          permanentLockedShare: isAllLocked ? 1 : 0.58,
          ...{ vestingShare: isAllLocked ? 0 : 0.3, unlockedShare: isAllLocked ? 0 : 0.12, unknownShare: 0 },
        })
        const [creator, partner] = before.atMigration!
        assert.deepInclude(creator, { party: "creator", owner: wallet.address as never })
        if (isAllLocked) assert.deepInclude(partner, { vestingShare: 0, vesting: null, vestingEndsAfter: null })
        else {
          assert.deepInclude(creator, { permanentLockedShare: 0.29, vestingShare: 0.2, unlockedShare: 0.07 })
          assert.deepInclude([creator!.vestingEndsAfter, partner!.vestingEndsAfter], 600)
          assert.deepInclude(creator!.vesting, { bpsPerPeriod: 2_000, numberOfPeriods: 4, frequency: 1_000 })
          assert.strictEqual(creator!.vestingEndsAfter, 4_100)
        }

        assert.deepStrictEqual(yield* liquidityOf(baseMint, undefined), { ...before, positions: [] })

        const migration = yield* migrate(wallet.secretKey, pool, config.migrationFeeOption!)
        const after = yield* locksOf(baseMint)
        assert.deepInclude(after, { basis: "pool", atMigration: before.atMigration })
        if (isAllLocked)
          assert.deepInclude(after, { permanentLockedShare: 1, vestingShare: 0, unlockedShare: 0, unknownShare: 0 })
        else {
          assert.approximately(after.permanentLockedShare!, 0.58, 1e-5)
          assert.approximately(after.unknownShare!, 0.42, 1e-5)
          assert.deepInclude(after, { vestingShare: null, unlockedShare: null })
        }

        assert.deepStrictEqual(yield* liquidityOf(baseMint, undefined), { ...after, positions: null })
        const events = decodeTransaction(yield* landed(migration))
        const migrated = events.find(({ type }) => type === "PoolMigrated") as PoolMigrated
        const nftMints = [migrated.firstPositionMint!, migrated.secondPositionMint!]
        const { positions, ...whole } = yield* liquidityOf(baseMint, nftMints)
        assert.deepInclude(whole, { basis: "pool", unknownShare: 0 })
        // One wallet is creator and partner: its positions count as those of the creator.
        for (const { owner, party } of positions!)
          assert.deepStrictEqual({ owner, party }, { owner: wallet.address as never, party: "creator" })
        // The first position is the larger one.
        const [first, second] = isAllLocked ? [before.atMigration![1], before.atMigration![0]] : before.atMigration!
        for (const [index, planned] of [first!, second!].entries()) {
          const position = positions![index]!
          for (const name of ["permanentLockedShare", "vestingShare", "unlockedShare"] as const)
            assert.approximately(position[name], planned[name], 1e-5)
          const { vesting } = position
          assert.strictEqual(vesting === null, planned.vesting === null)
          if (vesting === null || planned.vesting === null) continue
          const { cliffDurationFromMigrationTime: cliff, numberOfPeriods } = planned.vesting
          assert.strictEqual(Number(vesting.endPoint) - Number(vesting.cliffPoint), planned.vestingEndsAfter! - cliff)
          assert.strictEqual(vesting.numberOfPeriods, numberOfPeriods)
          const all = vesting.cliffShare + numberOfPeriods * vesting.sharePerPeriod
          assert.approximately(all, planned.vestingShare, 1e-5)
        }
        const total = whole.permanentLockedShare! + whole.vestingShare! + whole.unlockedShare!
        assert.approximately(total, 1, 3e-6)
        assert.approximately(whole.vestingShare!, before.vestingShare!, 1e-5)
        if (isAllLocked) return

        const [larger] = positions!
        const { event, received } = yield* changes(wallet, baseMint, nftMints, larger!.position, "withdrawn")
        assert.deepInclude(event, {
          ...{ type: "LiquidityChanged", change: "withdrawn", owner: wallet.address, position: larger!.position },
          ...{ pool: migrated.migratedPool, baseMint, quoteMint: NATIVE_MINT, quoteAmount: received },
        } as never)
        const later = (yield* liquidityOf(baseMint, nftMints)).positions![0]!
        assert.strictEqual(later.unlockedShare, 0)
        assert.isAbove(later.vestingShare, larger!.vestingShare)
        const again = yield* changes(wallet, baseMint, nftMints, larger!.position, "added")
        assert.deepInclude(again.event, {
          ...{ type: "LiquidityChanged", change: "added", owner: wallet.address, position: larger!.position },
          ...{ liquidity: ADDED_LIQUIDITY, quoteAmount: -again.received },
        } as never)
        const locked = yield* changes(wallet, baseMint, nftMints, larger!.position, "locked_permanently")
        assert.deepInclude(locked.event, {
          ...{ type: "LiquidityChanged", change: "locked_permanently", owner: wallet.address },
          ...{ pool: migrated.migratedPool, position: larger!.position, liquidity: LOCKED_LIQUIDITY },
        } as never)
      }).pipe(Effect.provide(launchServices())),
    )
})
