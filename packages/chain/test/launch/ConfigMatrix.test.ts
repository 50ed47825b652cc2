import { assert, describe, it } from "@effect/vitest"
import type { LaunchTerms } from "@launch-registry/domain/pools/Schedules"
import type { Address } from "@solana/kit"
import { Effect } from "effect"
import { examples, isSweep, SEED } from "../../../../scripts/Laws.ts"
import { AccountReader } from "../../src/accounts/AccountReader.ts"
import { addressSeed, associatedTokenAddress, derive } from "../../src/accounts/DerivedAddresses.ts"
import {
  DBC_PROGRAM,
  LOCKER_PROGRAM,
  NATIVE_MINT,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from "../../src/accounts/Programs.ts"
import { newKeyPair } from "../../src/build/NewKeyPair.ts"
import { completeConfig, LAUNCHPAD_PRESETS } from "../../src/launches/ConfigPreset.ts"
import { configTerms } from "../../src/launches/ConfigTerms.ts"
import { OneStepLaunches } from "../../src/launches/OneStepLaunches.ts"
import { LAMPORTS_PER_BYTE, type SeedAccount } from "../../src/localnet/SeedAccounts.ts"
import { mint2022Data, mintData, tokenAccountData } from "../../src/localnet/TokenAccounts.ts"
import { poolConfig, poolState } from "../../src/pools/PoolViews.ts"
import { Pools } from "../../src/pools/Pools.ts"
import { Swaps } from "../../src/swaps/Swaps.ts"
import { acceptedConfigs, seeded } from "./GeneratedConfigs.ts"
import { lockVesting, migrate } from "./GraduatedLaunch.ts"
import { hasDammV2Programs, hasPrograms, launchServices } from "./RealPrograms.ts"
import { named } from "./SandboxedProgram.ts"
import { held, signAndSend } from "./Wallet.ts"

const LAUNCHES = examples(6, 400)
const LABEL = { name: "Matrix", symbol: "MTX", uri: "https://example.com/m.json" }
/** More than any curve takes, with any fee. */
const EVERYTHING = 2n ** 60n
/** Rounds of buying all that the curve takes; a falling fee can leave some for the next one. */
const BUYS_MAX = 5
/** Below it a part of the threshold can be less than its fee. */
const DIVISIBLE = 10_000n

type Wallet = Awaited<ReturnType<typeof newKeyPair>>

/** A token that curves are priced in, of either token program; SOL where there is none. */
interface QuoteToken {
  readonly decimals: number
  readonly program: Address
}
const QUOTE_MINT = named(77)

/** A wallet that can pay for any curve, with the mint of its quote token. */
const walletAccounts = async (owner: string, quote: QuoteToken | undefined): Promise<ReadonlyArray<SeedAccount>> => {
  const wallet = { address: owner, owner: SYSTEM_PROGRAM, data: new Uint8Array(0), lamports: 10n ** 18n }
  if (quote === undefined) return [wallet]
  const { decimals, program } = quote
  const amount = 2n ** 63n
  const mint =
    program === TOKEN_2022_PROGRAM ? mint2022Data(QUOTE_MINT, amount, decimals, LABEL) : mintData(amount, decimals)
  const account = tokenAccountData({ mint: QUOTE_MINT, owner, amount, program, rentLamports: 0n })
  const at = (address: string, data: Uint8Array) => ({
    ...{ address, owner: program, data, lamports: LAMPORTS_PER_BYTE * BigInt(data.length + 128) },
  })
  return [wallet, at(QUOTE_MINT, mint), at(await associatedTokenAddress(owner, QUOTE_MINT, program), account)]
}

/** What the locker has: `VestingEscrow`, at `["escrow", base]`, with base at `["base_locker", pool]`. */
const assertLocked = Effect.fnUntraced(function* (
  { baseMint, pool, tokenType }: { readonly baseMint: string; readonly pool: string; readonly tokenType: number },
  shown: LaunchTerms["lockedVesting"],
) {
  const escrow = yield* Effect.promise(async () => {
    const base = await derive(DBC_PROGRAM, ["base_locker", addressSeed(pool)])
    return derive(LOCKER_PROGRAM, ["escrow", addressSeed(base)])
  })
  const [account] = (yield* Effect.flatMap(Pools, ({ readAccounts }) => readAccounts([escrow]))).accounts
  const bytes = new AccountReader(account!.data)
  assert.deepInclude(shown, {
    frequency: bytes.u64(152).toString(),
    cliffUnlockAmount: bytes.u64(160).toString(),
    amountPerPeriod: bytes.u64(168).toString(),
    numberOfPeriod: bytes.u64(176).toString(),
  })
  const program = tokenType === 0 ? TOKEN_PROGRAM : TOKEN_2022_PROGRAM
  const vault = yield* Effect.promise(() => associatedTokenAddress(escrow, baseMint, program))
  assert.deepStrictEqual((yield* held([vault])).map(String), [shown.total])
})

/**
 * A configuration that is accepted is launched with a first buy, bought from its first unit to its end, and migrated; each buy lands
 * exactly as quoted, also on the pool after it.
 */
const lifeOf = Effect.fnUntraced(function* (
  dbcConfig: ReturnType<typeof acceptedConfigs>[number],
  { address: signer, keyPair, secretKey }: Wallet,
  {
    threshold,
    transactionVersion,
    quoteMint,
  }: {
    readonly threshold: bigint
    readonly transactionVersion: 0 | 1
    readonly quoteMint: string
  },
) {
  const [launches, swaps, pools] = [yield* OneStepLaunches, yield* Swaps, yield* Pools]
  const land = (transaction: string) => signAndSend(keyPair, transaction)
  const part = threshold < DIVISIBLE ? undefined : { amountIn: threshold / 20n, slippageBps: 0 }
  const { mintAddress, pool, terms, transactions } = yield* launches.build({
    ...{ signer, transactionVersion, label: LABEL, mint: { _tag: "Generated" } },
    config: { launchpad: "launchpad_a", dbcConfig, quoteMint },
    ...(part && { firstBuy: part }),
  })
  for (const { transaction } of transactions) yield* land(transaction)
  const shown = poolConfig(yield* pools.getCurve(mintAddress))
  assert.deepStrictEqual({ feeSchedule: shown.feeSchedule, lockedVesting: shown.lockedVesting }, terms)

  const buy = { baseMint: mintAddress, signer, slippageBps: 0, swapBaseForQuote: false }
  const buying = Effect.fnUntraced(function* (amountIn: bigint) {
    const bought = yield* swaps.build({ ...buy, amountIn }, { transactionVersion })
    assert.deepStrictEqual(bought.simulation.problems, [])
    yield* land(bought.unsigned.transaction)
  })
  for (let buys = 0; buys < BUYS_MAX; buys++) {
    const refused = yield* Effect.flip(swaps.build({ ...buy, amountIn: EVERYTHING }))
    if (refused._tag === "CurveCompleted") break
    const { maximum, message } = refused._tag === "InvalidRequest" ? refused.issues[0]! : assert.fail(refused._tag)
    if (maximum === undefined) return assert.fail(message)
    yield* buying(BigInt(maximum))
  }
  const complete = poolState(yield* pools.getCurve(mintAddress), { mint: undefined })
  assert.deepInclude(complete, { isComplete: true, quoteRemaining: "0" })
  const isVesting = shown.lockedVesting.total !== "0"
  if (isVesting && !hasPrograms("locker")) return "complete"
  if (isVesting) {
    yield* lockVesting(secretKey, pool)
    yield* assertLocked({ baseMint: mintAddress, pool, tokenType: shown.tokenType }, shown.lockedVesting)
  }
  yield* migrate(secretKey, pool, shown.migrationFeeOption)
  assert.isTrue((yield* pools.getCurve(mintAddress)).pool.isMigrated)
  if (part !== undefined) yield* buying(part.amountIn)
  return "migrated"
})

describe("Whatever configuration is accepted", () => {
  it.live.skipIf(!hasDammV2Programs)(
    "it is launched in any quote token, sold to its end as quoted, its vesting locked, and migrates",
    () =>
      Effect.gen(function* () {
        const ends: Array<string> = []
        const { config: preset } = LAUNCHPAD_PRESETS.launchpad_a
        const { int, pick } = seeded(SEED * 104_729)
        // There is a curve of some two thirds of them.
        for (const dbcConfig of acceptedConfigs(SEED * 7_919, LAUNCHES * 3)) {
          if (ends.length === LAUNCHES) break
          const token = { decimals: int(0, 9), program: pick([TOKEN_PROGRAM, TOKEN_2022_PROGRAM]) }
          const quote = pick([undefined, token])
          const transactionVersion = pick([0, 1] as const)
          const built = configTerms(completeConfig(preset, dbcConfig), quote?.decimals ?? 9)
          if ("issue" in built) continue
          const wallet = yield* Effect.promise(newKeyPair)
          const accounts = yield* Effect.promise(() => walletAccounts(wallet.address, quote))
          const launch = {
            ...{ threshold: BigInt(built.parameters.migrationQuoteThreshold), transactionVersion },
            quoteMint: quote ? QUOTE_MINT : NATIVE_MINT,
          }
          ends.push(
            yield* lifeOf(dbcConfig, wallet, launch).pipe(
              Effect.provide(launchServices({ accounts })),
              Effect.mapError((error) => new Error(JSON.stringify({ dbcConfig, quote }), { cause: error })),
            ),
          )
        }
        const counted = Object.fromEntries(
          Object.entries(Object.groupBy(ends, String)).map(([end, all]) => [end, all!.length]),
        )
        if (isSweep) process.stdout.write(`${LAUNCHES} launches: ${JSON.stringify(counted)}\n`)
        assert.lengthOf(ends, LAUNCHES)
        assert.includeMembers(ends, ["migrated"])
      }),
  )
})
