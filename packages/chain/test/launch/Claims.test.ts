import { assert, describe, it } from "@effect/vitest"
import type { DbcConfig } from "@launch-registry/domain/pools/DbcConfig"
import type { FeeKind, PoolFee } from "@launch-registry/domain/pools/PoolFees"
import { type Address, lamports } from "@solana/kit"
import { Effect, Exit, Layer, Ref } from "effect"
import { claimableFees } from "../../src/claims/ClaimableFees.ts"
import { Claims } from "../../src/claims/Claims.ts"
import type { CurveSnapshot } from "../../src/dbc/CurveSnapshot.ts"
import type { DbcEvent } from "../../src/transactions/DbcEvent.ts"
import { decodeTransaction } from "../../src/events/DecodeTransaction.ts"
import { LaunchTransactions } from "../../src/launches/LaunchTransactions.ts"
import { decodePool } from "../../src/dbc/PoolAccount.ts"
import { Pools } from "../../src/pools/Pools.ts"
import { PositionDirectory } from "../../src/claims/PositionDirectory.ts"
import { DBC_POOL_AUTHORITY, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from "../../src/accounts/Programs.ts"
import { Swaps } from "../../src/swaps/Swaps.ts"
import type { LedgerOptions } from "../../src/localnet/LedgerOptions.ts"
import { LAMPORTS_PER_BYTE } from "../../src/localnet/SeedAccounts.ts"
import { SLOT_MILLIS } from "../../src/localnet/SlotClock.ts"
import { Rpc } from "../../src/rpc/Rpc.ts"
import { claimedOf } from "./ClaimProgram.ts"
import { completingAmount, launched, migrate } from "./GraduatedLaunch.ts"
import { landed } from "./MigratedSwaps.ts"
import { hasDammV2Programs, launchServices, PROGRAMS } from "./RealPrograms.ts"
import { balanceOf, heldOf, signAndSend, transferOut, walletWith } from "./Wallet.ts"

const QUOTE_RESERVE_OFFSET = 240

type Wallet = Effect.Success<ReturnType<typeof walletWith>>

/** What the index would know of migrations. */
const known = Ref.makeUnsafe<ReadonlyMap<string, ReadonlyArray<string>>>(new Map())
const directory = Layer.succeed(PositionDirectory, {
  find: (baseMint) => Effect.map(Ref.get(known), (mints) => mints.get(baseMint)),
})
const services = (options: Partial<LedgerOptions>) =>
  Claims.layer.pipe(Layer.provide(directory), Layer.provideMerge(launchServices(options)))

const eventsOf = (signature: string) => Effect.map(landed(signature), (transaction) => decodeTransaction(transaction))

/** Lamports of a wallet, and what it has of a token. */
const holdingsOf = Effect.fn(function* ({ address }: Wallet, baseMint: string, program: string) {
  return { lamports: yield* balanceOf(address), base: yield* heldOf(address, baseMint, program) }
})

const shares = (fees: ReadonlyArray<PoolFee>) =>
  Object.fromEntries(fees.map(({ kind, party, state }) => [`${party} ${kind}`, state]))

const NO_AMOUNTS = { baseAmount: "0", quoteAmount: "0", lamports: "0" }
const ONCE: ReadonlyArray<FeeKind> = ["surplus", "migration_fee", "pool_creation_fee", "leftover"]

/** What an event of a claim says it gave, and to whom. */
const given = (event: DbcEvent) => {
  switch (event.type) {
    case "TradingFeeClaimed":
    case "PositionFeeClaimed":
      return {
        owner: event.claimer,
        baseAmount: `${event.baseAmount}`,
        quoteAmount: `${event.quoteAmount}`,
        lamports: "0",
      }
    case "SurplusWithdrawn":
    case "MigrationFeeWithdrawn":
      return { owner: event.claimer, ...NO_AMOUNTS, quoteAmount: `${event.amount}` }
    case "PoolCreationFeeClaimed":
      return { owner: event.receiver, ...NO_AMOUNTS, lamports: `${event.amount}` }
    case "LeftoverWithdrawn":
      return { owner: event.receiver, ...NO_AMOUNTS, baseAmount: `${event.amount}` }
    default:
      return undefined
  }
}

/** Claims, and asserts that wallet and events got what was reported just before. */
const claimsAll = Effect.fn(function* (
  wallet: Wallet,
  baseMint: string,
  program: string,
  kinds?: ReadonlyArray<FeeKind>,
) {
  const claims = yield* Claims
  const reported = (yield* claims.fees(baseMint)).fees.filter(
    ({ kind, owner, state }) =>
      owner === wallet.address && state === "claimable" && (kinds === undefined || kinds.includes(kind)),
  )
  assert.isNotEmpty(reported)
  const built = yield* claims.build({ wallet: wallet.address, baseMint, ...(kinds && { kinds }) })
  assert.deepStrictEqual(
    built.transactions.flatMap((one) => one.claims),
    reported,
  )
  assert.isTrue(built.wallet.sufficient)
  const before = yield* holdingsOf(wallet, baseMint, program)
  const events: Array<DbcEvent> = []
  for (const { transaction } of built.transactions)
    events.push(...(yield* eventsOf(yield* signAndSend(wallet.keyPair, transaction))))
  const after = yield* holdingsOf(wallet, baseMint, program)
  assert.strictEqual(String(after.base - before.base), built.baseAmount)
  const received = after.lamports - before.lamports + BigInt(built.cost.total)
  assert.strictEqual(received, BigInt(built.quoteAmount) + BigInt(built.lamports))
  const amounts = reported.map(({ baseAmount, lamports, quoteAmount }) => ({
    ...{ owner: wallet.address as string, baseAmount, quoteAmount, lamports },
  }))
  assert.deepStrictEqual(events.map(given), amounts)
  for (const key of ["baseAmount", "quoteAmount", "lamports"] as const)
    assert.strictEqual(
      BigInt(built[key]),
      amounts.reduce((total, one) => total + BigInt(one[key]), 0n),
      key,
    )
  const left = (yield* claims.fees(baseMint)).fees
  for (const { kind, party } of reported) {
    const now = left.find((fee) => fee.kind === kind && fee.party === party)!
    assert.strictEqual(now.state, ONCE.includes(kind) ? "withdrawn" : "nothing")
  }
  const again = yield* Effect.flip(
    claims.build({ wallet: wallet.address, baseMint, kinds: reported.map(({ kind }) => kind) }),
  )
  assert.strictEqual(again._tag, "NothingToClaim")
  return built
})

/** Programs before 0.1.10 let the last purchase raise more than the threshold. */
const withSurplus = (complete: CurveSnapshot) => {
  for (const surplus of [2n, 99n, 12_345_678_901n]) {
    const poolBytes = Buffer.from(complete.poolBytes)
    poolBytes.writeBigUInt64LE(complete.config.migrationQuoteThreshold + surplus, QUOTE_RESERVE_OFFSET)
    const curve = { ...complete, poolBytes: Uint8Array.from(poolBytes), pool: decodePool(poolBytes)! }
    const fees = claimableFees(curve, [], 0n).filter(({ kind }) => kind === "surplus")
    assert.strictEqual(fees.length, 2)
    for (const fee of fees) {
      if (fee.state === "nothing") continue
      const claimed = claimedOf(`${PROGRAMS}/dynamic_bonding_curve.so`, curve, fee)
      assert.deepInclude(claimed, { base: 0n, quote: fee.quoteAmount }, `surplus ${surplus} of the ${fee.party}`)
      const after = { ...curve, pool: decodePool(claimed!.poolBytes)! }
      const states = claimableFees(after, [], 0n).map(({ kind, party, state }) => [`${party} ${kind}`, state])
      assert.strictEqual(Object.fromEntries(states)[`${fee.party} surplus`], "withdrawn")
    }
  }
}

/** Leaves a wallet a lamport too few for its claims, with which they fail, and then exactly enough. */
const leaveJustEnough = Effect.fn(function* (wallet: Wallet, baseMint: string) {
  const [claims, rpc] = [yield* Claims, yield* Rpc]
  const build = claims.build({ wallet: wallet.address, baseMint })
  const { lamports: has, required } = (yield* build).wallet
  yield* Effect.promise(() => transferOut(rpc, wallet, BigInt(has) - 5_000n - (BigInt(required) - 1n)))
  const poor = yield* build
  assert.deepInclude(poor.wallet, { required, shortfall: "1", sufficient: false })
  const sent = yield* Effect.exit(signAndSend(wallet.keyPair, poor.transactions[0]!.transaction))
  assert.isTrue(Exit.isFailure(sent))
  yield* rpc.call((kit) => kit.requestAirdrop(wallet.address as Address, lamports(1n)))
})

/** Any wallet sends the leftover to its receiver, and pays for its account. */
const sendsLeftover = Effect.fn(function* (wallet: Wallet, baseMint: string, program: string) {
  const claims = yield* Claims
  const leftoverOf = (fees: ReadonlyArray<PoolFee>) => fees.find(({ kind }) => kind === "leftover")!
  const reported = leftoverOf((yield* claims.fees(baseMint)).fees)
  assert.isTrue(BigInt(reported.baseAmount) > 0n)
  const before = yield* holdingsOf(wallet, baseMint, program)
  const built = yield* claims.build({ wallet: wallet.address, baseMint, kinds: ["leftover"] })
  assert.deepStrictEqual(
    built.transactions.map((one) => one.claims),
    [[reported]],
  )
  const events = yield* eventsOf(yield* signAndSend(wallet.keyPair, built.transactions[0]!.transaction))
  const { baseAmount, owner } = reported
  assert.deepStrictEqual(events.map(given), [{ ...NO_AMOUNTS, owner: owner as string, baseAmount }])
  assert.strictEqual(String(yield* heldOf(owner!, baseMint, program)), baseAmount)
  const after = yield* holdingsOf(wallet, baseMint, program)
  assert.deepStrictEqual(after, { ...before, lamports: before.lamports - BigInt(built.cost.total) })
  assert.strictEqual(leftoverOf((yield* claims.fees(baseMint)).fees).state, "withdrawn")
})

const journey = (dbcConfig: DbcConfig, chain: Partial<LedgerOptions> = {}) =>
  Effect.gen(function* () {
    const [transactions, swaps, pools, claims] = [yield* LaunchTransactions, yield* Swaps, yield* Pools, yield* Claims]
    const [partner, creator, trader] = [yield* funded, yield* funded, yield* funded]
    const config = yield* transactions.buildConfig({ signer: partner.address, launchpad: "launchpad_a", dbcConfig })
    yield* signAndSend(partner.keyPair, config.unsigned.transaction)
    const { baseMint, pool } = yield* launched(creator, config.configAddress)
    const program = dbcConfig.tokenType === 1 ? TOKEN_2022_PROGRAM : TOKEN_PROGRAM
    const trade = { baseMint, signer: trader.address, slippageBps: 5_000 }
    const swap = Effect.fn(function* (amountIn: bigint, swapBaseForQuote: boolean) {
      const { unsigned: built } = yield* swaps.build({ ...trade, amountIn, swapBaseForQuote })
      return yield* signAndSend(trader.keyPair, built.transaction)
    })

    const fresh = yield* claims.fees(baseMint)
    assert.deepInclude(fresh, { creator: creator.address, partner: partner.address, arePositionsKnown: true })
    assert.strictEqual(fresh.fees.length, 8)
    assert.deepInclude(shares(fresh.fees), {
      "partner pool_creation_fee": "claimable",
      "leftover_receiver leftover": "not_migrated",
    })
    yield* swap(2_000_000_000n, false)
    yield* swap((yield* heldOf(trader.address, baseMint, program)) / 3n, true)
    for (const kinds of [undefined, ["pool_creation_fee"] as const]) {
      const stranger = yield* Effect.flip(claims.build({ wallet: trader.address, baseMint, ...(kinds && { kinds }) }))
      assert.strictEqual(stranger._tag, "ClaimNotYours")
    }
    const unmigrated = yield* Effect.flip(claims.build({ wallet: trader.address, baseMint, kinds: ["leftover"] }))
    assert.strictEqual(unmigrated._tag, "NothingToClaim")
    yield* leaveJustEnough(creator, baseMint)
    yield* claimsAll(creator, baseMint, program)
    yield* claimsAll(partner, baseMint, program, ["trading_fee"])
    const early = yield* Effect.flip(claims.build({ wallet: partner.address, baseMint, kinds: ["migration_fee"] }))
    assert.strictEqual(early._tag, "NothingToClaim")

    yield* swap(yield* completingAmount(baseMint), false)
    const complete = yield* claims.fees(baseMint)
    assert.isTrue(complete.isComplete)
    assert.deepInclude(shares(complete.fees), {
      ...{ "creator migration_fee": "claimable", "partner migration_fee": "claimable" },
      ...{ "creator surplus": "nothing", "partner surplus": "nothing" },
    })
    if (program === TOKEN_PROGRAM) withSurplus(yield* pools.getCurve(baseMint))
    // Before the migration already.
    yield* claimsAll(creator, baseMint, program)

    const migration = yield* migrate(partner.secretKey, pool, dbcConfig.migrationFeeOption!)
    assert.isFalse((yield* claims.fees(baseMint)).arePositionsKnown)
    const migrated = (yield* eventsOf(migration)).find((event) => event.type === "PoolMigrated")!
    const nfts = [migrated.firstPositionMint, migrated.secondPositionMint].filter((mint) => mint !== null)
    yield* Ref.update(known, (all) => new Map([...all, [baseMint, nfts]]))
    const graduated = yield* claims.fees(baseMint)
    assert.deepInclude(graduated, { arePositionsKnown: true, venue: "damm_v2" })
    const positions = graduated.fees.filter(({ kind }) => kind === "position_fee")
    assert.sameMembers(
      positions.map(({ owner }) => String(owner)),
      [creator.address, partner.address],
    )
    for (const { position, state } of positions) {
      assert.strictEqual(state, "nothing")
      assert.isTrue(BigInt(position!.permanentLockedLiquidity) > 0n)
    }
    yield* swap(3_000_000_000n, false)
    yield* swap((yield* heldOf(trader.address, baseMint, program)) / 5n, true)
    yield* claimsAll(creator, baseMint, program, ["position_fee"])
    const isOthers = dbcConfig.leftoverReceiver !== undefined
    if (isOthers) yield* sendsLeftover(trader, baseMint, program)
    const all = yield* claimsAll(partner, baseMint, program)
    assert.deepStrictEqual(
      all.transactions.map((one) => one.claims.map(({ kind }) => kind)),
      [["trading_fee", "migration_fee", "pool_creation_fee", ...(isOthers ? [] : ["leftover"]), "position_fee"]],
    )
  }).pipe(Effect.provide(services(chain)))

const funded = walletWith(1_000_000_000_000n)

describe.skipIf(!hasDammV2Programs)(
  "Claims give what was reported on the real programs (needs the program files)",
  () => {
    const on = ({ lamportsPerByte = LAMPORTS_PER_BYTE, slotMillis = SLOT_MILLIS }: Partial<LedgerOptions>) =>
      `at ${lamportsPerByte} lamports a byte and ${slotMillis} ms a slot`
    const shared = {
      creatorTradingFeePercentage: 30,
      migrationFee: { feePercentage: 7, creatorFeePercentage: 35 },
      poolCreationFee: "0.012345679",
    }
    // The whole life of a launch on the chain as it is, as it was, and as it becomes.
    for (const chain of [{}, { lamportsPerByte: 6_960n }, { lamportsPerByte: 696n, slotMillis: 200 }])
      it.live(`of an SPL token, ${on(chain)}`, () => journey({ ...shared, tokenType: 0, migrationFeeOption: 2 }, chain))
    for (const chain of [{}, { lamportsPerByte: 13_920n }])
      it.live(`of a Token-2022 token, with fees in the output token, ${on(chain)}`, () =>
        journey(
          {
            ...shared,
            tokenType: 1,
            // Off the curve, as the vault of a multisig is: it can sign nothing itself.
            leftoverReceiver: DBC_POOL_AUTHORITY as never,
            leftover: "1234.5",
            migrationFeeOption: 6,
            collectFeeMode: 1,
            migratedPoolFee: { collectFeeMode: 1, dynamicFee: 0, poolFeeBps: 150 },
          },
          chain,
        ),
      )
  },
)
